// Shared by the fuzz targets: see fuzz.h.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/model/crypto.h"
#include "harness/model/kem.h"
#include "harness/model/ntru.h"

void must(bool condition, const char *what)
{
    if (condition) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::abort();
}

uint8_t Input::byte()
{
    if (size_ == 0) return 0;
    size_--;
    return *data_++;
}

Bytes Input::bytes(size_t length)
{
    const size_t present = std::min(length, size_);
    Bytes taken(data_, data_ + present);
    data_ += present;
    size_ -= present;
    taken.resize(length);
    return taken;
}

namespace
{

// Of a constant seed NTRU would make keys of little use.
Bytes random_looking(const char *label, size_t length)
{
    Shake128 stream;
    stream.absorb(Bytes(label, label + std::strlen(label)));
    return stream.squeeze(length);
}

Objects make_objects(const latkem_kem *kem)
{
    Objects set = {kem, find_facts(latkem_kem_name(kem)), {}, {}, {}, {}};
    must(set.facts != nullptr, "no facts about this set");
    const Sizes &sizes = set.facts->sizes;
    set.ek.resize(sizes.ek);
    set.dk.resize(sizes.dk);
    set.ct.resize(sizes.ct);
    set.ss.resize(sizes.ss);
    const Bytes seed = random_looking("seed", sizes.seed), coins = random_looking("coins", sizes.coins);
    must(latkem_keypair_derand(kem, set.ek.data(), set.dk.data(), seed.data(), seed.size()) == 0, "no key pair");
    must(latkem_encaps_derand(kem, set.ct.data(), set.ss.data(), set.ek.data(), set.ek.size(), coins.data(),
                              coins.size()) == 0,
         "no encapsulation");
    return set;
}

const std::vector<Objects> &all_objects()
{
    static const std::vector<Objects> list = [] {
        std::vector<Objects> sets;
        for (size_t i = 0; latkem_kem_at(i) != nullptr; i++) sets.push_back(make_objects(latkem_kem_at(i)));
        return sets;
    }();
    return list;
}

} // namespace

const Objects &choose_set(Input &input)
{
    return all_objects()[input.byte() % all_objects().size()];
}

Bytes choose_object(Input &input, const Bytes &good, bool raw, uint8_t mode)
{
    size_t length = good.size();
    if (mode & mode_other_lengths) length = length + input.byte() - std::min<size_t>(length, 128);
    Bytes object = raw ? input.bytes(length) : good;
    object.resize(length);
    return object;
}

void patch(Input &input, Bytes &object, size_t most)
{
    for (size_t i = 0; i < most && !input.empty() && !object.empty(); i++) {
        const size_t low = input.byte(), high = input.byte();
        const size_t distance = (low | (high & 127) << 8) % object.size();
        object[high & 128 ? object.size() - 1 - distance : distance] ^= input.byte();
    }
}

void repair_hash(const Objects &set, Bytes &dk)
{
    if (dk.size() != set.dk.size() || !dk_holds_ek(*set.facts)) return;
    const Bytes h = hash_h(*set.facts, slice(dk, dk_ek_offset(*set.facts), set.ek.size()));
    std::copy(h.begin(), h.end(), dk.begin() + static_cast<long>(dk_hash_offset(*set.facts)));
}

int expected_ek_result(const Objects &set, const Bytes &ek)
{
    if (ek.size() != set.ek.size()) return LATKEM_ERR_LENGTH;
    if (!set.is_mlkem()) return LATKEM_OK;
    const std::vector<int16_t> t = unpack12(slice(ek, 0, ek.size() - 32));
    return std::all_of(t.begin(), t.end(), [](int16_t x) { return x < 3329; }) ? LATKEM_OK : LATKEM_ERR_EK;
}

int expected_dk_result(const Objects &set, const Bytes &dk)
{
    if (dk.size() != set.dk.size()) return LATKEM_ERR_LENGTH;
    Bytes repaired = dk;
    repair_hash(set, repaired);
    return !set.is_mlkem() || repaired == dk ? LATKEM_OK : LATKEM_ERR_DK;
}

int expected_ek_check(const Objects &set, const Bytes &ek)
{
    const int result = expected_ek_result(set, ek);
    if (result != LATKEM_OK || set.facts->family != Family::ntru) return result;
    const ntru::Parameters p(*set.facts);
    return ntru::pack_q(ntru::unpack_sq(ek, p.n, p.bits()), p.bits()) == ek ? LATKEM_OK : LATKEM_ERR_EK;
}

int expected_dk_check(const Objects &set, const Bytes &dk)
{
    const int result = expected_dk_result(set, dk);
    if (result != LATKEM_OK || set.facts->family != Family::ntru) return result;
    const ntru::Parameters p(*set.facts);
    const ntru::SecretKey key(p, dk);
    const Bytes written = ntru::pack_s3(key.f) + ntru::pack_s3(key.f_inverse) + ntru::pack_q(key.h_inverse, p.bits()) +
                          key.z;
    return written == dk ? LATKEM_OK : LATKEM_ERR_DK;
}

bool is_zero(const Bytes &bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}
