// The kernels of Z_8192[X]/(X^256 + 1) against their definitions, at the bounds of the contract.
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "harness/model/crypto.h"
#include "ring.h"

namespace
{

constexpr size_t n = LK_NEGACYCLIC_N;
constexpr int q = 8192, p = 1024;
constexpr unsigned h1 = 4;

using Values = std::vector<unsigned>; // coefficient i at place i

class GuardedPoly : public Guarded<lk_negacyclic_poly>
{
  public:
    GuardedPoly() : Guarded(1, next_poly_offset())
    {
    }
};

class Negacyclic : public testing::TestWithParam<const lk_backend *>
{
  protected:
    // Values below 8192 in the backend's order. The upper three bits of a word never matter, so they are random.
    void set(GuardedPoly &f, const Values &values)
    {
        GuardedBytes bytes(fips203::byte_encode(13, values));
        ring.unpack_d13(f.out(), bytes.in());
        for (uint16_t &c : f.out()->c) c = static_cast<uint16_t>((c & (q - 1)) | random.below(8) << 13);
    }

    Values get(GuardedPoly &f)
    {
        GuardedBytes bytes(416);
        ring.pack_d13(bytes.out(), f.in());
        return fips203::byte_decode(13, bytes.value());
    }

    using Evaluate = void (*)(void *, const lk_negacyclic_poly *, void *);

    // Evaluates a vector of polynomials, one after the other.
    void evaluate(Guarded<uint8_t> &memory, Evaluate kernel, size_t bytes, const std::vector<Values> &vector)
    {
        for (size_t i = 0; i < vector.size(); i++) {
            GuardedPoly f;
            set(f, vector[i]);
            Guarded<uint8_t> scratch(ring.scratch_bytes, next_poly_offset());
            kernel(memory.out() + bytes * i, f.in(), scratch.out());
        }
    }

    Values inner_product(const std::vector<Values> &f, const std::vector<Values> &g)
    {
        Guarded<uint8_t> left(f.size() * ring.evaluated_bytes, next_poly_offset());
        Guarded<uint8_t> right(g.size() * ring.small_bytes, next_poly_offset());
        Guarded<uint8_t> scratch(ring.scratch_bytes, next_poly_offset());
        GuardedPoly h;
        evaluate(left, ring.evaluate, ring.evaluated_bytes, f);
        evaluate(right, ring.evaluate_small, ring.small_bytes, g);
        ring.inner_product(h.out(), left.in(), right.in(), f.size(), scratch.out());
        return get(h);
    }

    // The same by the kernel of the small build, added to h.
    Values add_products(const Values &h, const std::vector<Values> &f, const std::vector<Values> &g)
    {
        GuardedPoly sum;
        set(sum, h);
        for (size_t i = 0; i < f.size(); i++) {
            Guarded<uint8_t> right(ring.small_bytes, next_poly_offset());
            GuardedPoly left;
            set(left, f[i]);
            evaluate(right, ring.evaluate_small, ring.small_bytes, {g[i]});
            ring.add_product(sum.out(), left.in(), right.in());
        }
        return get(sum);
    }

    void check_product(const std::vector<Values> &f, const std::vector<Values> &g);

    Values random_values(unsigned bound)
    {
        Values f(n);
        for (unsigned &c : f) c = static_cast<unsigned>(random.below(bound));
        return f;
    }

    Values random_small()
    {
        Values f(n);
        for (unsigned &c : f) c = static_cast<unsigned>(random.between(-LK_NEGACYCLIC_SMALL, LK_NEGACYCLIC_SMALL)) % q;
        return f;
    }

    // Calls a kernel that makes bytes of a polynomial.
    Bytes bytes_of(size_t size, const Values &values,
                   const std::function<void(uint8_t *, const lk_negacyclic_poly *)> &kernel)
    {
        GuardedPoly f;
        GuardedBytes bytes(size);
        set(f, values);
        kernel(bytes.out(), f.in());
        return bytes.value();
    }

