/* HPKE (RFC 9180): encryption to a public key, base mode, with post-quantum KEMs (draft-ietf-hpke-pq). Of
 * liblatkem-protocol.
 *
 * The sender encapsulates once (enc) and then seals any number of messages, which the recipient opens in the same order.
 * KEMs are ML-KEM, X-Wing, MLKEM768-P256 and MLKEM1024-P384 (latkem_hpke_kem_id); kdf and aead are numbers of RFC 9180
 * and the draft, below. A private key sk is dk for a hybrid, and for ML-KEM the 64-byte seed d || z. The sender is not
 * authenticated.
 *
 * A context lives in the caller's storage: latkem_hpke_bytes() bytes, aligned like max_align_t, with one owner; it must
 * not be copied, because nonces would repeat. It is secret; latkem_hpke_end wipes it. On errors outputs are zeroed; a
 * context that could not be made is ended, every later call on it is LATKEM_ERR_STATE, as on storage that never was
 * one. Buffers of 0 bytes may be NULL. A message or an exported secret that would be written into its context is
 * refused (LATKEM_ERR_ARGUMENT) and not zeroed, so that the context stays whole. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HPKE_H
#define LATKEM_HPKE_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LATKEM_HPKE_HKDF_SHA256 = 0x0001,
    LATKEM_HPKE_HKDF_SHA384 = 0x0002,
    LATKEM_HPKE_HKDF_SHA512 = 0x0003,
    LATKEM_HPKE_SHAKE128 = 0x0010,
    LATKEM_HPKE_SHAKE256 = 0x0011,
    LATKEM_HPKE_TURBOSHAKE128 = 0x0012, /* RFC 9861, domain separation byte 0x1F */
    LATKEM_HPKE_TURBOSHAKE256 = 0x0013
};

enum {
    LATKEM_HPKE_AES_128_GCM = 0x0001,
    LATKEM_HPKE_AES_256_GCM = 0x0002,
    LATKEM_HPKE_CHACHA20_POLY1305 = 0x0003,
    LATKEM_HPKE_EXPORT_ONLY = 0xFFFF
};

/* Bytes that a ciphertext has beside its plaintext. */
#define LATKEM_HPKE_TAG_BYTES 16

/* latkem_hpke_bytes returns the size of a context's storage. */
LATKEM_PROTOCOL_API size_t latkem_hpke_bytes(void);

/* latkem_hpke_end wipes the storage. Storage of any content, but not NULL, may be given. */
LATKEM_PROTOCOL_API void latkem_hpke_end(void *context);

/* latkem_hpke_sender makes a context for the owner of ek, and enc, of latkem_ct_bytes(kem). info is what both sides know,
 * at most 65535 bytes with SHAKE128 and SHAKE256. Errors: LATKEM_ERR_ARGUMENT (a KEM, KDF or AEAD that is none of the
 * above), LATKEM_ERR_LENGTH, LATKEM_ERR_EK, LATKEM_ERR_RNG, LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_sender(void *context, uint8_t *enc, const latkem_kem *kem, unsigned kdf,
                                           unsigned aead, const uint8_t *ek, size_t ek_len, const uint8_t *info,
                                           size_t info_len);

/* latkem_hpke_sender_derand is the same with the coins of latkem_encaps_derand. */
LATKEM_PROTOCOL_API int latkem_hpke_sender_derand(void *context, uint8_t *enc, const latkem_kem *kem, unsigned kdf,
                                                  unsigned aead, const uint8_t *ek, size_t ek_len, const uint8_t *info,
                                                  size_t info_len, const uint8_t *coins, size_t coins_len);

/* latkem_hpke_recipient makes the same context from enc and sk. With an enc that was changed, the context verifies no
 * message, or the call is an error. Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_LENGTH, LATKEM_ERR_CT, LATKEM_ERR_DK (a
 * hybrid's seed that gives no scalar, 1 in 2^96), LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_recipient(void *context, const latkem_kem *kem, unsigned kdf, unsigned aead,
                                              const uint8_t *enc, size_t enc_len, const uint8_t *sk, size_t sk_len,
                                              const uint8_t *info, size_t info_len);

/* latkem_hpke_seal encrypts the sender's next message to pt_len + LATKEM_HPKE_TAG_BYTES bytes; aad is authenticated with
 * it. Errors: LATKEM_ERR_STATE (a recipient's context, an export-only one, or 2^64 - 1 messages), LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_seal(void *context, uint8_t *ct, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *pt, size_t pt_len);

/* latkem_hpke_open decrypts the next message to ct_len - LATKEM_HPKE_TAG_BYTES bytes. One that does not verify leaves the
 * context as it was. Errors: LATKEM_ERR_LENGTH (shorter than a tag), LATKEM_ERR_AUTH, LATKEM_ERR_STATE,
 * LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_open(void *context, uint8_t *pt, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *ct, size_t ct_len);

/* latkem_hpke_export derives a secret of out_len bytes that both sides have. Errors: LATKEM_ERR_LENGTH (more than the KDF
 * gives: 255 times the bytes of HKDF's hash, 65535 of SHAKE128 and SHAKE256), LATKEM_ERR_STATE, LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_export(const void *context, uint8_t *out, size_t out_len,
                                           const uint8_t *exporter_context, size_t exporter_context_len);

/* latkem_hpke_derive_keypair makes a key pair from key material with enough entropy: ek, and sk of 64 bytes for ML-KEM, 32
 * for hybrids. ikm should have at least as many bytes. Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_LENGTH (an empty ikm),
 * LATKEM_ERR_RNG, LATKEM_ERR_CRYPTO. */
LATKEM_PROTOCOL_API int latkem_hpke_derive_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *sk, const uint8_t *ikm,
                                                   size_t ikm_len);

#ifdef __cplusplus
}
#endif
#endif
