/* The kernels of Z_3329[X]/(X^256 + 1) for NEON (FIPS 203 sections 4.2 and 4.3), but rejection sampling. The three that
 * take most time are assembly. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>
#include <string.h>

#include "arch/aarch64/neon/q3329.h"
#include "arch/aarch64/neon/q3329_constants.h"
#include "arch/aarch64/neon/q3329_factors.h"
#include "arch/aarch64/tables.h"
#include "base/families.h"

enum { LANES = 8, REGISTERS = N / LANES, GROUP_SIZE = 64 };

static inline int16x8_t load(const lk_poly *f, size_t i)
{
    return vld1q_s16(&f->c[LANES * i]);
}

static inline void store(lk_poly *f, size_t i, int16x8_t v)
{
    vst1q_s16(&f->c[LANES * i], v);
}

static inline uint16x8_t words(uint8x16_t bytes)
{
    return vreinterpretq_u16_u8(bytes);
}

static inline uint8x16_t bytes(uint16x8_t words)
{
    return vreinterpretq_u8_u16(words);
}

/* ---- NTT values: to and from the backend's order ---- */

/* From the standard's order: a register of first and one of second values for each of four blocks, then transposed. */
static void ntt_order(lk_poly *f)
{
    for (int16_t *c = f->c; c < f->c + N; c += GROUP_SIZE) {
        const int16x8x2_t a = vld2q_s16(c), b = vld2q_s16(c + 16), d = vld2q_s16(c + 32), e = vld2q_s16(c + 48);
        const int16x8x4_t first = {{a.val[0], b.val[0], d.val[0], e.val[0]}};
        const int16x8x4_t second = {{a.val[1], b.val[1], d.val[1], e.val[1]}};
        vst4q_s16(c, first);
        vst4q_s16(c + 32, second);
    }
}

/* The 16 pairs of two blocks as 48 bytes. */
static inline void encode_blocks(uint8_t *out, const uint16x8_t first[2], const uint16x8_t second[2])
{
    const uint8x16_t low = bytes(vsliq_n_u16(first[0], second[0], 12)),
                     high = bytes(vsliq_n_u16(first[1], second[1], 12));
    uint8x16x3_t triple;
    triple.val[0] = vuzp1q_u8(low, high);
    triple.val[1] = vuzp2q_u8(low, high);
    triple.val[2] = vshrn_high_n_u16(vshrn_n_u16(second[0], 4), second[1], 4);
    vst3q_u8(out, triple);
}

static void encode_d12(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < N; i += GROUP_SIZE) {
        const uint16x8x4_t first = vld4q_u16((const uint16_t *)&f->c[i]);
        const uint16x8x4_t second = vld4q_u16((const uint16_t *)&f->c[i + 32]);
        encode_blocks(out + 3 * i / 2, &first.val[0], &second.val[0]);
        encode_blocks(out + 3 * i / 2 + 48, &first.val[2], &second.val[2]);
    }
}

/* The inverse of encode_blocks. */
static inline void decode_blocks(uint16x8_t first[2], uint16x8_t second[2], const uint8_t *in)
{
    const uint8x16x3_t triple = vld3q_u8(in);
    for (int i = 0; i < 2; i++) {
        const uint8x16_t low = i ? vzip2q_u8(triple.val[0], triple.val[1]) : vzip1q_u8(triple.val[0], triple.val[1]);
        const uint8x16_t high = i ? vzip2q_u8(triple.val[1], triple.val[2]) : vzip1q_u8(triple.val[1], triple.val[2]);
        first[i] = vbicq_u16(words(low), vdupq_n_u16(0xF000));
        second[i] = vshrq_n_u16(words(high), 4);
    }
}

static uint32_t decode_d12(lk_poly *f, const uint8_t in[384])
{
    uint16x8_t most = vdupq_n_u16(0);
    for (size_t i = 0; i < N; i += GROUP_SIZE) {
        uint16x8x4_t first, second;
        decode_blocks(&first.val[0], &second.val[0], in + 3 * i / 2);
        decode_blocks(&first.val[2], &second.val[2], in + 3 * i / 2 + 48);
        for (int j = 0; j < 4; j++) most = vmaxq_u16(most, vmaxq_u16(first.val[j], second.val[j]));
        vst4q_u16((uint16_t *)&f->c[i], first);
        vst4q_u16((uint16_t *)&f->c[i + 32], second);
    }
    return vmaxvq_u16(vcgeq_u16(most, vdupq_n_u16(Q)));
}

