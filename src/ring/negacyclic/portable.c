/* The portable kernels of Z_8192[X]/(X^256 + 1). Coefficient 4j + i of X is at place 64i + j, in the small build
 * coefficient i at place i.
 *
 * Multiplication is in 16-bit words; 13 bits of them come out right (toom.h): Toom-Cook with four limbs, then four
 * layers of Karatsuba, all of them striding: a layer splits by the exponent's lowest digit, f(X) = f0(X^k) + X f1(X^k)
 * + ..., so that every product is negacyclic again and no layer doubles its length (Becker et al., ePrint 2021/998).
 * This leaves 7 * 81 products of four coefficients each, independent of each other.
 *
 * Evaluation is linear, and so is interpolation: inner_product interpolates once, after the sum. The small build has
 * other multiplications (schoolbook.c).
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "base/families.h"
#include "ring/negacyclic/schoolbook.h"
#include "ring/toom.h"

enum {
    LIMB = LK_NEGACYCLIC_N / 4, /* coefficients of a limb */
    LANES = LK_TOOM_LANES,
    ROWS = 8 /* coefficients of an evaluated polynomial's pieces */
};

/* Row i holds coefficient i of all pieces. The fourth layer is left to the multiplication, which saves memory. */
typedef struct {
    uint16_t at[ROWS][LANES];
} evaluated;

/* Row j holds coefficient j of a polynomial's values at Toom-Cook's points. */
typedef struct {
    uint16_t at[LIMB][LK_TOOM_POINTS];
} toom_values;

/* Row i holds coefficient i of the products of even parts, of odd parts and of their sums. */
typedef struct {
    uint16_t at[ROWS / 2][3 * LANES];
} products;

/* Two buffers that the layers of interpolation use in turn. */
typedef struct {
    products sums;
    evaluated other;
} scratch_memory;

/* ---- Evaluation ---- */

static void evaluate(void *restrict e, const lk_negacyclic_poly *restrict f, void *restrict scratch)
{
    evaluated *rows = e;
    toom_values *values = scratch;
    lk_toom_evaluate(values->at, f->c, LIMB);
    for (size_t i = 0; i < ROWS; i++) lk_karatsuba_evaluate(rows->at[i], values->at[8 * i]);
}

/* ---- Multiplication ---- */

/* Adds the product modulo Z^4 + 1 of two pieces' parts. Unsigned words of 32 bits wrap where int would overflow. */
static inline void multiply_quad(uint16_t *sum, uint32_t f0, uint32_t f1, uint32_t f2, uint32_t f3, uint32_t g0,
                                 uint32_t g1, uint32_t g2, uint32_t g3)
{
    enum { ROW = 3 * LANES };
    sum[0 * ROW] = (uint16_t)(sum[0 * ROW] + f0 * g0 - f1 * g3 - f2 * g2 - f3 * g1);
    sum[1 * ROW] = (uint16_t)(sum[1 * ROW] + f0 * g1 + f1 * g0 - f2 * g3 - f3 * g2);
    sum[2 * ROW] = (uint16_t)(sum[2 * ROW] + f0 * g2 + f1 * g1 + f2 * g0 - f3 * g3);
    sum[3 * ROW] = (uint16_t)(sum[3 * ROW] + f0 * g3 + f1 * g2 + f2 * g1 + f3 * g0);
}

static void multiply_parts(uint16_t *restrict sums, const uint16_t *restrict f, const uint16_t *restrict g)
{
    enum { ROW = 2 * LANES };
    for (size_t p = 0; p < LANES; p++)
        multiply_quad(sums + p, f[p], f[ROW + p], f[2 * ROW + p], f[3 * ROW + p], g[p], g[ROW + p], g[2 * ROW + p],
                      g[3 * ROW + p]);
}

