// Key files written again: see keyfile_model.h. SPDX-License-Identifier: Apache-2.0
#include "keyfile_model.h"

#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>

#include <algorithm>
#include <sstream>

#include "harness/model/crypto.h"
#include "harness/model/facts.h"

namespace
{

Bytes length_bytes(size_t length, Element::Length how)
{
    if (how == Element::indefinite) return {0x80};
    Bytes bytes;
    for (size_t rest = length; rest > 0; rest >>= 8) bytes.insert(bytes.begin(), static_cast<uint8_t>(rest));
    if (how == Element::in_more_bytes && length >= 0x80) bytes.insert(bytes.begin(), 0);
    if (length < 0x80 && how != Element::in_more_bytes) return {static_cast<uint8_t>(length)};
    return Bytes{static_cast<uint8_t>(0x80 | bytes.size())} + bytes;
}

Bytes element(int tag, const Bytes &content)
{
    return Element{tag, content}.encode();
}

// An object identifier's content, from its dotted form (X.690 section 8.19).
Bytes encoded_oid(const std::string &dotted)
{
    std::istringstream text(dotted);
    std::vector<unsigned> arcs;
    for (std::string arc; std::getline(text, arc, '.');) arcs.push_back(static_cast<unsigned>(std::stoul(arc)));
    arcs[1] += 40 * arcs[0];
    Bytes all;
    for (size_t i = 1; i < arcs.size(); ++i) {
        Bytes digits = {static_cast<uint8_t>(arcs[i] & 0x7f)};
        for (unsigned rest = arcs[i] >> 7; rest > 0; rest >>= 7)
            digits.insert(digits.begin(), static_cast<uint8_t>(0x80 | (rest & 0x7f)));
        all = all + digits;
    }
    return all;
}

void add_key(std::vector<KeyOfSet> &all, const SetFacts &facts, const latkem_kem *kem)
{
    if (!facts.ids.oid.empty())
        all.push_back({kem, encoded_oid(facts.ids.oid), {}, {}, {}, facts.family == Family::mlkem});
}

Element algorithm(const KeyOfSet &key)
{
    return {0x30, {}, {{0x06, key.oid}}};
}

// privateKey's content.
Element inner(const KeyOfSet &key, int form)
{
    switch (form) {
    case LATKEM_FORM_SEED: return {key.is_mlkem ? 0x80 : -1, key.seed};
    case LATKEM_FORM_EXPANDED: return {0x04, key.dk};
    case LATKEM_FORM_BOTH: return {0x30, {}, {{0x04, key.seed}, {0x04, key.dk}}};
    case LATKEM_FORM_OQS: return {0x04, key.dk + key.ek};
    case LATKEM_FORM_BARE_SEED: return {-1, key.seed};
    default: return {-1, key.dk};
    }
}

// friendlyName (RFC 2985) "latkem".
Element attributes()
{
    const Bytes friendly_name = from_hex("2a864886f70d010914"), text = from_hex("006c00610074006b0065006d");
    return {0xa0, {}, {{0x30, {}, {{0x06, friendly_name}, {0x31, {}, {{0x1e, text}}}}}}};
}

const KeyOfSet *find_set(const latkem_kem *kem)
{
    for (const KeyOfSet &key : keys_of_sets())
        if (key.kem == kem) return &key;
    return nullptr;
}

bool is_zero(const Bytes &bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

bool take_front(Bytes &bytes, const Bytes &front)
{
    if (bytes.size() < front.size() || !std::equal(front.begin(), front.end(), bytes.begin())) return false;
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<long>(front.size()));
    return true;
}

// Removes an element of that tag from the front, if it is whole and encoded as DER has it, and returns its content.
bool take_element(Bytes &bytes, int tag, Bytes &content)
{
    for (size_t header = 2; header <= 5 && header <= bytes.size(); header++) {
        size_t length = header == 2 ? bytes[1] : 0;
        for (size_t i = 2; i < header; i++) length = length << 8 | bytes[i];
        if (length > bytes.size() - header) continue;
        content = slice(bytes, header, length);
        if (take_front(bytes, element(tag, content))) return true;
    }
    return false;
}

struct Read {
    int error = 0;
    KeyOfSet key = {};
    int form = 0;
    bool has_seed = false;
};

// The file but for attributes, which are taken out: whether it is what the model writes.
bool is_modelled(Bytes der, const Read &read, Extras &extras)
{
    Bytes all, content;
    extras = {false, false};
    if (!take_element(der, 0x30, all) || !der.empty()) return false;
    extras.public_key = take_front(all, {0x02, 1, 1});
    if (!extras.public_key && !take_front(all, {0x02, 1, 0})) return false;
    if (!take_front(all, algorithm(read.key).encode())) return false;
    if (!take_front(all, element(0x04, inner(read.key, read.form).encode()))) return false;
    extras.attributes = take_element(all, 0xa0, content);
    if (extras.public_key && !take_front(all, element(0x81, Bytes{0} + read.key.ek))) return false;
    return all.empty();
}

Read read_private(const Bytes &der, std::string &complaint)
{
    Read read;
    Bytes seed(LATKEM_MLKEM_SEED_BYTES, 0xaa), dk(LATKEM_MLKEM_DK_MAX, 0xaa);
    size_t seed_len = seed.size(), dk_len = dk.size();
    const latkem_kem *kem = keys_of_sets()[0].kem;
    read.error = latkem_private_key_read(&kem, &read.form, seed.data(), &seed_len, dk.data(), &dk_len, der.data(),
                                         der.size());
    if (read.error) {
        if (kem || read.form != 0 || seed_len > 0 || dk_len > 0 || !is_zero(seed + dk))
            complaint = "more than an error";
        if (read.error != LATKEM_ERR_FORMAT && read.error != LATKEM_ERR_DK) complaint = "error";
        return read;
    }
    const KeyOfSet *set = find_set(kem);
    if (!set) {
        complaint = "set";
        return read;
    }
    read.key = *set;
    read.has_seed = seed_len > 0;
    read.key.seed = slice(seed, 0, seed_len);
    read.key.dk = slice(dk, 0, dk_len);
    return read;
}

// The ek of a key that was read, and whether seed, dk and ek belong together.
bool complete(KeyOfSet &key, bool has_seed)
{
    key.ek.assign(latkem_ek_bytes(key.kem), 0);
    if (key.dk.size() != latkem_dk_bytes(key.kem)) return false;
    if (!has_seed) {
        key.ek = slice(key.dk, key.dk.size() - 64 - key.ek.size(), key.ek.size());
        return latkem_check_dk(key.kem, key.dk.data(), key.dk.size()) == 0 &&
               latkem_check_ek(key.kem, key.ek.data(), key.ek.size()) == 0;
    }
    Bytes dk(key.dk.size());
    return latkem_keypair_derand(key.kem, key.ek.data(), dk.data(), key.seed.data(), key.seed.size()) == 0 &&
           dk == key.dk;
}

// Reads an input byte by byte; zeros follow its end.
class Choices
{
  public:
    explicit Choices(const Bytes &input) : input_(input)
    {
    }
    size_t byte()
    {
        return at_ < input_.size() ? input_[at_++] : 0;
    }
    size_t two_bytes()
    {
        const size_t high = byte();
        return high << 8 | byte();
    }
    bool more() const
    {
        return at_ < input_.size();
    }
    Bytes rest()
    {
        return slice(input_, at_, input_.size() - at_);
    }