    const lk_negacyclic_kernels &ring = *GetParam()->negacyclic;
    Random random{20200731}; // any number
};

// The definition: the sum of products modulo X^256 + 1 and 8192.
Values schoolbook(const std::vector<Values> &f, const std::vector<Values> &g)
{
    std::vector<int64_t> sums(n, 0);
    for (size_t k = 0; k < f.size(); k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const int64_t product = int64_t{f[k][i]} * g[k][j];
                sums[(i + j) % n] += i + j < n ? product : -product;
            }
    Values h;
    for (int64_t sum : sums) h.push_back(static_cast<unsigned>((sum % q + q) % q));
    return h;
}

void Negacyclic::check_product(const std::vector<Values> &f, const std::vector<Values> &g)
{
    Values expected = schoolbook(f, g);
    ASSERT_EQ(inner_product(f, g), expected);
    if (!ring.add_product) return;
    const Values h = random_values(q);
    for (size_t i = 0; i < n; i++) expected[i] = (expected[i] + h[i]) % q;
    ASSERT_EQ(add_products(h, f, g), expected);
}

// For start = 0, 1 ... bound - 1: every value below bound at every place.
Values ramp(unsigned start, unsigned bound)
{
    Values f(n);
    for (unsigned i = 0; i < n; i++) f[i] = (start + 37 * i) % bound;
    return f;
}

Values constant(int value)
{
    return Values(n, static_cast<unsigned>(value) % q);
}

Values monomial(size_t exponent, int value)
{
    Values f(n, 0);
    f[exponent] = static_cast<unsigned>(value) % q;
    return f;
}

// ---- Multiplication ----

TEST_P(Negacyclic, EvaluatedPolynomialsFitPreparedKeys)
{
    EXPECT_LE(ring.evaluated_bytes, size_t{LK_NEGACYCLIC_EVALUATED_MAX});
    EXPECT_LE(ring.small_bytes, ring.evaluated_bytes);
    EXPECT_EQ(ring.evaluated_bytes % LK_ALIGN, 0u);
    EXPECT_EQ(ring.small_bytes % LK_ALIGN, 0u);
}

// By bilinearity these are all products; every seventh pair of exponents, on an emulated CPU every 49th.
TEST_P(Negacyclic, Monomials)
{
    const size_t step = 7 * stride();
    for (size_t i = 0; i < n; i++)
        for (size_t j = i % step; j < n; j += step) {
            const int c = static_cast<int>(random.below(q)), s = j % 2 ? 1 : -LK_NEGACYCLIC_SMALL;
            const int sign = i + j < n ? 1 : -1;
            ASSERT_EQ(inner_product({monomial(i, c)}, {monomial(j, s)}), monomial((i + j) % n, sign * c * s))
                << c << " X^" << i << " times " << s << " X^" << j;
        }
}

// All coefficients at an end, with signs that change in runs, so that sums reach their largest values.
TEST_P(Negacyclic, InnerProductAtTheBounds)
{
    std::vector<Values> left = {constant(q - 1), constant(q / 2), constant(q / 2 - 1), constant(0)}, right;
    for (const int bound : {+LK_NEGACYCLIC_SMALL, 4, 3, 1}) {
        right.push_back(constant(bound));
        right.push_back(constant(-bound));
        for (size_t run = 1; run < n; run *= 2) {
            Values f, g;
            for (size_t i = 0; i < n; i++) {
                f.push_back(i / run % 2 ? q / 2 : q / 2 - 1);
                g.push_back(static_cast<unsigned>(i / run % 2 ? bound : -bound) % q);
            }
            left.push_back(f);
            right.push_back(g);
        }
    }
    for (size_t l = 1; l <= LK_NEGACYCLIC_RANK_MAX; l++)
        for (const Values &f : left)
            for (const Values &g : {right[0], right[1], right[random.below(right.size())]})
                ASSERT_NO_FATAL_FAILURE(check_product(std::vector<Values>(l, f), std::vector<Values>(l, g)));
}

TEST_P(Negacyclic, InnerProductOfRandomValues)
{
    for (int i = 0; i < draws(400); i++) {
        std::vector<Values> f, g;
        for (int j = 0; j < i % LK_NEGACYCLIC_RANK_MAX + 1; j++) {
            f.push_back(random_values(i % 3 == 0 ? p : q));
            g.push_back(random_small());
        }
        ASSERT_NO_FATAL_FAILURE(check_product(f, g));
    }
}

// Coefficients at both ends with random signs: sums within transforms grow large wherever they can.
TEST_P(Negacyclic, InnerProductOfRandomExtremes)
{
    for (int i = 0; i < draws(400); i++) {
        std::vector<Values> f, g;
        for (size_t j = 0; j < LK_NEGACYCLIC_RANK_MAX; j++) {
            f.push_back(constant(0));
            g.push_back(constant(0));
            for (unsigned &c : f.back()) c = static_cast<unsigned>(random.between(q / 2 - 1, q / 2));
            for (unsigned &c : g.back()) c = random.below(2) ? LK_NEGACYCLIC_SMALL : q - LK_NEGACYCLIC_SMALL;
        }
        ASSERT_NO_FATAL_FAILURE(check_product(f, g));
    }
}

// Inputs for which values within the forward transforms for x86-64 grow as large as a climb can make them. The product with 1
// shows what became of f alone.
TEST_P(Negacyclic, InnerProductOfClimbedExtremes)
{
    const char *const climbed[] = {
#include "extremes/negacyclic.inc"
    };
    for (const std::string digits : climbed) {
        Values f;
        for (size_t i = 0; i < n; i++) {
            const int digit = std::stoi(digits.substr(i / 4, 1), nullptr, 16);
            f.push_back(digit >> i % 4 & 1 ? q / 2 - 1 : q / 2);
        }
        ASSERT_NO_FATAL_FAILURE(check_product({f}, {monomial(0, 1)}));
        ASSERT_NO_FATAL_FAILURE(
            check_product({f, f, f, f}, {random_small(), random_small(), random_small(), random_small()}));
    }
}

// An input for which values within the inverse transform for NEON grow as large as can be, while the product is close to its
// largest value: f follows the signs of g but for some coefficients.
TEST_P(Negacyclic, InnerProductWhereSumsGrow)
{
    const struct {
        const char *g[LK_NEGACYCLIC_RANK_MAX]; // digits: bit i % 4 of digit i / 4 is set for 5, else -5
        struct {
            size_t k, i;
            int value;
        } others[40];
    } input =
#include "extremes/negacyclic_lattice.inc"
        ;
    std::vector<Values> f(LK_NEGACYCLIC_RANK_MAX, constant(0)), g = f;
    for (size_t k = 0; k < f.size(); k++)
        for (size_t i = 0; i < n; i++) {
            const size_t place = (n + 4 - i) % n; // of g's coefficient that meets f_i in h_4
            const int digit = std::stoi(std::string(1, input.g[k][place / 4]), nullptr, 16);
            const bool positive = digit >> place % 4 & 1;
            g[k][place] = positive ? LK_NEGACYCLIC_SMALL : q - LK_NEGACYCLIC_SMALL;
            f[k][i] = positive == (i <= 4) ? q / 2 - 1 : q / 2;
        }
    for (const auto &other : input.others) f[other.k][other.i] = static_cast<unsigned>(other.value) % q;
    ASSERT_NO_FATAL_FAILURE(check_product(f, g));
}

// A hostile secret key may hold any residues: the result is not specified, but the same every time, and no byte is
// touched that should not be.
TEST_P(Negacyclic, SecretsOfAnySizeAreHarmless)
{
    for (size_t i = 0; i < 100; i++) {
        const std::vector<Values> f(LK_NEGACYCLIC_RANK_MAX, i % 2 ? random_values(q) : constant(q / 2));
        const std::vector<Values> g(LK_NEGACYCLIC_RANK_MAX, i % 4 / 2 ? random_values(q) : constant(q / 2));
        ASSERT_EQ(inner_product(f, g), inner_product(f, g));
    }
}

// b = (A^T s + h) >> 3 of Saber with both seeds zero: its first coefficients.
TEST_P(Negacyclic, KnownAnswer)
{
    Shake128 matrix_stream, secret_stream;
    matrix_stream.absorb(Bytes(32, 0));
    secret_stream.absorb(Bytes(32, 0));
    const Bytes matrix = matrix_stream.squeeze(9 * 416), noise = secret_stream.squeeze(3 * 256);
    std::vector<Values> column, secret;
    for (size_t j = 0; j < 3; j++) {
        column.push_back(fips203::byte_decode(13, slice(matrix, 416 * 3 * j, 416)));
        GuardedPoly s;
        GuardedBytes bytes(slice(noise, 256 * j, 256));
        ring.cbd_mu8(s.out(), bytes.in());
        secret.push_back(get(s));
    }
    EXPECT_EQ(Values(column[0].begin(), column[0].begin() + 8),
              (Values{1828, 7765, 7506, 5062, 6360, 2343, 6044, 7497}));
    const Bytes b = bytes_of(320, inner_product(column, secret), ring.round_d10);
    const Values values = fips203::byte_decode(10, b);
    EXPECT_EQ(Values(values.begin(), values.begin() + 8), (Values{236, 701, 129, 704, 402, 648, 239, 24}));
}

// ---- Coding ----

TEST_P(Negacyclic, PackAndUnpackD13)
{
    for (unsigned start = 0; start < q; start++) {
        GuardedPoly f;
        set(f, ramp(start, q));
        ASSERT_EQ(get(f), ramp(start, q));
    }
}

TEST_P(Negacyclic, UnpackD10)
{
    for (unsigned start = 0; start < p; start++) {
        GuardedPoly f;
        GuardedBytes bytes(fips203::byte_encode(10, ramp(start, p)));
        ring.unpack_d10(f.out(), bytes.in());
        ASSERT_EQ(get(f), ramp(start, p));
    }
}

TEST_P(Negacyclic, RoundD10)
{
    for (unsigned start = 0; start < q; start++) {
        Values expected;
        for (unsigned c : ramp(start, q)) expected.push_back((c + h1) % q >> 3);
        ASSERT_EQ(bytes_of(320, ramp(start, q), ring.round_d10), fips203::byte_encode(10, expected));
    }
}

// Kernels of one width d.
struct Width {
    unsigned d;
    void (*lk_negacyclic_kernels::*encrypt)(uint8_t *, const lk_negacyclic_poly *, const uint8_t *);
    void (*lk_negacyclic_kernels::*decrypt)(uint8_t *, const lk_negacyclic_poly *, const uint8_t *);
};

const Width widths[] = {
    {3, &lk_negacyclic_kernels::encrypt_d3, &lk_negacyclic_kernels::decrypt_d3},
    {4, &lk_negacyclic_kernels::encrypt_d4, &lk_negacyclic_kernels::decrypt_d4},
    {6, &lk_negacyclic_kernels::encrypt_d6, &lk_negacyclic_kernels::decrypt_d6},
};

// Every residue with both message bits, at many places.
TEST_P(Negacyclic, Encrypt)
{
    for (const Width &width : widths)
        for (unsigned start = 0; start < 2 * q; start += 7) {
            const Values v = ramp(start, q), m = fips203::byte_decode(1, Bytes(32, start < q ? 0x5a : 0xa5));
            Values expected;
            for (size_t t = 0; t < n; t++) expected.push_back((v[t] + 8 * p - 512 * m[t] + h1) % p >> (10 - width.d));
            GuardedBytes message(fips203::byte_encode(1, m));
            const Bytes c = bytes_of(32 * width.d, v, [&](uint8_t *out, const lk_negacyclic_poly *f) {
                (ring.*width.encrypt)(out, f, message.in());
            });
            ASSERT_EQ(c, fips203::byte_encode(width.d, expected)) << "d = " << width.d;
        }
}

// Every residue modulo 1024 with every value of d bits, moving through the places.
TEST_P(Negacyclic, Decrypt)
{
    for (const Width &width : widths) {
        const unsigned h2 = (1u << 8) - (1u << (9 - width.d)) + h1;
        for (unsigned start = 0; start < q; start += 11 * stride())
            for (unsigned shift = 0; shift < 1u << width.d; shift += width.d) {
                const Values v = ramp(start, q), c = ramp(start / p + shift, 1u << width.d);
                Values expected;
                for (size_t t = 0; t < n; t++) expected.push_back((v[t] + h2 + p - (c[t] << (10 - width.d))) % p >> 9);
                GuardedBytes in(fips203::byte_encode(width.d, c));
                const Bytes m = bytes_of(
                    32, v, [&](uint8_t *out, const lk_negacyclic_poly *f) { (ring.*width.decrypt)(out, f, in.in()); });
                ASSERT_EQ(m, fips203::byte_encode(1, expected)) << "d = " << width.d;
            }
    }
}

// gen_s for one polynomial.
Values centred_binomial_mu(const Bytes &in, unsigned mu)
{
    Values f;
    auto bit = [&](size_t t) { return in[t / 8] >> t % 8 & 1; };
    for (size_t t = 0; t < n; t++) {
        int value = 0;
        for (size_t k = 0; k < mu; k++) value += k < mu / 2 ? bit(mu * t + k) : -bit(mu * t + k);
        f.push_back(static_cast<unsigned>(value) % q);
    }
    return f;
}

TEST_P(Negacyclic, Cbd)
{
    const std::pair<unsigned, void (*)(lk_negacyclic_poly *, const uint8_t *)> kernels[] = {
        {6, ring.cbd_mu6}, {8, ring.cbd_mu8}, {10, ring.cbd_mu10}};
    for (const auto &[mu, kernel] : kernels) {
        const size_t size = 32 * mu;
        std::vector<Bytes> inputs = {Bytes(size, 0), Bytes(size, 0xff), Bytes(size, 0x55), Bytes(size, 0xaa)};
        for (size_t bit = 0; bit < 8 * size; bit += stride()) {
            Bytes one(size, 0);
            one[bit / 8] = static_cast<uint8_t>(1 << bit % 8);
            inputs.push_back(one);
            for (uint8_t &b : one) b = static_cast<uint8_t>(~b);
            inputs.push_back(one);
        }
        for (int i = 0; i < draws(1000); i++) inputs.push_back(random.bytes(size));
        for (const Bytes &in : inputs) {
            GuardedPoly f;
            GuardedBytes bytes(in);
            kernel(f.out(), bytes.in());
            ASSERT_EQ(get(f), centred_binomial_mu(in, mu)) << "mu = " << mu << ", " << to_hex(in);
        }
    }
}

LATKEM_FOR_EVERY_TABLE(Negacyclic, &lk_backend::negacyclic);

} // namespace
