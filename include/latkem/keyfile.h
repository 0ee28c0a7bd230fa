/* Key files: SubjectPublicKeyInfo and PKCS#8 in DER, for ML-KEM (RFC 9935) and X-Wing. Of liblatkem-protocol.
 *
 * All other sets have no standard encoding: LATKEM_ERR_ARGUMENT. A *_len is the buffer's capacity on the way in and the
 * bytes used on the way out. If a capacity is too small, the error is LATKEM_ERR_LENGTH, and each *_len of the call is
 * the bytes needed, also of a buffer that was large enough. Capacities are checked before the key. On every error the
 * buffers are zeroed up to their capacity, and but for that case each *_len is 0. Parsing takes no heap. Conventions as
 * in latkem.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_KEYFILE_H
#define LATKEM_KEYFILE_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a private key's file. The first three can be written, for ML-KEM; X-Wing's dk is its seed, and its
 * form LATKEM_FORM_SEED. */
enum {
    LATKEM_FORM_SEED = 1,     /* d || z, 64 bytes; what every reader takes */
    LATKEM_FORM_EXPANDED,     /* dk as FIPS 203 has it */
    LATKEM_FORM_BOTH,         /* the two together */
    LATKEM_FORM_OQS,          /* dk || ek, of oqs-provider before 0.9 */
    LATKEM_FORM_BARE_SEED,    /* the seed without an inner tag, of drafts of 2024 */
    LATKEM_FORM_BARE_EXPANDED /* dk without an inner tag, of drafts of 2024 */
};

/* Capacities that are enough for every set. */
#define LATKEM_PUBLIC_KEY_DER_MAX 1590
#define LATKEM_PRIVATE_KEY_DER_MAX 3266

/* latkem_public_key_write writes ek as a SubjectPublicKeyInfo, once it is checked. Errors: LATKEM_ERR_LENGTH, with
 * *der_len 0 if it is ek_len that is wrong; LATKEM_ERR_EK. */
LATKEM_PROTOCOL_API int latkem_public_key_write(const latkem_kem *kem, uint8_t *der, size_t *der_len, const uint8_t *ek,
                                                size_t ek_len);

/* latkem_private_key_write writes a private key as PKCS#8 in one of the first three forms. key is the seed or the
 * expanded dk; its length decides which. An expanded dk does not give its seed, so that LATKEM_FORM_SEED and
 * LATKEM_FORM_BOTH of it are LATKEM_ERR_ARGUMENT. An expanded dk is checked as latkem_private_key_read does it, so that
 * what is written can be read. Errors: LATKEM_ERR_LENGTH, with *der_len 0 if it is key_len that is wrong;
 * LATKEM_ERR_DK. */
LATKEM_PROTOCOL_API int latkem_private_key_write(const latkem_kem *kem, int form, uint8_t *der, size_t *der_len,
                                                 const uint8_t *key, size_t key_len);

/* latkem_public_key_read reads a SubjectPublicKeyInfo, checks its key, and names its set.
 * Errors: LATKEM_ERR_FORMAT, LATKEM_ERR_LENGTH, LATKEM_ERR_EK; *kem is NULL then. */
LATKEM_PROTOCOL_API int latkem_public_key_read(const latkem_kem **kem, uint8_t *ek, size_t *ek_len, const uint8_t *der,
                                               size_t der_len);

/* latkem_private_key_read reads PKCS#8 in any form, checks everything that the file says twice, and that the key
 * decapsulates what is encapsulated to it where it has no seed. *seed_len is 0 if the file has no seed; of X-Wing seed
 * and dk are the same 32 bytes. seed and seed_len may both be NULL. A seed of 64 bytes and a dk of 3168 are the largest.
 * Errors: LATKEM_ERR_FORMAT, LATKEM_ERR_LENGTH, LATKEM_ERR_DK; *kem is NULL and *form 0 then. */
LATKEM_PROTOCOL_API int latkem_private_key_read(const latkem_kem **kem, int *form, uint8_t *seed, size_t *seed_len,
                                                uint8_t *dk, size_t *dk_len, const uint8_t *der, size_t der_len);

#ifdef __cplusplus
}
#endif
#endif