/* ---- Compression ---- */

/* Compress_d(x) before its reduction modulo 2^d for canonical x and d <= 5: x 2^11 / q rounded down is exact enough
 * (tests/unit tries every x). */
#define COMPRESS_FEW(x, d) vrshrq_n_u16(vreinterpretq_u16_s16(vqdmulhq_n_s16(x, 20159)), 11 - (d))

/* The same for d = 10 and 11, with 2^(15 + d) / q rounded up as reciprocal. The quotient is at most one too large; then
 * the remainder of x 2^d + (q - 1) / 2 is negative, and 16 bits are enough to see that. */
static inline uint16x8_t compress_many(int16x8_t x, int d, int16_t reciprocal)
{
    const int16x8_t y = vqrdmulhq_n_s16(x, reciprocal);
    const int16x8_t dividend = vaddq_s16(vshlq_s16(x, vdupq_n_s16((int16_t)d)), vdupq_n_s16((Q - 1) / 2));
    return vreinterpretq_u16_s16(vsraq_n_s16(y, vmlsq_n_s16(dividend, y, Q), 15));
}

/* The d low bits of each four words in the 4 d low bits of 64; the bits above the fourth word's d bits stay there. */
static inline uint64x2_t pack_fours(uint16x8_t y, int d)
{
    const int16_t s16 = (int16_t)(16 - d);
    const int32_t s32 = 32 - 2 * d;
    const int16x8_t up16 = {s16, 0, s16, 0, s16, 0, s16, 0};
    const int32x4_t up32 = {s32, 0, s32, 0};
    const uint32x4_t pairs = vshlq_u32(vreinterpretq_u32_u16(vshlq_u16(y, up16)), vdupq_n_s32(-s16));
    return vshlq_u64(vreinterpretq_u64_u32(vshlq_u32(pairs, up32)), vdupq_n_s64(-s32));
}

/* |2x - q| < q / 2 where 833 <= x < 2497. Bits of eight coefficients are added up to a byte. */
static void compress_d1(uint8_t out[32], const lk_poly *f)
{
    const uint16x8_t bit = {1, 2, 4, 8, 16, 32, 64, 128};
    for (size_t i = 0; i < REGISTERS; i += 8) {
        uint16x8_t v[8];
        for (size_t j = 0; j < 8; j++) {
            const uint16x8_t x = vreinterpretq_u16_s16(load(f, i + j));
            v[j] = vandq_u16(vcltq_u16(vsubq_u16(x, vdupq_n_u16(833)), vdupq_n_u16(2497 - 833)), bit);
        }
        for (size_t n = 4; n > 0; n /= 2)
            for (size_t j = 0; j < n; j++) v[j] = vpaddq_u16(v[2 * j], v[2 * j + 1]);
        vst1_u8(out + i, vmovn_u16(v[0]));
    }
}

/* Even coefficients in one register, odd ones in another; what overflows four bits is shifted out. */
static void compress_d4(uint8_t out[128], const lk_poly *f)
{
    for (size_t i = 0; i < N; i += 32, out += 16) {
        const int16x8x2_t a = vld2q_s16(&f->c[i]), b = vld2q_s16(&f->c[i + 16]);
        const uint16x8_t low = vsliq_n_u16(COMPRESS_FEW(a.val[0], 4), COMPRESS_FEW(a.val[1], 4), 4);
        const uint16x8_t high = vsliq_n_u16(COMPRESS_FEW(b.val[0], 4), COMPRESS_FEW(b.val[1], 4), 4);
        vst1q_u8(out, vuzp1q_u8(bytes(low), bytes(high)));
    }
}

/* Two registers become ten bytes. More are written, which the next ten replace, except at the end. */
static inline uint8x16_t compress_ten_bytes(const lk_poly *f, size_t i)
{
    const uint8x16_t five = {0, 1, 2, 3, 4, 8, 9, 10, 11, 12};
    const uint64x2_t a = pack_fours(COMPRESS_FEW(load(f, i), 5), 5), b = pack_fours(COMPRESS_FEW(load(f, i + 1), 5), 5);
    return vqtbl1q_u8(vreinterpretq_u8_u64(vsliq_n_u64(vtrn1q_u64(a, b), vtrn2q_u64(a, b), 20)), five);
}

