/* The kernels of Z_8192[X]/(X^256 + 1) for NEON, but multiplication (negacyclic_ntt.c); coefficient i is at place i.
 *
 * A register has eight coefficients of d bits, 3 <= d <= 13, which are d bytes. Loops are unrolled, and
 * `restrict` lets loads move above stores, so that cores that issue in order find work beside the chain of one
 * register. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/negacyclic.h"
#include "arch/aarch64/neon/packing.h"
#include "arch/aarch64/tables.h"
#include "arch/compilers.h"
#include "base/bytes.h"

enum { LANES = 8, REGISTERS = LK_NEGACYCLIC_N / LANES, H1 = 4 };

static inline uint16x8_t load(const lk_negacyclic_poly *f, size_t i)
{
    return vld1q_u16(&f->c[LANES * i]);
}

static inline void store(lk_negacyclic_poly *f, size_t i, uint16x8_t v)
{
    vst1q_u16(&f->c[LANES * i], v);
}

/* Registers before the end of a string that have fewer than 16 bytes with all that follow. */
static inline size_t near_end(size_t d)
{
    return 15 / d;
}

/* ---- From bytes ---- */

/* The bytes at the i-th d bytes of a string. Near its end they come after 16 - d others, `skip`, in front of them. */
static inline uint8x16_t load_bytes(const uint8_t *in, size_t i, size_t d, size_t skip)
{
    return vld1q_u8(in + d * i - skip);
}

static inline void unpack_register_d13(lk_negacyclic_poly *f, const uint8_t *in, size_t i, size_t skip)
{
    const uint8x16_t bytes = load_bytes(in, i, 13, skip);
    store(f, i, gather_three(bytes, 13, skip));
}

static void unpack_d13(lk_negacyclic_poly *restrict f, const uint8_t in[416])
{
    const size_t inner = REGISTERS - near_end(13);
    for (size_t i = 0; i < inner; i++) unpack_register_d13(f, in, i, 0);
    for (size_t i = inner; i < REGISTERS; i++) unpack_register_d13(f, in, i, 16 - 13);
}

static inline void unpack_register_d10(lk_negacyclic_poly *f, const uint8_t *in, size_t i, size_t skip)
{
    const uint16x8_t words = gather(load_bytes(in, i, 10, skip), 10, skip);
    store(f, i, vandq_u16(vshlq_u16(words, shifts_to(0, 10)), low_bits(10)));
}

static void unpack_d10(lk_negacyclic_poly *restrict f, const uint8_t in[320])
{
    const size_t inner = REGISTERS - near_end(10);
    for (size_t i = 0; i < inner; i++) unpack_register_d10(f, in, i, 0);
    for (size_t i = inner; i < REGISTERS; i++) unpack_register_d10(f, in, i, 16 - 10);
}

/* ---- To bytes ---- */

PACK(13, JOIN_BITS)
PACK(10, join_bytes)
PACK(6, join_bytes)
PACK(4, join_bytes)
PACK(3, JOIN_BITS)

/* The first d bytes, as the i-th d bytes of a string. */
static inline void store_bytes(uint8_t *out, size_t i, uint8x16_t bytes, size_t d)
{
    uint8_t *at = out + d * i;
    uint64_t rest = vgetq_lane_u64(vreinterpretq_u64_u8(bytes), 0);
    if (d > 8) {
        lk_store64_le(at, rest);
        rest = vgetq_lane_u64(vreinterpretq_u64_u8(bytes), 1);
    }
    for (size_t k = d > 8 ? 8 : 0; k < d; k++, rest >>= 8) at[k] = (uint8_t)rest;
}

/* Bytes behind those of a register are overwritten, except at the buffer's end. */
static void pack_d13(uint8_t out[restrict 416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS - 1; i++) vst1q_u8(out + 13 * i, packed_d13(load(f, i)));
    store_bytes(out, REGISTERS - 1, packed_d13(load(f, REGISTERS - 1)), 13);
}

static inline uint16x8_t rounded_d10(const lk_negacyclic_poly *f, size_t i)
{
    return vshrq_n_u16(vaddq_u16(load(f, i), vdupq_n_u16(H1)), 3);
}

static void round_d10(uint8_t out[restrict 320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS - 1; i++) vst1q_u8(out + 10 * i, packed_d10(rounded_d10(f, i)));
    store_bytes(out, REGISTERS - 1, packed_d10(rounded_d10(f, REGISTERS - 1)), 10);
}

/* ---- The message part of a ciphertext ---- */

/* Each word with a bit of eight. */
static inline uint16x8_t own_bits(void)
{
    return (uint16x8_t){1, 2, 4, 8, 16, 32, 64, 128};
}

/* v - 512 m + h1, without a reduction. */
static inline uint16x8_t add_message(const lk_negacyclic_poly *v, const uint8_t m[32], size_t i)
{
    const uint16x8_t message = vandq_u16(vtstq_u16(vdupq_n_u16(m[i]), own_bits()), vdupq_n_u16(512));
    return vsubq_u16(vaddq_u16(load(v, i), vdupq_n_u16(H1)), message);
}

typedef uint8x16_t pack_fn(uint16x8_t words);

