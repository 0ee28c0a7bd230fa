// The library's known-answer tests, tests/kat, on the simulated core: the linker diverts their calls to this file.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/latkem.h>

#include <algorithm>

#include "Vcore.h"
#include "core/core.h"
#include "model/golden.h"

namespace
{

using Bytes = std::vector<uint8_t>;

Core<Vcore> &core()
{
    static Core<Vcore> made;
    return made;
}

unsigned index_of(const latkem_kem *kem)
{
    for (unsigned set : core_set_indices)
        if (golden_set(set) == kem) return set;
    throw std::out_of_range("no core has this set");
}

// An object and its right size.
struct Object {
    Bytes bytes;
    size_t size;
};

// The core's answer to a request of two objects. Lengths that are wrong by less than a word are for its user to refuse.
int ask(unsigned operation, const latkem_kem *kem, const Object &first, const Object &second, Bytes &answer)
{
    for (const Object *object : {&first, &second})
        if (object->bytes.size() % 8 != object->size % 8) return LATKEM_ERR_LENGTH;
    const Response response = core().run(make_request(operation, index_of(kem), 0, {first.bytes, second.bytes}));
    answer = bytes_of(response.words, 1, response.words.size() - 1);
    switch (response.status()) {
    case Ok: return LATKEM_OK;
    case BadLength: return LATKEM_ERR_LENGTH;
    case BadEk: return LATKEM_ERR_EK;
    case BadDk: return LATKEM_ERR_DK;
    default: return -1;
    }
}

Bytes drawn(latkem_rng_fn *fill, void *ctx, size_t length)
{
    Bytes bytes(length);
    EXPECT_EQ(fill(ctx, bytes.data(), length), 0);
    return bytes;
}

} // namespace

const latkem_kem *tested_kem_at(size_t index)
{
    return index < std::size(core_set_indices) ? golden_set(core_set_indices[index]) : nullptr;
}

extern "C" {

int __wrap_latkem_keypair_derand(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t seed_len)
{
    const CoreSet &set = set_of(index_of(kem));
    Bytes answer;
    // z is an object of its own, and so are whole words before it.
    const size_t z = seed_len < 32 ? 0 : seed_len - 32;
    const int error = ask(Keygen, kem, {Bytes(seed, seed + z), latkem_seed_bytes(kem) - 32},
                          {Bytes(seed + z, seed + seed_len), 32}, answer);
    if (error != LATKEM_OK) return error;
    EXPECT_EQ(answer.size(), 8 * (set.pair ? set.ek + set.dk : set.dk));
    const auto from = [&](size_t word) { return answer.begin() + 8 * static_cast<ptrdiff_t>(word); };
    std::copy_n(from(set.pair ? set.ek : 0), latkem_dk_bytes(kem), dk);
    std::copy_n(from(set.pair ? 0 : set.secret), latkem_ek_bytes(kem), ek);
    return LATKEM_OK;
}

int __wrap_latkem_encaps_derand(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                                const uint8_t *coins, size_t coins_len)
{
    Bytes answer;
    const int error = ask(Encaps, kem, {Bytes(ek, ek + ek_len), latkem_ek_bytes(kem)},
                          {Bytes(coins, coins + coins_len), latkem_coins_bytes(kem)}, answer);
    if (error != LATKEM_OK) return error;
    EXPECT_EQ(answer.size(), 8 * set_of(index_of(kem)).ct + 32);
    std::copy_n(answer.begin(), latkem_ct_bytes(kem), ct);
    std::copy(answer.end() - 32, answer.end(), ss);
    return LATKEM_OK;
}

int __wrap_latkem_decaps(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len, const uint8_t *dk,
                         size_t dk_len)
{
    Bytes answer;
    const int error = ask(Decaps, kem, {Bytes(dk, dk + dk_len), latkem_dk_bytes(kem)},
                          {Bytes(ct, ct + ct_len), latkem_ct_bytes(kem)}, answer);
    if (error != LATKEM_OK) return error;
    EXPECT_EQ(answer.size(), 32u);
    std::copy(answer.begin(), answer.end(), ss);
    return LATKEM_OK;
}

int __wrap_latkem_keypair_rng(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, latkem_rng_fn *fill, void *ctx)
{
    Bytes seed;
    for (unsigned length : set_of(index_of(kem)).draws) {
        if (length == 0) break;
        const Bytes next = drawn(fill, ctx, length);
        seed.insert(seed.end(), next.begin(), next.end());
    }
    return __wrap_latkem_keypair_derand(kem, ek, dk, seed.data(), seed.size());
}

int __wrap_latkem_encaps_rng(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                             latkem_rng_fn *fill, void *ctx)
{
    const Bytes coins = drawn(fill, ctx, latkem_coins_bytes(kem));
    return __wrap_latkem_encaps_derand(kem, ct, ss, ek, ek_len, coins.data(), coins.size());
}

int __wrap_latkem_check_ek(const latkem_kem *kem, const uint8_t *ek, size_t ek_len)
{
    Bytes answer;
    const size_t coins = latkem_coins_bytes(kem);
    return ask(Encaps, kem, {Bytes(ek, ek + ek_len), latkem_ek_bytes(kem)}, {Bytes(coins), coins}, answer);
}

int __wrap_latkem_check_dk(const latkem_kem *kem, const uint8_t *dk, size_t dk_len)
{
    Bytes answer;
    const size_t ct = latkem_ct_bytes(kem);
    return ask(Decaps, kem, {Bytes(dk, dk + dk_len), latkem_dk_bytes(kem)}, {Bytes(ct), ct}, answer);
}
}
