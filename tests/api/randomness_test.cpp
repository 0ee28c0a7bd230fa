// The randomness of the operations that draw it from the operating system: their results are those of the deterministic
// forms on what the system gave, all of it, in its order and nothing twice, whatever groups a batch is cut into.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include "harness/model/ntru.h"
#include "kem_test.h"
#include "system_rng.h"

extern "C" {
#include "arch/backend.h"
#include "arch/portable/backend.h"
}

namespace
{

constexpr size_t most = 20;

// The size of the next batch to try: all, or on emulated CPUs 1, 2, 4, 7, 11, 17 and 20.
size_t after(size_t n)
{
    return emulated() && n < most ? std::min(n + n / 2 + 1, most) : n + 1;
}

class Randomness : public KemTest
{
  protected:
    using Derand = std::function<Bytes(size_t i, const Bytes &randomness)>;

    void SetUp() override
    {
        KemTest::SetUp();
        LATKEM_NEEDS_SYSTEM_RNG();
    }

    // ---- What the deterministic forms make, once for each input ----

    Bytes keypair_of(const Bytes &seed)
    {
        Bytes &known = known_[seed];
        if (known.empty()) {
            const KeyPair keys = keypair(seed);
            known = keys.ek + keys.dk;
        }
        return known;
    }
    Bytes encapsulation_of(const Bytes &ek, const Bytes &coins)
    {
        Bytes &known = known_[ek + coins];
        if (known.empty()) {
            const Encapsulation e = encaps(ek, coins);
            known = e.ct + e.ss;
        }
        return known;
    }
    std::vector<Bytes> eks()
    {
        std::vector<Bytes> all;
        for (size_t i = 0; i < most; i++) all.push_back(keypair(stream_).ek);
        return all;
    }

    // ---- What the operations draw ----

    Bytes supply(size_t n, size_t each) const
    {
        return Stream(std::string("supply ") + set().name).bytes(n * each);
    }

    // If an operation takes kilobytes and there are AES instructions, the system gives a key of AES-256-CTR.
    static bool stretches(size_t each)
    {
        return each > 256 && lk_backend_current()->symmetric.aes->instructions;
    }

    // Compares element i of every array, one after the other in `results`, with what it should be.
    void expect_drawn(const SystemRng &rng, size_t each, const std::vector<Bytes> &results, const Derand &derand)
    {
        SCOPED_TRACE("n = " + std::to_string(results.size()));
        for (const SystemRng::Request &request : rng.requests()) EXPECT_EQ(request.flags, 0u);
        if (stretches(each))
            expect_stretched(rng, each, results, derand);
        else
            expect_direct(rng.given(), each, results, derand);
    }

    // The arrays of a batch, cut into elements.
    static std::vector<Bytes> elements(size_t n, const Bytes &first, const Bytes &second)
    {
        const size_t a = first.size() / n, b = second.size() / n;
        std::vector<Bytes> all;
        for (size_t i = 0; i < n; i++) all.push_back(slice(first, i * a, a) + slice(second, i * b, b));
        return all;
    }

    void check_keypair_batch(size_t n, const Bytes &given)
    {
        Bytes eks(n * sizes().ek, 0xee), dks(n * sizes().dk, 0xee);
        const SystemRng rng(given);
        ASSERT_EQ(latkem_keypair_batch(kem, n, eks.data(), dks.data()), LATKEM_OK);
        expect_drawn(rng, sizes().seed, elements(n, eks, dks),
                     [&](size_t, const Bytes &seed) { return keypair_of(seed); });
    }

    void check_encaps_batch(size_t n, const Bytes &given, const std::vector<Bytes> &keys)
    {
        Bytes joined, cts(n * sizes().ct, 0xee), sss(n * sizes().ss, 0xee);
        for (size_t i = 0; i < n; i++) joined.insert(joined.end(), keys[i].begin(), keys[i].end());
        const SystemRng rng(given);
        ASSERT_EQ(latkem_encaps_batch(kem, n, cts.data(), sss.data(), joined.data()), LATKEM_OK);
        expect_drawn(rng, sizes().coins, elements(n, cts, sss),
                     [&](size_t i, const Bytes &coins) { return encapsulation_of(keys[i], coins); });
    }

    Stream stream_{std::string("randomness ") + set().name};