static void compress_d5(uint8_t out[160], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS - 2; i += 2) vst1q_u8(out + 5 * i, compress_ten_bytes(f, i));
    const uint8x16_t end = compress_ten_bytes(f, REGISTERS - 2);
    vst1_u8(out + 150, vget_low_u8(end));
    vst1q_lane_u16((uint16_t *)(out + 158), words(end), 4);
}

/* 32 coefficients, every fourth in the same register, become the first two, the next two and the last of five bytes. */
static void compress_d10(uint8_t out[320], const lk_poly *f)
{
    static const uint8_t places[48] = {0,  1,  2,  3,  32, 4,  5,  6,  7,  34, 8,  9,  10, 11, 36, 12,
                                       13, 14, 15, 38, 16, 17, 18, 19, 40, 20, 21, 22, 23, 42, 24, 25,
                                       26, 27, 44, 28, 29, 30, 31, 46, 0,  0,  0,  0,  0,  0,  0,  0};
    const uint8x16_t first = vld1q_u8(places), second = vld1q_u8(places + 16);
    const uint8x8_t third = vld1_u8(places + 32);
    for (size_t i = 0; i < N; i += 32, out += 40) {
        const int16x8x4_t x = vld4q_s16(&f->c[i]);
        uint16x8_t y[4];
        for (int j = 0; j < 4; j++) y[j] = compress_many(x.val[j], 10, 10080);
        const uint16x8_t low = vsliq_n_u16(y[0], y[1], 10);
        const uint16x8_t high = vsliq_n_u16(vsliq_n_u16(vshrq_n_u16(y[1], 6), y[2], 4), y[3], 14);
        const uint8x16x3_t b = {
            {bytes(vzip1q_u16(low, high)), bytes(vzip2q_u16(low, high)), bytes(vshrq_n_u16(y[3], 2))}};
        vst1q_u8(out, vqtbl3q_u8(b, first));
        vst1q_u8(out + 16, vqtbl3q_u8(b, second));
        vst1_u8(out + 32, vqtbl3_u8(b, third));
    }
}

/* Two registers become eleven bytes each: 44 and 44 bits; 20 of the second end a 64-bit word. */
static inline uint64x2x2_t compress_eleven_bytes(const lk_poly *f, size_t i)
{
    const uint64x2_t a = pack_fours(compress_many(load(f, i), 11, 20159), 11);
    const uint64x2_t b = pack_fours(compress_many(load(f, i + 1), 11, 20159), 11);
    const uint64x2_t left = vtrn2q_u64(a, b), words64 = vsliq_n_u64(vtrn1q_u64(a, b), left, 44);
    const uint64x2_t rest = vshrq_n_u64(left, 20);
    const uint64x2x2_t eleven = {{vtrn1q_u64(words64, rest), vtrn2q_u64(words64, rest)}};
    return eleven;
}

static void compress_d11(uint8_t out[352], const lk_poly *f)
{
    for (size_t i = 0; i < REGISTERS - 2; i += 2, out += 22) {
        const uint64x2x2_t eleven = compress_eleven_bytes(f, i);
        vst1q_u8(out, vreinterpretq_u8_u64(eleven.val[0]));
        vst1q_u8(out + 11, vreinterpretq_u8_u64(eleven.val[1]));
    }
    const uint64x2x2_t eleven = compress_eleven_bytes(f, REGISTERS - 2);
    const uint8x16_t end = vreinterpretq_u8_u64(eleven.val[1]);
    vst1q_u8(out, vreinterpretq_u8_u64(eleven.val[0]));
    vst1_u8(out + 11, vget_low_u8(end));
    vst1q_lane_u16((uint16_t *)(out + 19), words(end), 4);
    vst1q_lane_u8(out + 21, end, 10);
}

/* ---- Decompression ---- */

/* Decompress_d(y) = round(q y / 2^d) is a rounding product of q and y 2^(15 - d). */
static inline int16x8_t decompress(uint16x8_t y)
{
    return vqrdmulhq_n_s16(vreinterpretq_s16_u16(y), Q);
}

/* Each word looks at its own bit of a byte. */
static void decompress_d1(lk_poly *f, const uint8_t in[32])
{
    const uint16x8_t bit = {1, 2, 4, 8, 16, 32, 64, 128}, half_q = vdupq_n_u16((Q + 1) / 2);
#pragma GCC unroll 4
    for (size_t i = 0; i < REGISTERS; i++) {
        const uint16x8_t is_set = vtstq_u16(words(vld1q_dup_u8(in + i)), bit);
        store(f, i, vreinterpretq_s16_u16(vandq_u16(is_set, half_q)));
    }
}

