// Key files in memory.
// SPDX-License-Identifier: Apache-2.0
#include "keys.h"

#include <latkem/derand.h>

#include "der.h"
#include "encrypted.h"
#include "failure.h"
#include "identify.h"
#include "pem.h"
#include "sets.h"

namespace
{

const char *const encodings[] = {"raw", "der", "pem"};
const char *const forms[] = {"", "seed", "expanded", "both", "oqs", "bare-seed", "bare-expanded"};

// The content of a SEQUENCE that is all of the bytes.
bool take_sequence(std::string_view bytes, std::string_view &content)
{
    DerElement all{};
    const bool is_whole = take_der(bytes, all) && all.tag == der_sequence && bytes.empty();
    content = all.content;
    return is_whole;
}

// A seed of 32 or 64 random bytes looks like a SEQUENCE once in 65536 times, and no key in DER is that short.
bool is_der(const Buffer &bytes)
{
    std::string_view content;
    return take_sequence(text_of(bytes), content) && bytes.size() != 32 && bytes.size() != 64;
}

// PKCS#8 begins with its version, an INTEGER, and SubjectPublicKeyInfo with a SEQUENCE.
Kind kind_of_der(const Buffer &der)
{
    std::string_view content;
    if (!take_sequence(text_of(der), content) || content.empty()) return Kind::unknown;
    return content[0] == der_integer    ? Kind::private_key
           : content[0] == der_sequence ? Kind::public_key
                                        : Kind::unknown;
}

// The content of a file in place of a key, as part of a fault.
std::string but_holds(const Buffer &der)
{
    const std::string what = identify_der(text_of(der));
    return what.empty() ? "" : ", but holds " + what;
}

void read_public(const Buffer &der, KeyFile &file)
{
    Buffer ek(LATKEM_MLKEM_EK_MAX);
    size_t size = ek.size();
    const int result = latkem_public_key_read(&file.kem, ek.data(), &size, der.data(), der.size());
    if (result == LATKEM_ERR_FORMAT)
        file.fault = "is no public key of ML-KEM or X-Wing (SubjectPublicKeyInfo)" + but_holds(der);
    else if (result != LATKEM_OK)
        file.fault = latkem_strerror(result);
    else
        file.key = Buffer(ek.data(), size);
}

void read_private(const Buffer &der, KeyFile &file)
{
    Buffer seed(LATKEM_MLKEM_SEED_BYTES), dk(LATKEM_MLKEM_DK_MAX);
    size_t seed_size = seed.size(), dk_size = dk.size();
    const int result = latkem_private_key_read(&file.kem, &file.form, seed.data(), &seed_size, dk.data(), &dk_size,
                                               der.data(), der.size());
    if (result == LATKEM_ERR_FORMAT)
        file.fault = "is no private key of ML-KEM or X-Wing (PKCS#8)" + but_holds(der);
    else if (result == LATKEM_ERR_DK)
        file.fault = "its private key is not consistent: parts of it contradict each other";
    else if (result != LATKEM_OK)
        file.fault = latkem_strerror(result);
    if (result != LATKEM_OK) return;
    file.seed = Buffer(seed.data(), seed_size);
    file.key = Buffer(dk.data(), dk_size);
}

const std::string no_passphrase = "its private key is encrypted, and there is no terminal to ask for the passphrase; "
                                  "--passphrase-file or --passphrase-fd gives it";

void read_encrypted(const Buffer &der, KeyFile &file, const AskPassphrase &ask)
{
    Buffer pkcs8;
    file.kind = Kind::private_key;
    file.is_encrypted = true;
    file.fault = ask ? decrypt_key(der, ask(), pkcs8) : no_passphrase;
    if (file.fault.empty()) read_private(pkcs8, file);
}

void read_der(const Buffer &der, KeyFile &file, const AskPassphrase &ask)
{
    if (is_encrypted_key(der))
        read_encrypted(der, file, ask);
    else if (file.kind == Kind::public_key)
        read_public(der, file);
    else if (file.kind == Kind::private_key)
        read_private(der, file);
    else
        file.fault = "is DER, but of no key" + but_holds(der);
}

struct Label {
    const char *text;
    Kind kind;
};

constexpr const char *encrypted_label = "ENCRYPTED PRIVATE KEY";
const Label labels[] = {
    {"PUBLIC KEY", Kind::public_key}, {"PRIVATE KEY", Kind::private_key}, {encrypted_label, Kind::private_key}};

Kind kind_of_label(const std::string &text)
{
    for (const Label &label : labels)
        if (text == label.text) return label.kind;
    return Kind::unknown;
}

bool fits(Kind kind, Kind wanted)
{
    return kind != Kind::unknown && (wanted == Kind::unknown || kind == wanted);
}

std::string quoted(const std::vector<PemBlock> &blocks)
{
    constexpr size_t most = 4;
    std::string text;
    for (size_t i = 0; i < blocks.size() && i < most; i++) text += (i == 0 ? "" : ", ") + shown_label(blocks[i].label);
    return text + (blocks.size() > most ? ", .." : "");
}

bool any_has(const std::vector<PemBlock> &blocks, const char *words)
{
    return std::any_of(blocks.begin(), blocks.end(),
                       [words](const PemBlock &block) { return block.label.find(words) != std::string::npos; });
}

std::string no_block_fits(const std::vector<PemBlock> &blocks, Kind wanted)
{
    const std::string held = "holds " + quoted(blocks) + " and no ";
    if (wanted == Kind::private_key) return held + "PRIVATE KEY";
    if (any_has(blocks, "PRIVATE KEY")) return held + "PUBLIC KEY; 'latkem convert --public' makes one";
    if (any_has(blocks, "CERTIFICATE"))
        return held + "key of its own; 'openssl x509 -noout -pubkey' (3.5 or newer) takes out a certificate's";
    return held + (wanted == Kind::public_key ? "PUBLIC KEY" : "key");
}

void read_block(const PemBlock &block, KeyFile &file, const AskPassphrase &ask)
{
    Buffer der;
    file.kind = kind_of_label(block.label);
    file.fault = decode_base64(block.body, der);
    if (!file.fault.empty()) return;
    const std::string what = identify_der(text_of(der));
    if (is_encrypted_key(der) != (block.label == encrypted_label))
        file.fault = "PEM: the block " + shown_label(block.label) + " holds " +
                     (what.empty() ? "no encrypted private key" : what);
    else
        read_der(der, file, ask);
}

void read_pem(std::string_view text, Kind wanted, KeyFile &file, const AskPassphrase &ask)
{
    const Buffer narrow = narrowed(text);
    std::vector<PemBlock> blocks;
    file.fault = split_pem(text_of(narrow), blocks);
    if (!file.fault.empty()) return;
    const auto block = std::find_if(blocks.begin(), blocks.end(),
                                    [wanted](const PemBlock &one) { return fits(kind_of_label(one.label), wanted); });
    if (block == blocks.end()) {
        file.fault = no_block_fits(blocks, wanted);
        return;
    }
    if (any_has({blocks.begin(), block}, "CERTIFICATE"))
        file.note = "a certificate in it is skipped; its key is not looked at";
    read_block(*block, file, ask);
}

const char *purpose(Kind kind)
{
    return kind == Kind::public_key ? "a public key" : "a private key";
}

// Other faults of a key that is none of the set or kind.
std::string misfit(const latkem_kem *kem, Kind wanted, const KeyFile &file)
{
    if (file.kind != wanted)
        return std::string("holds ") + purpose(file.kind) + ", not " + purpose(wanted) +
               (wanted == Kind::public_key ? "; 'latkem convert --public' makes one of it" : "");
    if (file.kem != kem)
        return std::string("is a key of ") + latkem_kem_name(file.kem) + ", not of " + latkem_kem_name(kem);
    return "";
}

SetKey raw_key_of_set(const latkem_kem *kem, Object object, const Buffer &bytes)
{
    SetKey found = {Encoding::raw, Buffer(bytes.data(), bytes.size()), Buffer(), "", ""};
    if (object == Object::dk && is_mlkem(kem) && bytes.size() == latkem_seed_bytes(kem)) {
        found.fault = object_fault(kem, Object::seed, bytes.data(), bytes.size());
        if (!found.fault.empty()) return found;
        found.seed = std::move(found.key);
        found.key = grow_dk(kem, found.seed);
        return found;
    }
    found.fault = object_fault(kem, object, bytes.data(), bytes.size());
    if (object == Object::dk && dk_is_seed(kem)) found.seed = Buffer(bytes.data(), bytes.size());
    return found;
}

Buffer shortened(const Buffer &bytes, size_t size)
{
    return Buffer(bytes.data(), size);
}

Buffer encoded(Encoding encoding, const std::string &label, Buffer der)
{
    return encoding == Encoding::pem ? encode_pem(label, der) : std::move(der);
}

} // namespace