  private:
    static void expect_direct(const Bytes &given, size_t each, const std::vector<Bytes> &results, const Derand &derand)
    {
        ASSERT_EQ(given.size(), results.size() * each);
        for (size_t i = 0; i < results.size(); i++)
            EXPECT_EQ(to_hex(results[i]), to_hex(derand(i, slice(given, i * each, each)))) << "element " << i;
    }

    // Each key serves a group of elements; their number is the library's business. An element that does not go on with
    // the key of the one before it must begin with the next.
    void expect_stretched(const SystemRng &rng, size_t each, const std::vector<Bytes> &results, const Derand &derand)
    {
        size_t key = 0, place = 0;
        for (const SystemRng::Request &request : rng.requests()) ASSERT_EQ(request.length, 32u);
        for (size_t i = 0; i < results.size(); i++, place++) {
            if (i > 0 && results[i] != derand(i, stretched(rng, key, place, each))) {
                key++;
                place = 0;
            }
            ASSERT_LT(key, rng.requests().size()) << "element " << i << " begins with a key that nobody asked for";
            ASSERT_EQ(to_hex(results[i]), to_hex(derand(i, stretched(rng, key, place, each)))) << "element " << i;
        }
        EXPECT_EQ(key + 1, rng.requests().size()) << "keys that were asked for and not used";
    }

    Bytes stretched(const SystemRng &rng, size_t number, size_t place, size_t each)
    {
        const Bytes key = slice(rng.given(), 32 * number, 32);
        Bytes &known = key_streams_[key];
        if (known.size() < (place + 1) * each) known = aes256_ctr(key, Bytes(12), (place + 4) * each);
        return slice(known, place * each, each);
    }

    std::map<Bytes, Bytes> known_, key_streams_;
};

TEST_P(Randomness, Single)
{
    const std::vector<Bytes> keys = eks();
    Bytes ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    {
        const SystemRng rng(supply(1, sizes().seed));
        ASSERT_EQ(latkem_keypair(kem, ek.data(), dk.data()), LATKEM_OK);
        expect_drawn(rng, sizes().seed, {ek + dk}, [&](size_t, const Bytes &seed) { return keypair_of(seed); });
    }
    const SystemRng rng(supply(1, sizes().coins));
    ASSERT_EQ(latkem_encaps(kem, ct.data(), ss.data(), keys[0].data(), keys[0].size()), LATKEM_OK);
    expect_drawn(rng, sizes().coins, {ct + ss},
                 [&](size_t, const Bytes &coins) { return encapsulation_of(keys[0], coins); });
}

TEST_P(Randomness, KeypairBatch)
{
    const Bytes given = supply(most, sizes().seed);
    for (size_t n = 1; n <= most && !HasFailure(); n = after(n)) check_keypair_batch(n, given);
}

TEST_P(Randomness, EncapsBatch)
{
    const std::vector<Bytes> keys = eks();
    const Bytes given = supply(most, sizes().coins);
    for (size_t n = 1; n <= most && !HasFailure(); n = after(n)) check_encaps_batch(n, given, keys);
}

// One key in all elements: what is expanded of a key once must not take the coins along.
TEST_P(Randomness, EncapsBatchToOneKey)
{
    const std::vector<Bytes> keys(most, keypair(stream_).ek);
    check_encaps_batch(most, supply(most, sizes().coins), keys);
}

TEST_P(Randomness, EncapsPrepared)
{
    const Bytes ek = keypair(stream_).ek;
    Prepared prepared(latkem_prepared_ek_bytes(kem));
    ASSERT_EQ(latkem_prepare_ek(kem, prepared.data(), ek.data(), ek.size()), LATKEM_OK);
    const SystemRng rng(supply(most, sizes().coins));
    std::vector<Bytes> results;
    for (size_t i = 0; i < most; i++) {
        Bytes ct(sizes().ct, 0xee), ss(sizes().ss, 0xee);
        ASSERT_EQ(latkem_encaps_prepared(kem, ct.data(), ss.data(), prepared.data()), LATKEM_OK);
        results.push_back(ct + ss);
    }
    expect_drawn(rng, sizes().coins, results, [&](size_t, const Bytes &coins) { return encapsulation_of(ek, coins); });
}

// ---- NTRU ----

bool is_ntru(const SetFacts &set)
{
    return set.family == Family::ntru;
}

// The backend as it is on a CPU without AES instructions, where the system gives all bytes.
class WithoutAes : public Randomness
{
  protected:
    void SetUp() override
    {
        Randomness::SetUp();
        backend_ = *lk_backend_current();
        backend_.symmetric.aes = &lk_aes_portable;
        lk_backend_force(&backend_);
    }