static void multiply_sums(uint16_t *restrict sums, const uint16_t *restrict f, const uint16_t *restrict g)
{
    enum { ROW = LANES };
    for (size_t p = 0; p < LANES; p++) {
        const uint16_t f0 = (uint16_t)(f[0 * ROW + p] + f[1 * ROW + p]),
                       f1 = (uint16_t)(f[2 * ROW + p] + f[3 * ROW + p]);
        const uint16_t f2 = (uint16_t)(f[4 * ROW + p] + f[5 * ROW + p]),
                       f3 = (uint16_t)(f[6 * ROW + p] + f[7 * ROW + p]);
        const uint16_t g0 = (uint16_t)(g[0 * ROW + p] + g[1 * ROW + p]),
                       g1 = (uint16_t)(g[2 * ROW + p] + g[3 * ROW + p]);
        const uint16_t g2 = (uint16_t)(g[4 * ROW + p] + g[5 * ROW + p]),
                       g3 = (uint16_t)(g[6 * ROW + p] + g[7 * ROW + p]);
        multiply_quad(sums + p, f0, f1, f2, f3, g0, g1, g2, g3);
    }
}

/* The fourth layer of Karatsuba: even and odd rows apart, then their sums. */
static void multiply_add(products *sums, const evaluated *f, const evaluated *g)
{
    multiply_parts(&sums->at[0][0], f->at[0], g->at[0]);
    multiply_parts(&sums->at[0][LANES], f->at[1], g->at[1]);
    multiply_sums(&sums->at[0][2 * LANES], f->at[0], g->at[0]);
}

/* ---- Interpolation ---- */

/* One layer of Karatsuba: rows of three blocks of lanes, the products of even parts, of odd parts and of sums, become
 * twice as many rows of one block. The product of the odd parts counts once more, one even row further, and comes back
 * with its sign changed behind the last. */
static inline void karatsuba_interpolate(uint16_t *restrict out, const uint16_t *restrict in, size_t rows, size_t lanes)
{
    const uint16_t *last = in + 3 * lanes * (rows - 1) + lanes;
    for (size_t p = 0; p < lanes; p++) {
        out[p] = (uint16_t)(in[p] - last[p]);
        out[lanes + p] = (uint16_t)(in[2 * lanes + p] - in[p] - in[lanes + p]);
    }
    for (size_t i = 1; i < rows; i++) {
        const uint16_t *before = in + lanes;
        in += 3 * lanes;
        out += 2 * lanes;
        for (size_t p = 0; p < lanes; p++) {
            out[p] = (uint16_t)(in[p] + before[p]);
            out[lanes + p] = (uint16_t)(in[2 * lanes + p] - in[p] - in[lanes + p]);
        }
    }
}

/* Limbs c4, c5 and c6 of the product go back to limbs 0, 1 and 2 of the result, one place further. */
static void carry(uint16_t *restrict limb, const uint16_t *restrict high)
{
    limb[0] = (uint16_t)(limb[0] - high[LIMB - 1]);
    for (size_t j = 1; j < LIMB; j++) limb[j] = (uint16_t)(limb[j] + high[j - 1]);
}

static void interpolate(uint16_t *restrict h, uint16_t *restrict a, uint16_t *restrict b)
{
    karatsuba_interpolate(b, a, 4, 27 * LK_TOOM_POINTS);
    karatsuba_interpolate(a, b, 8, 9 * LK_TOOM_POINTS);
    karatsuba_interpolate(b, a, 16, 3 * LK_TOOM_POINTS);
    karatsuba_interpolate(a, b, 32, LK_TOOM_POINTS);
    for (size_t j = 0; j < LIMB; j += 8) {
        uint16_t(*columns)[8] = (uint16_t(*)[8])b;
        lk_toom_transpose(columns, (const uint16_t(*)[LK_TOOM_POINTS])(a + LK_TOOM_POINTS * j));
        lk_toom_interpolate(h + j, b + 8 * LK_TOOM_POINTS + j, LIMB, (const uint16_t(*)[8])columns);
    }
    for (size_t i = 0; i < 3; i++) carry(h + LIMB * i, b + 8 * LK_TOOM_POINTS + LIMB * i);
}

static void inner_product(lk_negacyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t l,
                          void *restrict scratch)
{
    scratch_memory *s = scratch;
    const evaluated *left = f, *right = g;
    memset(&s->sums, 0, sizeof s->sums);
    for (size_t i = 0; i < l; i++) multiply_add(&s->sums, &left[i], &right[i]);
    interpolate(h->c, s->sums.at[0], s->other.at[0]);
}