  private:
    const Bytes &input_;
    size_t at_ = 0;
};

// All elements below one and itself, each with the list that it is a part of.
struct Place {
    Element *element;
    std::vector<Element> *list;
    size_t index;
};

void collect(Element &from, std::vector<Element> *list, size_t index, std::vector<Place> &places)
{
    places.push_back({&from, list, index});
    for (size_t i = 0; i < from.parts.size(); i++) collect(from.parts[i], &from.parts, i, places);
}

// One fault of structure. The lengths around it follow, so that a reader meets it at its place.
void alter_structure(Element &file, Choices &choices)
{
    const size_t what = choices.byte() % 12, where = choices.byte(), value = choices.byte();
    std::vector<Place> places;
    collect(file, nullptr, 0, places);
    const Place place = places[where % places.size()];
    Element &e = *place.element;
    const auto here = static_cast<long>(place.index);
    switch (what) {
    case 0: e.tag = static_cast<int>(value); break;
    case 1: e.content.push_back(static_cast<uint8_t>(value)); break;
    case 2: e.content.resize(e.content.size() - std::min<size_t>(e.content.size(), 1)); break;
    case 3: e.length = Element::in_more_bytes; break;
    case 4: e.length = Element::indefinite; break;
    case 5: e.length = Element::off, e.off_by = static_cast<int>(value) - 128; break;
    case 6: e = Element{static_cast<int>(value), {}, {Element(e)}}; break;
    case 7: e.parts.push_back({static_cast<int>(value), {}}); break;
    case 8: e.tag = -1; break;
    case 9:
        if (place.list) place.list->insert(place.list->begin() + here, Element(e));
        break;
    case 10:
        if (place.list) place.list->erase(place.list->begin() + here);
        break;
    default:
        if (place.list) std::swap(e, (*place.list)[value % place.list->size()]);
    }
}

// One byte changed, or the file cut or made longer.
void alter_bytes(Bytes &der, Choices &choices)
{
    const size_t what = choices.byte() % 16, where = choices.two_bytes(), value = choices.byte();
    if (what == 0)
        der.resize(where % (der.size() + 1));
    else if (what == 1)
        der.push_back(static_cast<uint8_t>(value));
    else if (!der.empty())
        der[where % der.size()] ^= static_cast<uint8_t>(value);
}

} // namespace

