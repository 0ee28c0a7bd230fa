/* Encoding, compression and sampling in portable C (FIPS 203 sections 4.2.1 and 4.2.2).
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "base/ct.h"
#include "ring/q3329/portable.h"

enum { Q = LK_Q3329, N = LK_Q3329_N };

void lk_q3329_encode_d12_c(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < N / 2; i++) {
        const unsigned a = (unsigned)f->c[2 * i], b = (unsigned)f->c[2 * i + 1];
        out[3 * i] = (uint8_t)a;
        out[3 * i + 1] = (uint8_t)(a >> 8 | b << 4);
        out[3 * i + 2] = (uint8_t)(b >> 4);
    }
}

uint32_t lk_q3329_decode_d12_c(lk_poly *f, const uint8_t in[384])
{
    uint32_t above = 0;
    for (size_t i = 0; i < N / 2; i++) {
        const unsigned b0 = in[3 * i], b1 = in[3 * i + 1], b2 = in[3 * i + 2];
        const unsigned x = b0 | (b1 & 15) << 8, y = b1 >> 4 | b2 << 4;
        above |= (Q - 1 - x) | (Q - 1 - y);
        f->c[2 * i] = (int16_t)x;
        f->c[2 * i + 1] = (int16_t)y;
    }
    return above >> 31;
}

/* Compress_d(x) = round(2^d x / q) mod 2^d without a division: the reciprocal m = round(2^s / q) 2^d is exact for every
 * canonical x (tests/unit tries them all). */
static inline unsigned compress(int16_t x, unsigned d, uint32_t m, unsigned s)
{
    return (unsigned)(((uint64_t)(uint16_t)x * m + ((uint64_t)1 << (s - 1))) >> s) & ((1u << d) - 1);
}

#define COMPRESS_D1(x) compress(x, 1, 315, 19)
#define COMPRESS_D4(x) compress(x, 4, 315, 16)
#define COMPRESS_D5(x) compress(x, 5, 630, 16)
#define COMPRESS_D10(x) compress(x, 10, 2580335, 23)
#define COMPRESS_D11(x) compress(x, 11, 2580335, 22)

static inline int16_t decompress(unsigned y, unsigned d)
{
    return (int16_t)((y * Q + (1u << (d - 1))) >> d);
}

void lk_q3329_compress_d1_c(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++) {
        unsigned byte = 0;
        for (size_t j = 0; j < 8; j++) byte |= COMPRESS_D1(f->c[8 * i + j]) << j;
        out[i] = (uint8_t)byte;
    }
}

void lk_q3329_compress_d4_c(uint8_t out[128], const lk_poly *f)
{
    for (size_t i = 0; i < N / 2; i++) out[i] = (uint8_t)(COMPRESS_D4(f->c[2 * i]) | COMPRESS_D4(f->c[2 * i + 1]) << 4);
}

void lk_q3329_compress_d5_c(uint8_t out[160], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++, out += 5) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 8; j++) bits |= (uint64_t)COMPRESS_D5(f->c[8 * i + j]) << (5 * j);
        lk_store32_le(out, (uint32_t)bits);
        out[4] = (uint8_t)(bits >> 32);
    }
}

void lk_q3329_compress_d10_c(uint8_t out[320], const lk_poly *f)
{
    for (size_t i = 0; i < N / 4; i++, out += 5) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 4; j++) bits |= (uint64_t)COMPRESS_D10(f->c[4 * i + j]) << (10 * j);
        lk_store32_le(out, (uint32_t)bits);
        out[4] = (uint8_t)(bits >> 32);
    }
}

/* Eight coefficients are 88 bits: the first five and 9 bits of the sixth fill a 64-bit word. */
void lk_q3329_compress_d11_c(uint8_t out[352], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++, out += 11) {
        uint64_t t[8];
        for (size_t j = 0; j < 8; j++) t[j] = COMPRESS_D11(f->c[8 * i + j]);
        lk_store64_le(out, t[0] | t[1] << 11 | t[2] << 22 | t[3] << 33 | t[4] << 44 | t[5] << 55);
        const uint64_t rest = t[5] >> 9 | t[6] << 2 | t[7] << 13;
        out[8] = (uint8_t)rest;
        out[9] = (uint8_t)(rest >> 8);
        out[10] = (uint8_t)(rest >> 16);
    }
}

