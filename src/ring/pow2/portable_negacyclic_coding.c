/* Packing, rounding and sampling of polynomials modulo X^256 + 1 in portable C. SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "ring/pow2/portable.h"

enum { N = LK_NEGACYCLIC_N, H1 = 4 };

/* The order of the coefficients: that of striding Toom-Cook with four limbs. */
static inline size_t place(size_t exponent)
{
    return N / 4 * (exponent % 4) + exponent / 4;
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
void lk_negacyclic_pack_d13_c(uint8_t out[416], const lk_negacyclic_poly *f)
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
void lk_negacyclic_unpack_d13_c(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < N; i += 8, in += 13) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 5);
        for (size_t j = 0; j < 4; j++) f->c[place(i + j)] = (uint16_t)(low >> (13 * j));
        for (size_t j = 0; j < 4; j++) f->c[place(i + 4 + j)] = (uint16_t)(high >> (12 + 13 * j));
    }
}

void lk_negacyclic_unpack_d10_c(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < N; i += 8, in += 10) {
        const uint64_t low = lk_load64_le(in), high = lk_load64_le(in + 2);
        for (size_t j = 0; j < 4; j++) f->c[place(i + j)] = (uint16_t)(low >> (10 * j) & 1023);
        for (size_t j = 0; j < 4; j++) f->c[place(i + 4 + j)] = (uint16_t)(high >> (24 + 10 * j) & 1023);
    }
}

void lk_negacyclic_round_d10_c(uint8_t out[320], const lk_negacyclic_poly *f)
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

void lk_negacyclic_encrypt_d3_c(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    for (size_t i = 0; i < N; i += 8) store24(out + 3 * i / 8, (uint32_t)encrypt_eight(v, m, i, 3));
}

void lk_negacyclic_encrypt_d4_c(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    for (size_t i = 0; i < N; i += 8) lk_store32_le(out + 4 * i / 8, (uint32_t)encrypt_eight(v, m, i, 4));
}

void lk_negacyclic_encrypt_d6_c(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
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

void lk_negacyclic_decrypt_d3_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    for (size_t i = 0; i < N; i += 8) m[i / 8] = decrypt_eight(v, load24(in + 3 * i / 8), i, 3);
}

void lk_negacyclic_decrypt_d4_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    for (size_t i = 0; i < N; i += 8) m[i / 8] = decrypt_eight(v, lk_load32_le(in + 4 * i / 8), i, 4);
}

void lk_negacyclic_decrypt_d6_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
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

void lk_negacyclic_cbd_mu6_c(lk_negacyclic_poly *f, const uint8_t in[192])
{
    for (size_t i = 0; i < N; i += 4, in += 3) {
        const uint32_t bits = load24(in);
        store_differences(f, i, (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249), 6);
    }
}

void lk_negacyclic_cbd_mu8_c(lk_negacyclic_poly *f, const uint8_t in[256])
{
    for (size_t i = 0; i < N; i += 4) {
        const uint32_t bits = lk_load32_le(in + i);
        const uint32_t pairs = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        store_differences(f, i, (pairs & 0x33333333) + (pairs >> 2 & 0x33333333), 8);
    }
}

void lk_negacyclic_cbd_mu10_c(lk_negacyclic_poly *f, const uint8_t in[320])
{
    const uint64_t ones = 0x0842108421; /* bits 0, 5, 10 ... 35 */
    for (size_t i = 0; i < N; i += 4, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        uint64_t sums = 0;
        for (size_t k = 0; k < 5; k++) sums += bits >> k & ones;
        store_differences(f, i, sums, 10);
    }
}