Bytes Element::encode() const
{
    Bytes all = content;
    for (const Element &part : parts) all = all + part.encode();
    if (tag < 0) return all;
    const size_t stated = length == off ? all.size() + static_cast<size_t>(off_by) : all.size();
    if (length == indefinite) all = all + Bytes{0, 0};
    return Bytes{static_cast<uint8_t>(tag)} + length_bytes(stated & 0xffffff, length) + all;
}

const std::vector<KeyOfSet> &keys_of_sets()
{
    static const std::vector<KeyOfSet> list = [] {
        std::vector<KeyOfSet> all;
        for (const SetFacts &facts : all_facts()) add_key(all, facts, latkem_kem_find(facts.name));
        for (const HybridFacts &facts : all_hybrid_facts()) add_key(all, facts.set, latkem_hybrid_find(facts.set.name));
        for (KeyOfSet &key : all) {
            key.seed = shake256({1, 2, 3}, latkem_seed_bytes(key.kem));
            key.ek.resize(latkem_ek_bytes(key.kem));
            key.dk.resize(latkem_dk_bytes(key.kem));
            if (latkem_keypair_derand(key.kem, key.ek.data(), key.dk.data(), key.seed.data(), key.seed.size()) != 0)
                throw std::runtime_error("no key pair");
        }
        return all;
    }();
    return list;
}

Element public_file(const KeyOfSet &key)
{
    return {0x30, {}, {algorithm(key), {0x03, Bytes{0} + key.ek}}};
}

Element private_file(const KeyOfSet &key, int form, Extras extras)
{
    const auto version = static_cast<uint8_t>(extras.public_key ? 1 : 0);
    Element file = {0x30, {}, {{0x02, {version}}, algorithm(key), {0x04, {}, {inner(key, form)}}}};
    if (extras.attributes) file.parts.push_back(attributes());
    if (extras.public_key) file.parts.push_back({0x81, Bytes{0} + key.ek});
    return file;
}

Verdict try_private(const Bytes &der)
{
    std::string complaint;
    Read read = read_private(der, complaint);
    if (read.error || !complaint.empty()) return {read.error, complaint};
    Extras extras;
    if (!complete(read.key, read.has_seed)) return {0, "seed, dk and ek do not belong together"};
    if (!is_modelled(der, read, extras)) return {0, "not what the model writes"};
    if (read.form > LATKEM_FORM_BOTH || extras.attributes || extras.public_key) return {0, ""};
    Bytes written(LATKEM_PRIVATE_KEY_DER_MAX);
    size_t length = written.size();
    const Bytes &key = read.has_seed ? read.key.seed : read.key.dk;
    const int error = latkem_private_key_write(read.key.kem, read.form, written.data(), &length, key.data(),
                                               key.size());
    return {0, !error && slice(written, 0, length) == der ? "" : "written otherwise"};
}

Verdict try_public(const Bytes &der)
{
    Bytes ek(1568, 0xaa), written(LATKEM_PUBLIC_KEY_DER_MAX);
    size_t ek_len = ek.size(), length = written.size();
    const latkem_kem *kem = keys_of_sets()[0].kem;
    const int error = latkem_public_key_read(&kem, ek.data(), &ek_len, der.data(), der.size());
    if (error) {
        if (kem || ek_len > 0 || !is_zero(ek)) return {error, "more than an error"};
        return {error, error == LATKEM_ERR_FORMAT || error == LATKEM_ERR_EK ? "" : "error"};
    }
    const KeyOfSet *set = find_set(kem);
    if (!set) return {0, "set"};
    KeyOfSet key = *set;
    key.ek = slice(ek, 0, ek_len);
    if (public_file(key).encode() != der) return {0, "not what the model writes"};
    const bool same = latkem_public_key_write(kem, written.data(), &length, ek.data(), ek_len) == 0 &&
                      slice(written, 0, length) == der;
    return {0, same ? "" : "written otherwise"};
}

// Bytes: set; form, or a public key; extras, the number of faults in the structure, and whether the rest is the file;
// then the faults.
Verdict try_mutation(const Bytes &input)
{
    Choices choices(input);
    const KeyOfSet &key = keys_of_sets()[choices.byte() % keys_of_sets().size()];
    const int form = static_cast<int>(choices.byte() % 7);
    const size_t mode = choices.byte();
    const bool is_public = form == 0;
    Element file = is_public
                       ? public_file(key)
                       : private_file(key, key.is_mlkem ? form : LATKEM_FORM_SEED, {(mode & 1) != 0, (mode & 2) != 0});
    for (size_t faults = mode >> 2 & 3; faults > 0; faults--) alter_structure(file, choices);
    Bytes der = mode & 16 ? choices.rest() : file.encode();
    for (int faults = 4; faults > 0 && !(mode & 16) && choices.more(); faults--) alter_bytes(der, choices);
    der.shrink_to_fit(); /* that a byte behind the end is found to be read */
    if (der.empty()) der.reserve(1);
    return is_public ? try_public(der) : try_private(der);
}