/* ---- Packing, rounding and sampling ---- */

enum { N = LK_NEGACYCLIC_N, H1 = 4 };

/* The order of the coefficients: that of striding Toom-Cook with four limbs. */
static inline size_t place(size_t exponent)
{
    return LK_IS_SMALL ? exponent : N / 4 * (exponent % 4) + exponent / 4;
}

static inline void store24(uint8_t *out, uint32_t x)
{
    out[0] = (uint8_t)x;
    out[1] = (uint8_t)(x >> 8);
    out[2] = (uint8_t)(x >> 16);
}

static inline uint32_t load24(const uint8_t *in)
{
    return lk_load16_le(in) | (uint32_t)in[2] << 16;
}

/* Eight coefficients are 104 bits: the first four and 12 bits of the fifth fill a 64-bit word. */
static void pack_d13(uint8_t out[416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < N; i += 8, out += 13) {
        uint64_t t[8];
        for (size_t j = 0; j < 8; j++) t[j] = f->c[place(i + j)] & 8191;
        const uint64_t rest = t[4] >> 12 | t[5] << 1 | t[6] << 14 | t[7] << 27;
        lk_store64_le(out, t[0] | t[1] << 13 | t[2] << 26 | t[3] << 39 | t[4] << 52);
        lk_store32_le(out + 8, (uint32_t)rest);
        out[12] = (uint8_t)(rest >> 32);
    }
}

/* Two overlapping words hold four coefficients whole each. The bits above a coefficient's 13 are those of the next. */
static void unpack_d13(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < N; i += 8, in += 13) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 5);
        for (size_t j = 0; j < 4; j++) f->c[place(i + j)] = (uint16_t)(low >> (13 * j));
        for (size_t j = 0; j < 4; j++) f->c[place(i + 4 + j)] = (uint16_t)(high >> (12 + 13 * j));
    }
}

static void unpack_d10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < N; i += 8, in += 10) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 2);
        for (size_t j = 0; j < 4; j++) f->c[place(i + j)] = (uint16_t)(low >> (10 * j) & 1023);
        for (size_t j = 0; j < 4; j++) f->c[place(i + 4 + j)] = (uint16_t)(high >> (24 + 10 * j) & 1023);
    }
}

static void round_d10(uint8_t out[320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < N; i += 4, out += 5) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 4; j++) bits |= (uint64_t)((f->c[place(i + j)] + H1) >> 3 & 1023) << (10 * j);
        lk_store32_le(out, (uint32_t)bits);
        out[4] = (uint8_t)(bits >> 32);
    }
}

/* Eight coefficients of encrypt_d, d bits each. */
static inline uint64_t encrypt_eight(const lk_negacyclic_poly *v, const uint8_t m[32], size_t i, unsigned d)
{
    uint64_t bits = 0;
    for (size_t j = 0; j < 8; j++) {
        const uint32_t message = (uint32_t)m[i / 8] >> j << 9;
        bits |= (uint64_t)((v->c[place(i + j)] - message + H1) >> (10 - d) & ((1u << d) - 1)) << (d * j);
    }
    return bits;
}

static void encrypt_d3(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    for (size_t i = 0; i < N; i += 8) store24(out + 3 * i / 8, (uint32_t)encrypt_eight(v, m, i, 3));
}

static void encrypt_d4(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    for (size_t i = 0; i < N; i += 8) lk_store32_le(out + 4 * i / 8, (uint32_t)encrypt_eight(v, m, i, 4));
}

static void encrypt_d6(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    for (size_t i = 0; i < N; i += 8) {
        const uint64_t bits = encrypt_eight(v, m, i, 6);
        store24(out + 6 * i / 8, (uint32_t)bits);
        store24(out + 6 * i / 8 + 3, (uint32_t)(bits >> 24));
    }
}

/* Eight message bits from eight values of d bits each. */
static inline uint8_t decrypt_eight(const lk_negacyclic_poly *v, uint64_t bits, size_t i, unsigned d)
{
    const uint32_t h2 = 256 - (512u >> d) + H1;
    uint32_t message = 0;
    for (size_t j = 0; j < 8; j++) {
        const uint32_t c = (uint32_t)(bits >> (d * j)) & ((1u << d) - 1);
        message |= ((v->c[place(i + j)] + h2 - (c << (10 - d))) >> 9 & 1) << j;
    }
    return (uint8_t)message;
}