/* Of each byte both halves, in the upper half of a byte each, then widened to y 2^11. */
static void decompress_d4(lk_poly *f, const uint8_t in[128])
{
    for (size_t i = 0; i < REGISTERS; i += 4, in += 16) {
        const uint8x16_t b = vld1q_u8(in), low = vshlq_n_u8(b, 4), high = vandq_u8(b, vdupq_n_u8(0xF0));
        const uint8x16_t y[2] = {vzip1q_u8(low, high), vzip2q_u8(low, high)};
        for (size_t j = 0; j < 2; j++) {
            store(f, i + 2 * j, decompress(vshll_n_u8(vget_low_u8(y[j]), 7)));
            store(f, i + 2 * j + 1, decompress(vshll_high_n_u8(y[j], 7)));
        }
    }
}

/* Of eight coefficients in d bytes: the pair of bytes that each begins in, and the shift that makes it y 2^(15 - d)
 * under the mask. */
#define PLACE(d, j) ((d) * (j) / 8), ((d) * (j) / 8 + 1)
#define PLACES(d)                                                                                                      \
    {                                                                                                                  \
        PLACE(d, 0), PLACE(d, 1), PLACE(d, 2), PLACE(d, 3), PLACE(d, 4), PLACE(d, 5), PLACE(d, 6), PLACE(d, 7)         \
    }
#define SHIFT(d, j) (15 - (d) - (d) * (j) % 8)
#define SHIFTS(d)                                                                                                      \
    {                                                                                                                  \
        SHIFT(d, 0), SHIFT(d, 1), SHIFT(d, 2), SHIFT(d, 3), SHIFT(d, 4), SHIFT(d, 5), SHIFT(d, 6), SHIFT(d, 7)         \
    }
#define MASK(d) vdupq_n_u16((1 << 15) - (1 << (15 - (d))))

static inline uint16x8_t pick(uint8x16_t b, uint8x16_t places, int16x8_t shifts)
{
    return vshlq_u16(words(vqtbl1q_u8(b, places)), shifts);
}

static inline uint8x16_t moved(uint8x16_t places, uint8_t by)
{
    return vaddq_u8(places, vdupq_n_u8(by));
}

/* Each of the next three takes eight coefficients from the byte at in + skip on; 16 bytes are read, for d = 5
 * eight. The last eight are taken with the bytes before them, so that nothing beyond the end is read. */
static inline int16x8_t decompress_eight_d5(const uint8_t *in, uint8_t skip)
{
    const uint8x16_t places = PLACES(5);
    const int16x8_t shifts = SHIFTS(5);
    const uint8x16_t b = vcombine_u8(vld1_u8(in), vcreate_u8(0));
    return decompress(vandq_u16(pick(b, moved(places, skip), shifts), MASK(5)));
}

static inline int16x8_t decompress_eight_d10(const uint8_t *in, uint8_t skip)
{
    const uint8x16_t places = PLACES(10);
    const int16x8_t shifts = SHIFTS(10);
    return decompress(vandq_u16(pick(vld1q_u8(in), moved(places, skip), shifts), MASK(10)));
}

/* Eleven bits may touch three bytes: the second and third of them follow eight bits further up. */
static inline int16x8_t decompress_eight_d11(const uint8_t *in, uint8_t skip)
{
    const uint8x16_t places = PLACES(11);
    const int16x8_t shifts = SHIFTS(11);
    const uint8x16_t b = vld1q_u8(in);
    const uint16x8_t low = pick(b, moved(places, skip), shifts);
    const uint16x8_t high = pick(b, moved(places, skip + 1), vaddq_s16(shifts, vdupq_n_s16(8)));
    return decompress(vandq_u16(vorrq_u16(low, high), MASK(11)));
}

