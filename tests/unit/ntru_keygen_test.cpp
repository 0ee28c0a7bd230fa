// Groups of NTRU keys, which share their inversions: each key is that of its seed alone, whatever the others are.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends.h"

extern "C" {
#include "scheme/ntru/params.h"
}

namespace
{

constexpr const lk_ntru_params *sets[] = {&lk_ntru_hps2048509, &lk_ntru_hps2048677, &lk_ntru_hps4096821,
                                          &lk_ntru_hrss701};

class NtruKeyGroups : public testing::TestWithParam<const lk_backend *>
{
  protected:
    static const lk_sizes &sizes(const lk_ntru_params *set)
    {
        return set->row.bytes;
    }

    static size_t seed_size(const lk_ntru_params *set)
    {
        return lk_total(sizes(set).seed);
    }

    // The keys of all seeds, made at once: eks, then dks.
    static Bytes keys(const lk_backend *backend, const lk_ntru_params *set, const std::vector<Bytes> &seeds)
    {
        Bytes all, eks(seeds.size() * sizes(set).ek), dks(seeds.size() * sizes(set).dk);
        for (const Bytes &seed : seeds) all.insert(all.end(), seed.begin(), seed.end());
        lk_request request = {};
        request.b = backend;
        request.row = &set->row;
        request.n = seeds.size();
        request.io.seed = all.data();
        request.io.ek_out = eks.data();
        request.io.dk_out = dks.data();
        EXPECT_EQ(lk_ntru_keypair(&request), LK_DONE);
        eks.insert(eks.end(), dks.begin(), dks.end());
        return eks;
    }

    void expect_as_alone(const lk_ntru_params *set, const std::vector<Bytes> &seeds)
    {
        Bytes expected, dks;
        for (const Bytes &seed : seeds) {
            const Bytes key = keys(&portable(), set, {seed});
            const auto dk = key.begin() + static_cast<std::ptrdiff_t>(sizes(set).ek);
            expected.insert(expected.end(), key.begin(), dk);
            dks.insert(dks.end(), dk, key.end());
        }
        expected.insert(expected.end(), dks.begin(), dks.end());
        ASSERT_TRUE(keys(GetParam(), set, seeds) == expected) << "n = " << set->n << ", " << seeds.size() << " keys";
    }

    static const lk_backend &portable()
    {
        return *lk_backend_list(0);
    }

    Random random{17};
};

TEST_P(NtruKeyGroups, EachKeyIsThatOfItsSeed)
{
    for (const lk_ntru_params *set : sets)
        for (size_t n = 1; n <= set->row.key_group; n++) {
            std::vector<Bytes> seeds;
            for (size_t i = 0; i < n; i++) seeds.push_back(random.bytes(seed_size(set)));
            ASSERT_NO_FATAL_FAILURE(expect_as_alone(set, seeds));
        }
}

// f = 0, g = 0 (which HPS cannot have) and both, at every place of a group, and in all places.
TEST_P(NtruKeyGroups, KeysWithoutInversesHarmNoOthers)
{
    for (const lk_ntru_params *set : sets)
        for (const auto &[begin, end] :
             {std::pair<size_t, size_t>{0, set->n - 1}, {set->n - 1, sizes(set).seed[0]}, {0, sizes(set).seed[0]}}) {
            const auto spoil = [first = begin, last = end](Bytes &seed) {
                std::fill(seed.begin() + static_cast<std::ptrdiff_t>(first),
                          seed.begin() + static_cast<std::ptrdiff_t>(last), uint8_t{0});
            };
            std::vector<Bytes> seeds;
            for (size_t i = 0; i < set->row.key_group; i++) seeds.push_back(random.bytes(seed_size(set)));
            for (size_t i = 0; i < set->row.key_group; i++) {
                if (emulated() && i != 0 && i + 1 != set->row.key_group) continue;
                std::vector<Bytes> spoilt = seeds;
                spoil(spoilt[i]);
                ASSERT_NO_FATAL_FAILURE(expect_as_alone(set, spoilt));
            }
            for (Bytes &seed : seeds) spoil(seed);
            ASSERT_NO_FATAL_FAILURE(expect_as_alone(set, seeds));
        }
}

// An inverse that does not exist is 0: 1/f modulo 3 if f = 0; and if G f = 0 modulo 2, 1/h and also h, because h is a
// multiple of 1/(G f).
TEST_P(NtruKeyGroups, KeysWithoutInversesAreZero)
{
    for (const lk_ntru_params *set : sets)
        for (const bool f_is_0 : {false, true}) {
            if (!f_is_0 && set->kind == LK_NTRU_HPS) continue; // its g has a weight
            Bytes seed = random.bytes(seed_size(set));
            const auto g = seed.begin() + set->n - 1;
            std::fill(f_is_0 ? seed.begin() : g, f_is_0 ? g : g + set->n - 1, uint8_t{0});
            const Bytes both = keys(GetParam(), set, {seed});
            const size_t s3 = (set->n - 1u + 4) / 5, h = sizes(set).ek;
            const auto all_zero = [&both](size_t first, size_t length) {
                return slice(both, first, length) == Bytes(length, 0);
            };
            EXPECT_TRUE(all_zero(0, h)) << "h, n = " << set->n;
            EXPECT_TRUE(all_zero(h + 2 * s3, h)) << "1/h, n = " << set->n;
            EXPECT_EQ(all_zero(h, s3), f_is_0) << "f, n = " << set->n;
            EXPECT_EQ(all_zero(h + s3, s3), f_is_0) << "1/f, n = " << set->n;
        }
}

LATKEM_FOR_EVERY_BACKEND(NtruKeyGroups);

} // namespace
