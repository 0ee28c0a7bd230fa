/* Batches: n independent operations in one call, which vector backends run side by side.
 *
 * Arrays are contiguous, element i at i * the object's size. Element i has the result of the single operation. If an
 * element's key is bad, the call returns that error, that element's outputs are zeroed, and the other elements are
 * complete. If the random generator fails, or with LATKEM_ERR_FAULT, all outputs are zeroed. With n = 0 the call does
 * nothing.
 *
 * LATKEM_ERR_ARGUMENT is the error of a NULL set or array, and of arrays that overlap. It is also the error of an n for
 * which an array of keys or ciphertexts would have more than PTRDIFF_MAX bytes. It alone leaves the outputs as they
 * are, because n may be wrong, and then nobody knows how far they reach. Conventions as in latkem.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_BATCH_H
#define LATKEM_BATCH_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* latkem_stack_bytes_batch returns the most stack that a call of this header, for every n, or of kex.h takes for the
 * set: at most 98304; 0 for NULL. latkem_stack_bytes does so for single operations. */
LATKEM_API size_t latkem_stack_bytes_batch(const latkem_kem *kem);

/* latkem_keypair_batch makes n key pairs. Those of NTRU share inversions in groups of four to eight; a group's keys are
 * all in memory until the last of them is ready. Errors: LATKEM_ERR_RNG. */
LATKEM_API int latkem_keypair_batch(const latkem_kem *kem, size_t n, uint8_t *eks, uint8_t *dks);

/* latkem_encaps_batch encapsulates once to each of n keys. Errors: LATKEM_ERR_EK, LATKEM_ERR_RNG. */
LATKEM_API int latkem_encaps_batch(const latkem_kem *kem, size_t n, uint8_t *cts, uint8_t *sss, const uint8_t *eks);

/* latkem_decaps_batch decapsulates ct i with dk i. Errors: LATKEM_ERR_DK. */
LATKEM_API int latkem_decaps_batch(const latkem_kem *kem, size_t n, uint8_t *sss, const uint8_t *cts,
                                   const uint8_t *dks);

/* latkem_keypair_batch_rng and latkem_encaps_batch_rng are the same with the caller's generator, which is asked for the
 * requests of element 0, then of element 1 and so on. */
LATKEM_API int latkem_keypair_batch_rng(const latkem_kem *kem, size_t n, uint8_t *eks, uint8_t *dks,
                                        latkem_rng_fn *fill, void *ctx);
LATKEM_API int latkem_encaps_batch_rng(const latkem_kem *kem, size_t n, uint8_t *cts, uint8_t *sss, const uint8_t *eks,
                                       latkem_rng_fn *fill, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