static ALWAYS_INLINE void encrypt_to(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], size_t d,
                                     pack_fn *pack)
{
    const size_t inner = REGISTERS - 7 / d;
    const int16x8_t shift = vdupq_n_s16((int16_t)((int)d - 10));
    for (size_t i = 0; i < inner; i++) vst1_u8(out + d * i, vget_low_u8(pack(vshlq_u16(add_message(v, m, i), shift))));
    for (size_t i = inner; i < REGISTERS; i++) store_bytes(out, i, pack(vshlq_u16(add_message(v, m, i), shift)), d);
}

static void encrypt_d3(uint8_t out[restrict 96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 3, packed_d3);
}

static void encrypt_d4(uint8_t out[restrict 128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 4, packed_d4);
}

static void encrypt_d6(uint8_t out[restrict 192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 6, packed_d6);
}

static inline uint8_t decrypt_eight(const lk_negacyclic_poly *v, const uint8_t *in, size_t i, size_t d, size_t skip)
{
    const int place = 10 - (int)d;
    const uint16x8_t h2 = vdupq_n_u16((uint16_t)(256 - (512 >> d) + H1));
    const uint16x8_t words = vshlq_u16(gather(load_bytes(in, i, d, skip), d, skip), shifts_to(place, d));
    const uint16x8_t c = vandq_u16(words, vdupq_n_u16((uint16_t)(1024 - (1 << place))));
    const uint16x8_t noisy = vsubq_u16(vaddq_u16(load(v, i), h2), c);
    return (uint8_t)vaddvq_u16(vandq_u16(vtstq_u16(noisy, vdupq_n_u16(512)), own_bits()));
}

static ALWAYS_INLINE void decrypt(uint8_t m[restrict 32], const lk_negacyclic_poly *v, const uint8_t *in, size_t d)
{
    const size_t inner = REGISTERS - near_end(d);
    for (size_t i = 0; i < inner; i++) m[i] = decrypt_eight(v, in, i, d, 0);
    for (size_t i = inner; i < REGISTERS; i++) m[i] = decrypt_eight(v, in, i, d, 16 - d);
}

static void decrypt_d3(uint8_t m[restrict 32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    decrypt(m, v, in, 3);
}

static void decrypt_d4(uint8_t m[restrict 32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    decrypt(m, v, in, 4);
}

static void decrypt_d6(uint8_t m[restrict 32], const lk_negacyclic_poly *v, const uint8_t in[192])
{
    decrypt(m, v, in, 6);
}

/* ---- Sampling ---- */

/* The ones in both halves of a coefficient's bits are counted by bytes, in place. */
static inline void cbd_eight(lk_negacyclic_poly *f, const uint8_t *in, size_t i, size_t mu, size_t skip)
{
    const uint16x8_t lower = vshlq_u16(low_bits(mu / 2), vnegq_s16(shifts_to(0, mu)));
    const uint16x8_t upper = vshlq_u16(lower, vdupq_n_s16((int16_t)(mu / 2)));
    const uint16x8_t words = gather(load_bytes(in, i, mu, skip), mu, skip);
    const uint8x16_t plus = vcntq_u8(vreinterpretq_u8_u16(vandq_u16(words, lower)));
    const uint8x16_t minus = vcntq_u8(vreinterpretq_u8_u16(vandq_u16(words, upper)));
    store(f, i, vreinterpretq_u16_s16(vpaddlq_s8(vreinterpretq_s8_u8(vsubq_u8(plus, minus)))));
}

static ALWAYS_INLINE void cbd(lk_negacyclic_poly *f, const uint8_t *in, size_t mu)
{
    const size_t inner = REGISTERS - near_end(mu);
    for (size_t i = 0; i < inner; i++) cbd_eight(f, in, i, mu, 0);
    for (size_t i = inner; i < REGISTERS; i++) cbd_eight(f, in, i, mu, 16 - mu);
}

static void cbd_mu6(lk_negacyclic_poly *restrict f, const uint8_t in[192])
{
    cbd(f, in, 6);
}

static void cbd_mu8(lk_negacyclic_poly *restrict f, const uint8_t in[256])
{
    for (size_t i = 0; i < REGISTERS; i += 2) {
        const uint8x16_t bytes = vld1q_u8(in + 8 * i);
        const uint8x16_t plus = vcntq_u8(vandq_u8(bytes, vdupq_n_u8(15))), minus = vcntq_u8(vshrq_n_u8(bytes, 4));
        const int8x16_t values = vreinterpretq_s8_u8(vsubq_u8(plus, minus));
        store(f, i, vreinterpretq_u16_s16(vmovl_s8(vget_low_s8(values))));
        store(f, i + 1, vreinterpretq_u16_s16(vmovl_high_s8(values)));
    }
}

static void cbd_mu10(lk_negacyclic_poly *restrict f, const uint8_t in[320])
{
    cbd(f, in, 10);
}

const lk_negacyclic_kernels lk_negacyclic_neon = {
    .evaluated_bytes = LK_NEGACYCLIC_EVALUATED_BYTES,
    .scratch_bytes = LK_NEGACYCLIC_SCRATCH_BYTES,
    .small_bytes = LK_NEGACYCLIC_EVALUATED_BYTES,
    .evaluate = lk_negacyclic_evaluate_neon,
    .evaluate_small = lk_negacyclic_evaluate_small_neon,
    .inner_product = lk_negacyclic_inner_product_neon,
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
