/* Packing, rounding and sampling modulo X^256 + 1 that is the same for AVX2 and AVX-512; coefficient i is at place i.
 *
 * The file that includes this has included its backend's vec.h and packing.h, and defines the functions below.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_NEGACYCLIC_CODING_H
#define LK_ARCH_X86_64_NEGACYCLIC_CODING_H

#include "arch/x86_64/negacyclic_arithmetic.h"

static inline void encrypt_to(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], unsigned d);
static inline void decrypt(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t *in, unsigned d);
static inline void cbd(lk_negacyclic_poly *f, const uint8_t *in, unsigned mu);

enum { H1 = 4 };

static inline vec load_at(const lk_negacyclic_poly *f, size_t i)
{
    return v_load(&f->c[LANES * i]);
}

static inline void store_at(lk_negacyclic_poly *f, size_t i, vec v)
{
    v_store(&f->c[LANES * i], v);
}

static inline vec low_bits(vec v, unsigned d)
{
    return v_and(v, v_set((1 << d) - 1));
}

static void pack_d13(uint8_t out[416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, low_bits(load_at(f, i), 13), 13);
}

static void unpack_d13(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < REGISTERS; i++) store_at(f, i, load_packed(in, i, 13));
}

static void unpack_d10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < REGISTERS; i++) store_at(f, i, low_bits(load_packed(in, i, 10), 10));
}

static void round_d10(uint8_t out[320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const vec rounded = v_shr(v_add(load_at(f, i), v_set(H1)), 3);
        store_packed(out, i, low_bits(rounded, 10), 10);
    }
}

static void encrypt_d3(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 3);
}

static void encrypt_d4(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 4);
}

static void encrypt_d6(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt_to(out, v, m, 6);
}

static void decrypt_d3(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    decrypt(m, v, in, 3);
}

static void decrypt_d4(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    decrypt(m, v, in, 4);
}

static void decrypt_d6(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
{
    decrypt(m, v, in, 6);
}

static void cbd_mu6(lk_negacyclic_poly *f, const uint8_t in[192])
{
    cbd(f, in, 6);
}

static void cbd_mu8(lk_negacyclic_poly *f, const uint8_t in[256])
{
    cbd(f, in, 8);
}

static void cbd_mu10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    cbd(f, in, 10);
}

#endif
