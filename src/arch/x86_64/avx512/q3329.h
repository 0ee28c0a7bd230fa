/* The AVX-512 kernels of Z_3329[X]/(X^256 + 1). Contract: ring/q3329/kernels.h; NTT-domain order is the standard's.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_Q3329_H
#define LK_ARCH_X86_64_AVX512_Q3329_H

#include "ring/q3329/kernels.h"

void lk_q3329_ntt_avx512(lk_poly *f);
void lk_q3329_invntt_tomont_avx512(lk_poly *f);
void lk_q3329_mulcache_avx512(lk_mulcache *cache, const lk_poly *g);
void lk_q3329_inner_product_avx512(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k);
void lk_q3329_tomont_avx512(lk_poly *f);
void lk_q3329_add_avx512(lk_poly *f, const lk_poly *g);
void lk_q3329_sub_from_avx512(lk_poly *f, const lk_poly *g);
void lk_q3329_reduce_avx512(lk_poly *f);

void lk_q3329_encode_d12_avx512(uint8_t out[384], const lk_poly *f);
uint32_t lk_q3329_decode_d12_avx512(lk_poly *f, const uint8_t in[384]);
void lk_q3329_compress_d1_avx512(uint8_t out[32], const lk_poly *f);
void lk_q3329_compress_d4_avx512(uint8_t out[128], const lk_poly *f);
void lk_q3329_compress_d5_avx512(uint8_t out[160], const lk_poly *f);
void lk_q3329_compress_d10_avx512(uint8_t out[320], const lk_poly *f);
void lk_q3329_compress_d11_avx512(uint8_t out[352], const lk_poly *f);
void lk_q3329_decompress_d1_avx512(lk_poly *f, const uint8_t in[32]);
void lk_q3329_decompress_d4_avx512(lk_poly *f, const uint8_t in[128]);
void lk_q3329_decompress_d5_avx512(lk_poly *f, const uint8_t in[160]);
void lk_q3329_decompress_d10_avx512(lk_poly *f, const uint8_t in[320]);
void lk_q3329_decompress_d11_avx512(lk_poly *f, const uint8_t in[352]);

void lk_q3329_cbd_eta2_avx512(lk_poly *f, const uint8_t in[128]);
void lk_q3329_cbd_eta3_avx512(lk_poly *f, const uint8_t in[192]);
size_t lk_q3329_rej_uniform_vartime_avx512(lk_poly *f, size_t have, const uint8_t *in, size_t len);
uint32_t lk_q3329_rej_uniform_lanes_vartime_avx512(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                   size_t lanes, size_t rate);

#endif