static void decrypt_d3(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    for (size_t i = 0; i < N; i += 8) m[i / 8] = decrypt_eight(v, load24(in + 3 * i / 8), i, 3);
}

static void decrypt_d4(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    for (size_t i = 0; i < N; i += 8) m[i / 8] = decrypt_eight(v, lk_load32_le(in + 4 * i / 8), i, 4);
}

static void decrypt_d6(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
{
    for (size_t i = 0; i < N; i += 8) {
        const uint8_t *at = in + 6 * i / 8;
        m[i / 8] = decrypt_eight(v, load24(at) | (uint64_t)load24(at + 3) << 24, i, 6);
    }
}

/* Four coefficients from the sums in the halves of four groups of mu bits: the lower less the upper, all at once, kept
 * from borrowing by an offset. */
static inline void store_differences(lk_negacyclic_poly *f, size_t i, uint64_t sums, unsigned mu)
{
    const uint64_t ones = 1 | (uint64_t)1 << mu | (uint64_t)1 << (2 * mu) | (uint64_t)1 << (3 * mu);
    const uint64_t lower_halves = ones * ((1u << (mu / 2)) - 1), offset = mu / 2;
    const uint64_t differences = (sums & lower_halves) + ones * offset - (sums >> (mu / 2) & lower_halves);
    for (size_t j = 0; j < 4; j++)
        f->c[place(i + j)] = (uint16_t)((differences >> (mu * j) & ((1u << mu) - 1)) - offset);
}

static void cbd_mu6(lk_negacyclic_poly *f, const uint8_t in[192])
{
    for (size_t i = 0; i < N; i += 4, in += 3) {
        const uint32_t bits = load24(in);
        store_differences(f, i, (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249), 6);
    }
}

static void cbd_mu8(lk_negacyclic_poly *f, const uint8_t in[256])
{
    for (size_t i = 0; i < N; i += 4) {
        const uint32_t bits = lk_load32_le(in + i);
        const uint32_t pairs = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        store_differences(f, i, (pairs & 0x33333333) + (pairs >> 2 & 0x33333333), 8);
    }
}

static void cbd_mu10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    const uint64_t ones = 0x0842108421; /* bits 0, 5, 10 ... 35 */
    for (size_t i = 0; i < N; i += 4, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        uint64_t sums = 0;
        for (size_t k = 0; k < 5; k++) sums += bits >> k & ones;
        store_differences(f, i, sums, 10);
    }
}

const lk_negacyclic_kernels lk_negacyclic_portable = {
    .evaluated_bytes = LK_IS_SMALL ? LK_NEGACYCLIC_PLAIN_BYTES : sizeof(evaluated),
    .scratch_bytes = LK_IS_SMALL ? 0 : sizeof(scratch_memory),
    .small_bytes = LK_IS_SMALL ? LK_NEGACYCLIC_PLAIN_SMALL_BYTES : sizeof(evaluated),
    .evaluate = LK_IS_SMALL ? lk_negacyclic_evaluate_plain : evaluate,
    .evaluate_small = LK_IS_SMALL ? lk_negacyclic_evaluate_small_plain : evaluate,
    .inner_product = LK_IS_SMALL ? lk_negacyclic_inner_product_plain : inner_product,
    .add_product = LK_IF(LK_IS_SMALL, lk_negacyclic_add_product),
    .pack_d13 = pack_d13,
    .unpack_d13 = unpack_d13,
    .unpack_d10 = unpack_d10,
    .round_d10 = round_d10,
    .encrypt_d3 = encrypt_d3,
    .encrypt_d4 = encrypt_d4,
    .encrypt_d6 = encrypt_d6,
    .decrypt_d3 = decrypt_d3,
    .decrypt_d4 = decrypt_d4,
    .decrypt_d6 = decrypt_d6,
    .cbd_mu6 = cbd_mu6,
    .cbd_mu8 = cbd_mu8,
    .cbd_mu10 = cbd_mu10,
};
