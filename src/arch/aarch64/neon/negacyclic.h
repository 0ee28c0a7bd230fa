/* The NEON kernels of Z_8192[X]/(X^256 + 1). Contract: ring/pow2/kernels.h; coefficient i stands at place i.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_NEGACYCLIC_H
#define LK_ARCH_AARCH64_NEON_NEGACYCLIC_H

#include "ring/pow2/kernels.h"

enum { LK_NEGACYCLIC_EVALUATED_BYTES_NEON = 1792, LK_NEGACYCLIC_SCRATCH_BYTES_NEON = 1024 };

void lk_negacyclic_evaluate_neon(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_evaluate_small_neon(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_inner_product_neon(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);

void lk_negacyclic_pack_d13_neon(uint8_t out[416], const lk_negacyclic_poly *f);
void lk_negacyclic_unpack_d13_neon(lk_negacyclic_poly *f, const uint8_t in[416]);
void lk_negacyclic_unpack_d10_neon(lk_negacyclic_poly *f, const uint8_t in[320]);
void lk_negacyclic_round_d10_neon(uint8_t out[320], const lk_negacyclic_poly *f);
void lk_negacyclic_encrypt_d3_neon(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_encrypt_d4_neon(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_encrypt_d6_neon(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_decrypt_d3_neon(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96]);
void lk_negacyclic_decrypt_d4_neon(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128]);
void lk_negacyclic_decrypt_d6_neon(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192]);
void lk_negacyclic_cbd_mu6_neon(lk_negacyclic_poly *f, const uint8_t in[192]);
void lk_negacyclic_cbd_mu8_neon(lk_negacyclic_poly *f, const uint8_t in[256]);
void lk_negacyclic_cbd_mu10_neon(lk_negacyclic_poly *f, const uint8_t in[320]);

#endif
