/* The NEON kernels of Z_3329[X]/(X^256 + 1). Contract: ring/q3329/kernels.h.
 *
 * Order of NTT values: in each group of 64, four blocks of eight pairs, the first values of all pairs come before the
 * second ones, and among these the same pair of the four blocks stands together. In bits, the standard's place
 * i7 i6 i5 i4 i3 i2 i1 i0 becomes i7 i6 i0 i3 i2 i1 i5 i4. Each register is then one half of eight pairs, and the layers
 * within blocks run between registers; ld4 and st4 are the way to the standard order and back.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_NEON_Q3329_H
#define LK_ARCH_AARCH64_NEON_Q3329_H

#include "ring/q3329/kernels.h"

void lk_q3329_ntt_neon(lk_poly *f);
void lk_q3329_invntt_tomont_neon(lk_poly *f);
void lk_q3329_mulcache_neon(lk_mulcache *cache, const lk_poly *g);
void lk_q3329_inner_product_neon(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k);
void lk_q3329_tomont_neon(lk_poly *f);
void lk_q3329_add_neon(lk_poly *f, const lk_poly *g);
void lk_q3329_sub_from_neon(lk_poly *f, const lk_poly *g);
void lk_q3329_reduce_neon(lk_poly *f);

void lk_q3329_encode_d12_neon(uint8_t out[384], const lk_poly *f);
uint32_t lk_q3329_decode_d12_neon(lk_poly *f, const uint8_t in[384]);
void lk_q3329_compress_d1_neon(uint8_t out[32], const lk_poly *f);
void lk_q3329_compress_d4_neon(uint8_t out[128], const lk_poly *f);
void lk_q3329_compress_d5_neon(uint8_t out[160], const lk_poly *f);
void lk_q3329_compress_d10_neon(uint8_t out[320], const lk_poly *f);
void lk_q3329_compress_d11_neon(uint8_t out[352], const lk_poly *f);
void lk_q3329_decompress_d1_neon(lk_poly *f, const uint8_t in[32]);
void lk_q3329_decompress_d4_neon(lk_poly *f, const uint8_t in[128]);
void lk_q3329_decompress_d5_neon(lk_poly *f, const uint8_t in[160]);
void lk_q3329_decompress_d10_neon(lk_poly *f, const uint8_t in[320]);
void lk_q3329_decompress_d11_neon(lk_poly *f, const uint8_t in[352]);

void lk_q3329_cbd_eta2_neon(lk_poly *f, const uint8_t in[128]);
void lk_q3329_cbd_eta3_neon(lk_poly *f, const uint8_t in[192]);
size_t lk_q3329_rej_uniform_vartime_neon(lk_poly *f, size_t have, const uint8_t *in, size_t len);
uint32_t lk_q3329_rej_uniform_lanes_vartime_neon(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                 size_t lanes, size_t rate); /* 2 or 3 lanes */
void lk_q3329_ntt_order_neon(lk_poly *f);

#endif