/* The mask goes through a barrier, or a compiler may branch on the message bit. */
void lk_q3329_decompress_d1_c(lk_poly *f, const uint8_t in[32])
{
    for (size_t i = 0; i < N; i++) {
        const uint32_t bit = (uint32_t)in[i / 8] >> (i % 8) & 1;
        f->c[i] = (int16_t)(((uint32_t)0 - lk_barrier(bit)) & ((Q + 1) / 2));
    }
}

void lk_q3329_decompress_d4_c(lk_poly *f, const uint8_t in[128])
{
    for (size_t i = 0; i < N / 2; i++) {
        f->c[2 * i] = decompress(in[i] & 15, 4);
        f->c[2 * i + 1] = decompress(in[i] >> 4, 4);
    }
}

void lk_q3329_decompress_d5_c(lk_poly *f, const uint8_t in[160])
{
    for (size_t i = 0; i < N / 8; i++, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        for (size_t j = 0; j < 8; j++) f->c[8 * i + j] = decompress(bits >> (5 * j) & 31, 5);
    }
}

void lk_q3329_decompress_d10_c(lk_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < N / 4; i++, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        for (size_t j = 0; j < 4; j++) f->c[4 * i + j] = decompress(bits >> (10 * j) & 1023, 10);
    }
}

void lk_q3329_decompress_d11_c(lk_poly *f, const uint8_t in[352])
{
    for (size_t i = 0; i < N / 8; i++, in += 11) {
        const uint64_t low = lk_load64_le(in);
        const uint64_t high = low >> 55 | (uint64_t)in[8] << 9 | (uint64_t)in[9] << 17 | (uint64_t)in[10] << 25;
        for (size_t j = 0; j < 5; j++) f->c[8 * i + j] = decompress(low >> (11 * j) & 2047, 11);
        for (size_t j = 0; j < 3; j++) f->c[8 * i + 5 + j] = decompress(high >> (11 * j) & 2047, 11);
    }
}

/* Bits are first added in pairs within the word; then each nibble holds the two sums of one coefficient. */
void lk_q3329_cbd_eta2_c(lk_poly *f, const uint8_t in[128])
{
    for (size_t i = 0; i < N / 8; i++) {
        const uint32_t bits = lk_load32_le(in + 4 * i);
        const uint32_t sums = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        for (size_t j = 0; j < 8; j++)
            f->c[8 * i + j] = (int16_t)((int32_t)(sums >> (4 * j) & 3) - (int32_t)(sums >> (4 * j + 2) & 3));
    }
}

/* As above with three bits to a sum and 24 bits to four coefficients. */
void lk_q3329_cbd_eta3_c(lk_poly *f, const uint8_t in[192])
{
    for (size_t i = 0; i < N / 4; i++) {
        const uint32_t bits = lk_load16_le(in + 3 * i) | (uint32_t)in[3 * i + 2] << 16;
        const uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
        for (size_t j = 0; j < 4; j++)
            f->c[4 * i + j] = (int16_t)((int32_t)(sums >> (6 * j) & 7) - (int32_t)(sums >> (6 * j + 3) & 7));
    }
}

/* While there is room for both values of a triple they are stored without asking; the count says which of them stay. */
size_t lk_q3329_rej_uniform_vartime_c(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len && have < N; i += 3) {
        const unsigned d1 = in[i] | (in[i + 1] & 15u) << 8, d2 = in[i + 1] >> 4 | (unsigned)in[i + 2] << 4;
        f->c[have] = (int16_t)d1;
        have += d1 < Q;
        if (have == N) break;
        f->c[have] = (int16_t)d2;
        have += d2 < Q;
    }
    return have;
}
