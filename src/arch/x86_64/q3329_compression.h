/* Compression of polynomials modulo q = 3329 that is the same for AVX2 and AVX-512 (FIPS 203 section 4.2.1).
 *
 * The file that includes this has included q3329_arithmetic.h and its backend's packing.h, and defines
 * decompress_poly(f, in, d). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_Q3329_COMPRESSION_H
#define LK_ARCH_X86_64_Q3329_COMPRESSION_H

#include "arch/x86_64/q3329_arithmetic.h"

static inline void decompress_poly(lk_poly *f, const uint8_t *in, unsigned d);

/* Compress_d(x) before its reduction modulo 2^d, for canonical x. The quotient of x 8 / 2^13 by q, rounded, is exact
 * for d <= 5 and at most one too large for d = 10 and 11; then the remainder of x 2^d + (q - 1)/2 is negative, and 16
 * bits are enough to see that (tests/unit tries every x). */
static inline vec compress(vec x, unsigned d)
{
    const vec scaled = v_mulhi(v_shl(x, 3), v_set(BARRETT));
    const vec y = v_mulhrs(scaled, v_set(1 << (d + 2)));
    if (d <= 5) return y;
    const vec dividend = v_add(v_shl(x, d), v_set(HALF_Q));
    const vec remainder = v_sub(dividend, v_mullo(y, v_set(Q)));
    return v_add(y, v_sar(remainder, 15));
}

static inline void compress_poly(uint8_t *out, const lk_poly *f, unsigned d)
{
    const vec mask = v_set((1 << d) - 1);
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, v_and(compress(load(f, i), d), mask), d);
}

static void compress_d4(uint8_t out[128], const lk_poly *f)
{
    compress_poly(out, f, 4);
}

static void compress_d5(uint8_t out[160], const lk_poly *f)
{
    compress_poly(out, f, 5);
}

static void compress_d10(uint8_t out[320], const lk_poly *f)
{
    compress_poly(out, f, 10);
}

static void compress_d11(uint8_t out[352], const lk_poly *f)
{
    compress_poly(out, f, 11);
}

static void decompress_d4(lk_poly *f, const uint8_t in[128])
{
    decompress_poly(f, in, 4);
}

static void decompress_d5(lk_poly *f, const uint8_t in[160])
{
    decompress_poly(f, in, 5);
}

static void decompress_d10(lk_poly *f, const uint8_t in[320])
{
    decompress_poly(f, in, 10);
}

static void decompress_d11(lk_poly *f, const uint8_t in[352])
{
    decompress_poly(f, in, 11);
}

#endif