const char *encoding_name(Encoding encoding)
{
    return encodings[static_cast<size_t>(encoding)];
}

std::string form_name(int form)
{
    return forms[form];
}

Encoding find_encoding(const std::string &name)
{
    if (name.empty()) return Encoding::raw;
    for (Encoding encoding : {Encoding::raw, Encoding::der, Encoding::pem})
        if (name == encoding_name(encoding)) return encoding;
    misuse(name, "unknown format; there is raw, der and pem");
}

KeyFile read_key_file(const Buffer &bytes, Kind wanted, const AskPassphrase &ask)
{
    KeyFile file;
    if (is_pem(text_of(bytes))) {
        file.encoding = Encoding::pem;
        read_pem(text_of(bytes), wanted, file, ask);
    } else if (is_der(bytes)) {
        file.encoding = Encoding::der;
        file.kind = kind_of_der(bytes);
        read_der(bytes, file, ask);
    } else {
        file.key = Buffer(bytes.data(), bytes.size());
    }
    return file;
}

SetKey key_of_set(const latkem_kem *kem, Object object, const Buffer &bytes, const AskPassphrase &ask)
{
    const Kind wanted = object == Object::ek ? Kind::public_key : Kind::private_key;
    KeyFile file = read_key_file(bytes, wanted, ask);
    if (file.encoding == Encoding::raw) return raw_key_of_set(kem, object, bytes);
    const bool is_misplaced = file.is_encrypted && wanted == Kind::public_key;
    if (file.fault.empty() || is_misplaced) file.fault = misfit(kem, wanted, file);
    return {file.encoding, std::move(file.key), std::move(file.seed), file.fault, file.note};
}

