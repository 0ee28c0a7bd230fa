// The small build's kernels of q3329 against their definitions: what another kernel makes, times g, added. And the places
// where the small build has a kernel's output over its input. SPDX-License-Identifier: Apache-2.0
#include "ring.h"

extern "C" {
#include "ring/q3329/montgomery.h"
}

namespace
{

class Mac : public testing::Test
{
  protected:
    // Values that leave room for a product.
    Poly any_sum()
    {
        return random_poly(random, -32768 + LK_Q3329_MAC_OUT, 32767 - LK_Q3329_MAC_OUT);
    }

    // h grew by f g, modulo q, and by no more than the contract says.
    void check(const Poly &before, const Poly &after, const Poly &f, const Poly &g)
    {
        Poly grown;
        for (size_t i = 0; i < grown.size(); i++) {
            const int by = after[i] - before[i];
            ASSERT_LE(std::abs(by), LK_Q3329_MAC_OUT);
            grown[i] = static_cast<int16_t>(by);
        }
        ASSERT_EQ(to_standard(ring, grown), to_standard(ring, inner_product(ring, {f}, {g})));
    }

    void check_decoding(const Poly &f, const Poly &g)
    {
        const Bytes in = encoded(f);
        const Poly before = any_sum();
        GuardedPolys h(before), right(g);
        GuardedBytes bytes(in);
        const uint32_t above = lk_q3329_decode_d12_mac_c(h.out(), bytes.in(), right.in());
        ASSERT_EQ(above == 0, decode_d12(ring, in).second);
        ASSERT_NO_FATAL_FAILURE(check(before, h.value(), f, g));
    }

    static Bytes encoded(const Poly &f)
    {
        Bytes bytes;
        for (size_t i = 0; i < f.size(); i += 2) {
            const unsigned a = static_cast<unsigned>(f[i]), b = static_cast<unsigned>(f[i + 1]);
            bytes.push_back(static_cast<uint8_t>(a));
            bytes.push_back(static_cast<uint8_t>(a >> 8 | b << 4));
            bytes.push_back(static_cast<uint8_t>(b >> 4));
        }
        return bytes;
    }

    // Delivers a stream in pieces; ends when the polynomial is complete.
    void check_sampling(const Poly &g, const std::function<Bytes()> &next_piece)
    {
        const Poly before = any_sum();
        Guarded<lk_poly> f(1, next_poly_offset());
        GuardedPolys h(before), right(g);
        for (size_t have = 0, sampled = 0; have != LK_Q3329_N;) {
            const Bytes piece = next_piece();
            GuardedBytes bytes(piece);
            have = lk_q3329_rej_uniform_mac_vartime_c(h.out(), right.in(), have, bytes.in(), piece.size());
            sampled = ring.rej_uniform_vartime(f.out(), sampled, bytes.in(), piece.size());
            ASSERT_EQ(have & 0xFFFF, sampled);
            ASSERT_EQ(have >> 16, sampled % 2 ? static_cast<size_t>(f.out()->c[sampled - 1]) : 0);
        }
        Poly factor;
        std::memcpy(factor.data(), f.out()->c, sizeof(lk_poly));
        ASSERT_NO_FATAL_FAILURE(check(before, h.value(), factor, g));
    }

    Bytes values(size_t count, const std::function<unsigned()> &value)
    {
        Poly f;
        for (int16_t &c : f) c = static_cast<int16_t>(value());
        const Bytes bytes = encoded(f);
        return Bytes(bytes.begin(), bytes.begin() + static_cast<long>(3 * count));
    }

    const lk_q3329_kernels &ring = *lk_backend_list(0)->q3329;
    Random random{43};
};

TEST_F(Mac, DecodedFactorsAtTheBounds)
{
    const std::vector<Poly> right = extremes(-LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT, random);
    for (const Poly &f : extremes(0, LK_Q3329_DECODED_MAX, random))
        for (int i = 0; i < 8; i++) ASSERT_NO_FATAL_FAILURE(check_decoding(f, right[random.below(right.size())]));
}

TEST_F(Mac, DecodedFactors)
{
    for (int i = 0; i < 500; i++)
        ASSERT_NO_FATAL_FAILURE(check_decoding(random_poly(random, 0, i % 2 ? LK_Q3329 - 1 : LK_Q3329_DECODED_MAX),
                                               random_poly(random, -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT)));
}

TEST_F(Mac, SampledFactorsInPiecesOfEveryLength)
{
    for (int i = 0; i < 500; i++)
        ASSERT_NO_FATAL_FAILURE(check_sampling(random_poly(random, -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT), [&] {
            return random.bytes(i % 4 == 0 ? 168 : 3 * (1 + random.below(i % 3 ? 5 : 64)));
        }));
}

// Also the largest values, one by one, and with a rejected one between the two of a pair.
TEST_F(Mac, SampledFactorsAtTheBounds)
{
    for (const Poly &g : extremes(-LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT, random))
        for (const int between : {LK_Q3329 - 1, +LK_Q3329, +LK_Q3329_DECODED_MAX}) {
            unsigned i = 0;
            ASSERT_NO_FATAL_FAILURE(check_sampling(g, [&] {
                return values(1 + random.below(3),
                              [&] { return static_cast<unsigned>(++i % 3 ? LK_Q3329 - 1 : between); });
            }));
        }
}

TEST_F(Mac, NoiseIsAdded)
{
    for (int i = 0; i < 500; i++) {
        const Poly before = random_poly(random, -32766, 32765);
        const Bytes in = i == 0 ? Bytes(128, 0x33) : i == 1 ? Bytes(128, 0xCC) : random.bytes(128);
        GuardedPolys h(before);
        GuardedBytes bytes(in);
        lk_q3329_cbd_eta2_add_c(h.out(), bytes.in());
        ASSERT_EQ(h.value(), call(ring.add, before, call(ring.cbd_eta2, in)));
    }
}

// Bytes of a compressed polynomial take the place of its first coefficients.
TEST_F(Mac, CompressionInPlace)
{
    void (*const kernels[])(uint8_t *, const lk_poly *) = {ring.compress_d1, ring.compress_d4, ring.compress_d5,
                                                           ring.compress_d10, ring.compress_d11};
    const size_t sizes[] = {32, 128, 160, 320, 352};
    for (int i = 0; i < 200; i++)
        for (size_t kernel = 0; kernel < 5; kernel++) {
            const Poly f = random_poly(random, 0, LK_Q3329_CANONICAL_MAX);
            GuardedPolys memory(f);
            kernels[kernel](reinterpret_cast<uint8_t *>(memory.out()), memory.out());
            const Bytes expected = call(kernels[kernel], sizes[kernel], f);
            ASSERT_EQ(std::memcmp(memory.out(), expected.data(), sizes[kernel]), 0);
        }
}

// Noise comes of the bytes at the polynomial's end.
TEST_F(Mac, NoiseInPlace)
{
    void (*const kernels[])(lk_poly *, const uint8_t *) = {ring.cbd_eta2, ring.cbd_eta3};
    for (int i = 0; i < 200; i++)
        for (size_t kernel = 0; kernel < 2; kernel++) {
            const Bytes in = random.bytes(64 * (kernel + 2));
            GuardedPolys memory;
            uint8_t *end = reinterpret_cast<uint8_t *>(memory.out() + 1) - in.size();
            std::memcpy(end, in.data(), in.size());
            kernels[kernel](memory.out(), end);
            ASSERT_EQ(memory.value(), call(kernels[kernel], in));
        }
}

} // namespace
