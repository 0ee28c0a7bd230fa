/* HPKE's suites and its key schedule (RFC 9180 sections 4, 5 and 7; one-stage KDFs: draft-ietf-hpke-pq). Functions return
 * 0 or a negative error, and zero their output on an error. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_HPKE_SCHEDULE_H
#define LKP_HPKE_SCHEDULE_H

#include <latkem/latkem.h>

#include "crypto/crypto.h"

enum { LKP_HPKE_SHARED = 32, LKP_HPKE_SUITE_BYTES = 10 };

/* A KDF: HKDF with a hash, or of one stage with an XOF. The output's size is the RFC's Nh. */
typedef struct {
    unsigned id;
    int one_stage;
    const lkp_digest *digest;
} lkp_hpke_kdf;

/* An AEAD, and Nk and Nn of the RFC. */
typedef struct {
    unsigned id;
    const lkp_aead *aead; /* NULL: export only */
    size_t key_bytes, nonce_bytes;
} lkp_hpke_aead;

/* A KEM, a KDF and an AEAD. */
typedef struct {
    const lkp_hpke_kdf *kdf;
    const lkp_hpke_aead *aead;
    uint8_t id[LKP_HPKE_SUITE_BYTES]; /* "HPKE" || I2(kem) || I2(kdf) || I2(aead) */
} lkp_hpke_suite;

/* The outputs of the schedule: nothing of the first two if the suite is export only. */
typedef struct {
    uint8_t key[LKP_AEAD_KEY_MAX], base_nonce[LKP_NONCE_BYTES], exporter[LKP_DIGEST_MAX];
} lkp_hpke_secrets;

/* lkp_hpke_find_suite takes the numbers of a KEM, which is not looked up, a KDF and an AEAD. LATKEM_ERR_ARGUMENT: there
 * is no such KDF or AEAD, or kem is 0. */
int lkp_hpke_find_suite(lkp_hpke_suite *suite, unsigned kem, unsigned kdf, unsigned aead);

/* lkp_hpke_info_max returns the most bytes of info, lkp_hpke_export_max those of an exported secret. */
size_t lkp_hpke_info_max(const lkp_hpke_suite *suite);
size_t lkp_hpke_export_max(const lkp_hpke_suite *suite);

/* lkp_hpke_schedule is KeySchedule in base mode; shared has LKP_HPKE_SHARED bytes, info.len <= lkp_hpke_info_max. */
int lkp_hpke_schedule(const lkp_hpke_suite *suite, lkp_hpke_secrets *secrets, const uint8_t *shared, lkp_piece info);

/* lkp_hpke_export is Context.Export; len <= lkp_hpke_export_max. */
int lkp_hpke_export(const lkp_hpke_suite *suite, uint8_t *out, size_t len, const uint8_t *exporter, lkp_piece context);

/* lkp_hpke_derive_sk is the first step of DeriveKeyPair: the private key of len bytes, 65535 at most, for the KEM with
 * that number. */
int lkp_hpke_derive_sk(unsigned kem, uint8_t *sk, size_t len, lkp_piece ikm);

#endif