  private:
    lk_backend backend_;
};

TEST_P(WithoutAes, KeypairBatch)
{
    const Bytes given = supply(most, sizes().seed);
    for (size_t n = 1; n <= most && !HasFailure(); n = after(n)) check_keypair_batch(n, given);
}

TEST_P(WithoutAes, EncapsBatch)
{
    const std::vector<Bytes> keys = eks();
    const Bytes given = supply(most, sizes().coins);
    for (size_t n = 1; n <= most && !HasFailure(); n = after(n)) check_encaps_batch(n, given, keys);
}

// Polynomials without an inverse, which no seed of a generator will ever give: f = 0, and G f = 0 modulo 2, which is f
// = 0 or g = 0 as X^n - 1 has no factors modulo 2 but X - 1 and Phi. HPS cannot have g = 0, because g has a weight.
class NtruWithoutInverse : public WithoutAes
{
  protected:
    enum Zero { F, G, BOTH };

    // Sample_iid takes bytes modulo 3, so that 0, 3 ... 255 are all zeros.
    Bytes seed_with(Zero zero, Bytes seed) const
    {
        const size_t f = zero == G ? p.iid_bytes() : 0, end = zero == F ? p.iid_bytes() : 2 * p.iid_bytes();
        for (size_t i = f; i < end; i++) seed[i] = static_cast<uint8_t>(3 * (i % 86));
        return seed;
    }

    std::vector<Zero> zeros() const
    {
        return p.is_hrss ? std::vector<Zero>{F, G, BOTH} : std::vector<Zero>{F};
    }

    const ntru::Parameters p{set()};
};

// If an inverse is asked for and does not exist, the document's algorithms leave 0: so h = 3 g / f, or G / f, is 0,
// and 1/h too.
TEST_P(NtruWithoutInverse, KeyIsTheOneWithZeroInverses)
{
    for (Zero zero : zeros()) {
        const Bytes seed = seed_with(zero, stream_.bytes(sizes().seed)), z = slice(seed, sizes().seed - 32, 32);
        const KeyPair keys = keypair(seed);
        const ntru::Poly f = ntru::sample_fg(p, seed).first;
        const ntru::SecretKey key(p, keys.dk);
        SCOPED_TRACE(zero);
        EXPECT_TRUE(all_zero(keys.ek));
        EXPECT_EQ(key.f, f);
        EXPECT_EQ(ntru::mod_phi(ntru::multiply(key.f, key.f_inverse, 3)), zero == G ? ntru::one(p.n) : ntru::Poly(p.n));
        EXPECT_EQ(key.h_inverse, ntru::Poly(p.n));
        EXPECT_EQ(to_hex(key.z), to_hex(z));
        EXPECT_EQ(latkem_check_ek(kem, keys.ek.data(), keys.ek.size()), LATKEM_OK);
        EXPECT_EQ(latkem_check_dk(kem, keys.dk.data(), keys.dk.size()), LATKEM_OK);
        const Encapsulation e = encaps(keys.ek, stream_.bytes(sizes().coins));
        EXPECT_EQ(to_hex(decaps(keys.dk, e.ct)), to_hex(ntru::decaps(p, keys.dk, e.ct)));
    }
}

// Keys of a batch share their inversions: one without harms no other, at every place.
TEST_P(NtruWithoutInverse, HarmsNoOtherKeyOfABatch)
{
    constexpr size_t n = 9;
    const Bytes good = supply(n, sizes().seed);
    for (Zero zero : zeros()) {
        Bytes all_bad;
        for (size_t bad = 0; bad < n && !HasFailure(); bad++) {
            const size_t at = bad * sizes().seed, behind = at + sizes().seed;
            const Bytes seed = seed_with(zero, slice(good, at, sizes().seed));
            SCOPED_TRACE("at " + std::to_string(bad));
            check_keypair_batch(n, slice(good, 0, at) + seed + slice(good, behind, good.size() - behind));
            all_bad = all_bad + seed;
        }
        SCOPED_TRACE("everywhere");
        check_keypair_batch(n, all_bad);
    }
}

LATKEM_FOR_EVERY_CASE(Randomness);
LATKEM_FOR_CASES(WithoutAes, is_ntru);
LATKEM_FOR_CASES(NtruWithoutInverse, is_ntru);

} // namespace