#define DECOMPRESS(d)                                                                                                  \
    static void decompress_d##d(lk_poly *f, const uint8_t in[32 * d])                                                  \
    {                                                                                                                  \
        const size_t last = REGISTERS - 1, width = d == 5 ? 8 : 16;                                                    \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < last; i++) store(f, i, decompress_eight_d##d(in + d * i, 0));   \
        store(f, last, decompress_eight_d##d(in + 32 * d - width, (uint8_t)(width - d)));                              \
    }

DECOMPRESS(5)
DECOMPRESS(10)
DECOMPRESS(11)

/* ---- Sampling ---- */

/* The four bits of a coefficient look it up: the bits set in the lower half less those in the upper half. */
static void cbd_eta2(lk_poly *f, const uint8_t in[128])
{
    const int8x16_t differences = {0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0};
    for (size_t i = 0; i < REGISTERS; i += 4, in += 16) {
        const uint8x16_t b = vld1q_u8(in);
        const int8x16_t even = vqtbl1q_s8(differences, vandq_u8(b, vdupq_n_u8(15)));
        const int8x16_t odd = vqtbl1q_s8(differences, vshrq_n_u8(b, 4));
        const int8x16_t low = vzip1q_s8(even, odd), high = vzip2q_s8(even, odd);
        store(f, i, vmovl_s8(vget_low_s8(low)));
        store(f, i + 1, vmovl_high_s8(low));
        store(f, i + 2, vmovl_s8(vget_low_s8(high)));
        store(f, i + 3, vmovl_high_s8(high));
    }
}

/* 48 bytes are 64 coefficients; of the six bits of each those of the upper three count negative. */
static inline int8x16_t difference_of_sums(uint8x16_t six_bits)
{
    const uint8x16_t low = vcntq_u8(vandq_u8(six_bits, vdupq_n_u8(7))), high = vcntq_u8(vshrq_n_u8(six_bits, 3));
    return vreinterpretq_s8_u8(vsubq_u8(low, high));
}

static void cbd_eta3(lk_poly *f, const uint8_t in[192])
{
    const uint8x16_t mask = vdupq_n_u8(63);
    for (size_t i = 0; i < N; i += GROUP_SIZE, in += 48) {
        const uint8x16x3_t b = vld3q_u8(in);
        const uint8x16_t second = vsliq_n_u8(vshrq_n_u8(b.val[0], 6), b.val[1], 2);
        const uint8x16_t third = vsliq_n_u8(vshrq_n_u8(b.val[1], 4), b.val[2], 4);
        const int8x16_t v[4] = {difference_of_sums(vandq_u8(b.val[0], mask)),
                                difference_of_sums(vandq_u8(second, mask)), difference_of_sums(vandq_u8(third, mask)),
                                difference_of_sums(vshrq_n_u8(b.val[2], 2))};
        int16x8x4_t low, high;
        for (int j = 0; j < 4; j++) {
            low.val[j] = vmovl_s8(vget_low_s8(v[j]));
            high.val[j] = vmovl_high_s8(v[j]);
        }
        vst4q_s16(&f->c[i], low);
        vst4q_s16(&f->c[i + 32], high);
    }
}

/* ---- NTT, base multiplication and reductions ---- */

/* q3329_ntt.S: |f| < 6q for |f| <= q. */
void lk_q3329_ntt_asm(int16_t f[256], const lk_q3329_factors *factors);

/* q3329_invntt.S: |f| < 6q for any f. */
void lk_q3329_invntt_asm(int16_t f[256], const lk_q3329_factors *factors);

/* q3329_inner_product.S, for each k; |h| < 3q. */
void lk_q3329_inner_product_k1_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k2_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k3_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);
void lk_q3329_inner_product_k4_asm(int16_t h[256], const lk_poly *f, const lk_poly *g, const lk_mulcache *cache);

/* a w modulo q: see QUOTIENT. */
static inline int16x8_t multiply(int16x8_t a, int16x8_t w, int16x8_t w_quotient)
{
    return vmlsq_n_s16(vmulq_s16(a, w), vqrdmulhq_s16(a, w_quotient), Q);
}

/* a modulo q, |result| < 2q / 3 for any a: a product with 1; its quotient is off by 0.16 2^15. */
static inline int16x8_t centred(int16x8_t a)
{
    return vmlsq_n_s16(a, vqrdmulhq_n_s16(a, QUOTIENT(1)), Q);
}

static void ntt(lk_poly *f)
{
    lk_q3329_ntt_asm(f->c, &lk_q3329_forward_neon);
}

static void invntt_tomont(lk_poly *f)
{
    lk_q3329_invntt_asm(f->c, &lk_q3329_inverse_neon);
}

/* gamma_i of algorithm 12 is zeta for even i and -zeta for odd i; the sign is left to the inner product. The cache is
 * in the order of the second values in g. */
