/* Prepared keys: a key is validated and expanded once and used many times.
 *
 * The caller owns the storage: latkem_prepared_*_bytes(kem) bytes, aligned like max_align_t. Its content is bound to
 * this process, this version of the library and the backend in force when it was prepared. It keeps working with that
 * backend after latkem_backend_use(). It may be copied within the process, and is not a format to store or send.
 * Storage that holds anything else is refused as far as its header shows it, and no pointer in it is followed that is
 * not the library's own. A prepared dk is secret: wipe its storage after use. Any number of threads may use one
 * prepared key at a time. Conventions as in latkem.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_PREPARED_H
#define LATKEM_PREPARED_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes of the storage of prepared keys in bytes; 0 for NULL. */
LATKEM_API size_t latkem_prepared_ek_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_prepared_dk_bytes(const latkem_kem *kem);

/* latkem_prepare_ek checks ek as latkem_encaps does and expands it. The ek itself is not needed afterwards. On failure
 * the storage is zeroed. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_EK. */
LATKEM_API int latkem_prepare_ek(const latkem_kem *kem, void *prepared, const uint8_t *ek, size_t ek_len);

/* latkem_prepare_dk checks dk as latkem_decaps does and expands it. The dk itself is not needed afterwards. On failure
 * the storage is zeroed. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_DK. */
LATKEM_API int latkem_prepare_dk(const latkem_kem *kem, void *prepared, const uint8_t *dk, size_t dk_len);

/* latkem_encaps_prepared is latkem_encaps with a prepared ek. Errors: LATKEM_ERR_PREPARED, LATKEM_ERR_RNG. */
LATKEM_API int latkem_encaps_prepared(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const void *prepared_ek);

/* latkem_encaps_prepared_rng is the same with the caller's generator. */
LATKEM_API int latkem_encaps_prepared_rng(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const void *prepared_ek,
                                          latkem_rng_fn *fill, void *ctx);

/* latkem_decaps_prepared is latkem_decaps with a prepared dk. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_PREPARED. */
LATKEM_API int latkem_decaps_prepared(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len,
                                      const void *prepared_dk);

#ifdef __cplusplus
}
#endif
#endif
