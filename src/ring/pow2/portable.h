/* The portable kernels modulo powers of 2. Contract: kernels.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_POW2_PORTABLE_H
#define LK_RING_POW2_PORTABLE_H

#include "ring/pow2/kernels.h"

/* Coefficient 4j + i of X stands at place 64i + j. */

enum { LK_NEGACYCLIC_EVALUATED_BYTES_C = 3456, LK_NEGACYCLIC_SCRATCH_BYTES_C = 8640 };

void lk_negacyclic_evaluate_c(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_inner_product_c(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);

void lk_negacyclic_pack_d13_c(uint8_t out[416], const lk_negacyclic_poly *f);
void lk_negacyclic_unpack_d13_c(lk_negacyclic_poly *f, const uint8_t in[416]);
void lk_negacyclic_unpack_d10_c(lk_negacyclic_poly *f, const uint8_t in[320]);
void lk_negacyclic_round_d10_c(uint8_t out[320], const lk_negacyclic_poly *f);
void lk_negacyclic_encrypt_d3_c(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_encrypt_d4_c(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_encrypt_d6_c(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32]);
void lk_negacyclic_decrypt_d3_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96]);
void lk_negacyclic_decrypt_d4_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128]);
void lk_negacyclic_decrypt_d6_c(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192]);
void lk_negacyclic_cbd_mu6_c(lk_negacyclic_poly *f, const uint8_t in[192]);
void lk_negacyclic_cbd_mu8_c(lk_negacyclic_poly *f, const uint8_t in[256]);
void lk_negacyclic_cbd_mu10_c(lk_negacyclic_poly *f, const uint8_t in[320]);

enum { LK_CYCLIC_EVALUATED_UNIT_C = 896, LK_CYCLIC_SCRATCH_UNIT_C = 1728 };

void lk_cyclic_evaluate_c(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_c(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);
void lk_cyclic_invert_mod2_c(lk_cyclic_poly *v, const lk_cyclic_poly *f, size_t n, void *scratch);

void lk_cyclic_from_trits_c(lk_cyclic_poly *f, const lk_trits *t, size_t n, unsigned scale);
void lk_cyclic_mod3_c(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
uint32_t lk_cyclic_to_trits_c(lk_trits *t, const lk_cyclic_poly *f, size_t n, unsigned bits);
void lk_cyclic_times_x_minus_1_c(lk_cyclic_poly *f, size_t n);
void lk_cyclic_two_minus_c(lk_cyclic_poly *f, size_t n);
void lk_cyclic_add_c(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_sub_c(lk_cyclic_poly *f, const lk_cyclic_poly *g, size_t n);
void lk_cyclic_mod_phi_c(lk_cyclic_poly *f, size_t n);
void lk_cyclic_sum_zero_c(lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d11_c(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d12_c(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_pack_d13_c(uint8_t *out, const lk_cyclic_poly *f, size_t n);
void lk_cyclic_unpack_d11_c(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d12_c(lk_cyclic_poly *f, const uint8_t *in, size_t n);
void lk_cyclic_unpack_d13_c(lk_cyclic_poly *f, const uint8_t *in, size_t n);

#endif