static void mulcache(lk_mulcache *cache, const lk_poly *g)
{
    for (size_t group = 0; group < 4; group++) {
        for (size_t i = 0; i < 4; i++) {
            const lk_q3329_lanes *zeta = &lk_q3329_forward_neon.within[group].pairs[i];
            const int16x8_t product = multiply(load(g, 8 * group + 4 + i), vld1q_s16(zeta->w),
                                               vld1q_s16(zeta->w_quotient));
            vst1q_s16(&cache->c[LANES * (4 * group + i)], product);
        }
    }
}

static void inner_product(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    switch (k) {
    case 1: lk_q3329_inner_product_k1_asm(h->c, f, g, cache); break;
    case 2: lk_q3329_inner_product_k2_asm(h->c, f, g, cache); break;
    case 3: lk_q3329_inner_product_k3_asm(h->c, f, g, cache); break;
    default: lk_q3329_inner_product_k4_asm(h->c, f, g, cache); break;
    }
}

/* Four registers at a time, which hides latencies on CPUs that cannot look far ahead. Only a sum is loaded and stored
 * as a whole: results of destructive instructions would have to be moved into place for that. */
static void tomont(lk_poly *f)
{
    const int16x8_t w = vdupq_n_s16(R_MOD_Q), quotient = vdupq_n_s16(QUOTIENT(R_MOD_Q));
    for (int16_t *c = f->c; c < f->c + N; c += 4 * LANES) {
        int16x8_t v[4];
        for (size_t i = 0; i < 4; i++) v[i] = vld1q_s16(c + LANES * i);
        for (size_t i = 0; i < 4; i++) vst1q_s16(c + LANES * i, multiply(v[i], w, quotient));
    }
}

static void add(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i += 4 * LANES) {
        int16x8x4_t v = vld1q_s16_x4(&f->c[i]);
        const int16x8x4_t w = vld1q_s16_x4(&g->c[i]);
        for (size_t j = 0; j < 4; j++) v.val[j] = vaddq_s16(v.val[j], w.val[j]);
        vst1q_s16_x4(&f->c[i], v);
    }
}

static void sub_from(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i += 4 * LANES) {
        int16x8x4_t v = vld1q_s16_x4(&f->c[i]);
        const int16x8x4_t w = vld1q_s16_x4(&g->c[i]);
        for (size_t j = 0; j < 4; j++) v.val[j] = vsubq_s16(w.val[j], v.val[j]);
        vst1q_s16_x4(&f->c[i], v);
    }
}

/* Of r and r + q the canonical one is the smaller as an unsigned number. */
static void reduce(lk_poly *f)
{
    for (int16_t *c = f->c; c < f->c + N; c += 4 * LANES) {
        int16x8_t v[4];
        for (size_t i = 0; i < 4; i++) v[i] = vld1q_s16(c + LANES * i);
        for (size_t i = 0; i < 4; i++) {
            const uint16x8_t r = vreinterpretq_u16_s16(centred(v[i]));
            vst1q_u16((uint16_t *)c + LANES * i, vminq_u16(r, vaddq_u16(r, vdupq_n_u16(Q))));
        }
    }
}

const lk_q3329_kernels lk_q3329_neon = {
    .ntt = ntt,
    .invntt_tomont = invntt_tomont,
    .mulcache = mulcache,
    .inner_product = inner_product,
    .tomont = tomont,
    .add = add,
    .sub_from = sub_from,
    .reduce = reduce,
    .encode_d12 = encode_d12,
    .decode_d12 = decode_d12,
    .compress_d1 = compress_d1,
    .compress_d4 = LK_USED(LK_HAS_D10_D4, compress_d4),
    .compress_d5 = LK_USED(LK_HAS_D11_D5, compress_d5),
    .compress_d10 = LK_USED(LK_HAS_D10_D4, compress_d10),
    .compress_d11 = LK_USED(LK_HAS_D11_D5, compress_d11),
    .decompress_d1 = decompress_d1,
    .decompress_d4 = LK_USED(LK_HAS_D10_D4, decompress_d4),
    .decompress_d5 = LK_USED(LK_HAS_D11_D5, decompress_d5),
    .decompress_d10 = LK_USED(LK_HAS_D10_D4, decompress_d10),
    .decompress_d11 = LK_USED(LK_HAS_D11_D5, decompress_d11),
    .cbd_eta2 = cbd_eta2,
    .cbd_eta3 = LK_USED(LK_HAS_ETA3, cbd_eta3),
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_neon,
    .rej_uniform_lanes_vartime = lk_q3329_rej_uniform_lanes_vartime_neon,
    .ntt_order = ntt_order,
};