bool may_be_private_key(const Buffer &bytes, bool is_shared)
{
    if (is_pem(text_of(bytes))) return text_of(narrowed(text_of(bytes))).find("PRIVATE KEY") != std::string_view::npos;
    const std::string looks = identify(text_of(bytes));
    for (const char *secret : {"private key", "JSON Web Key", "key store", "PEM w", "base64 of", "hex"})
        if (looks.find(secret) != std::string::npos) return true;
    if (looks == "a sealed file") return false; // of any length
    bool is_secret = false, is_public = false;
    for (size_t i = 0; const latkem_kem *kem = set_at(i); i++) {
        const auto has_length = [&](Object object) { return bytes.size() == object_bytes(kem, object); };
        is_secret = is_secret || has_length(Object::dk) || has_length(Object::seed);
        is_public = is_public || has_length(Object::ek) || has_length(Object::ct);
    }
    return is_secret && !(is_public && is_shared);
}

void check_encoding(const latkem_kem *kem, Encoding encoding)
{
    if (encoding == Encoding::raw || is_encodable(kem)) return;
    misuse(std::string("--format ") + encoding_name(encoding),
           std::string(latkem_kem_name(kem)) + " has no such encoding; ML-KEM and X-Wing have one");
}

PrivateFormat choose_form(const latkem_kem *kem, Encoding encoding, const std::string &name)
{
    const std::string thing = "--private-form " + name, set = latkem_kem_name(kem);
    const bool is_raw = encoding == Encoding::raw;
    if (name.empty()) return {encoding, is_raw && !dk_is_seed(kem) ? LATKEM_FORM_EXPANDED : LATKEM_FORM_SEED};
    for (int form : {LATKEM_FORM_SEED, LATKEM_FORM_EXPANDED, LATKEM_FORM_BOTH})
        if (name == form_name(form)) {
            if (dk_is_seed(kem) && form != LATKEM_FORM_SEED)
                misuse(thing, "the private key of " + set + " is its seed");
            if (!dk_is_seed(kem) && !is_mlkem(kem)) misuse(thing, "the private key of " + set + " has one form");
            if (is_raw && form == LATKEM_FORM_BOTH) misuse(thing, "raw bytes hold one form");
            return {encoding, form};
        }
    misuse(name, "unknown form of a private key; there is seed, expanded and both");
}

bool needs_seed(const latkem_kem *kem, PrivateFormat format)
{
    return format.form != LATKEM_FORM_EXPANDED && !dk_is_seed(kem);
}

Buffer write_public(const latkem_kem *kem, Encoding encoding, const Buffer &ek)
{
    if (encoding == Encoding::raw) return Buffer(ek.data(), ek.size());
    Buffer der(LATKEM_PUBLIC_KEY_DER_MAX);
    size_t size = der.size();
    require(latkem_public_key_write(kem, der.data(), &size, ek.data(), ek.size()), "public key");
    return encoded(encoding, "PUBLIC KEY", shortened(der, size));
}

Buffer write_private(const latkem_kem *kem, PrivateFormat format, const Buffer &dk, const Buffer &seed,
                     const Buffer &passphrase)
{
    const Buffer &key = needs_seed(kem, format) ? seed : dk;
    if (format.encoding == Encoding::raw) return Buffer(key.data(), key.size());
    Buffer der(LATKEM_PRIVATE_KEY_DER_MAX);
    size_t size = der.size();
    require(latkem_private_key_write(kem, format.form, der.data(), &size, key.data(), key.size()), "private key");
    Buffer pkcs8 = shortened(der, size);
    if (passphrase.empty()) return encoded(format.encoding, "PRIVATE KEY", std::move(pkcs8));
    return encoded(format.encoding, encrypted_label, encrypt_key(pkcs8, passphrase));
}
