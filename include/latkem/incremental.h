/* Incremental encapsulation with ML-KEM: a sender begins before it has the whole encapsulation key, as ML-KEM Braid does.
 *
 * An encapsulation key comes in two parts: the header, rho || H(ek), and the vector, t. H(ek) is FIPS 203's, of t || rho.
 * The ciphertext comes in two parts: ct1, for which the header is enough, and ct2. ct1 || ct2 is a ciphertext of
 * latkem_decaps: the receiver needs nothing new.
 *
 * The receiver sends the header, and then the vector. The sender calls latkem_encaps1 with the header, sends ct1, and
 * calls latkem_encaps2 when the vector has come. ss exists after latkem_encaps1, but nobody knows yet that there is a
 * vector which fits the header: use it once latkem_encaps2 has returned 0. docs/incremental.md says against whom this is
 * safe.
 *
 * A state is latkem_encaps_state_bytes(kem) bytes of any alignment. It is secret, has no pointers, may be stored, moved
 * and read by another process or machine, and belongs to one ct1. latkem_encaps2 wipes it when it succeeds. A copy that
 * was made before is as secret, and can only make the same ct2 again.
 *
 * The sets are those of ML-KEM; every other is refused with LATKEM_ERR_ARGUMENT and has size 0. A call takes at most the
 * stack of a single call (latkem_stack_bytes).
 *
 * Conventions as in latkem.h. Source: FIPS 203, algorithms 14, 17 and 18; Signal, "The ML-KEM Braid Protocol", for the
 * parts. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_INCREMENTAL_H
#define LATKEM_INCREMENTAL_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes in bytes of header, vector, ct1, ct2 and state; 0 for NULL and for sets without parts. For ML-KEM-768 they are 64,
 * 1152, 960, 128 and 132. Sizes and formats are the same in every version, except those of the state, which says its
 * version. */
LATKEM_API size_t latkem_header_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_vector_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_ct1_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_ct2_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_encaps_state_bytes(const latkem_kem *kem);

/* latkem_ek_split makes header and vector of ek, which it checks as latkem_check_ek does. Errors: LATKEM_ERR_LENGTH,
 * LATKEM_ERR_EK. */
LATKEM_API int latkem_ek_split(const latkem_kem *kem, uint8_t *header, uint8_t *vector, const uint8_t *ek,
                               size_t ek_len);

/* latkem_ek_join makes ek of its parts if they fit: H(ek) is the header's, and ek passes latkem_check_ek. Errors:
 * LATKEM_ERR_LENGTH, LATKEM_ERR_EK. */
LATKEM_API int latkem_ek_join(const latkem_kem *kem, uint8_t *ek, const uint8_t *header, size_t header_len,
                              const uint8_t *vector, size_t vector_len);

/* latkem_encaps1 makes ct1, ss (latkem_ss_bytes(kem) bytes) and the state for a header. It can check nothing but the
 * header's length. ss and the state are secret. latkem_encaps1_rng takes the caller's generator, which is asked as in
 * latkem_encaps_rng; latkem_encaps1_derand takes given coins (derand.h). Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_RNG. */
LATKEM_API int latkem_encaps1(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss, const uint8_t *header,
                              size_t header_len);
LATKEM_API int latkem_encaps1_rng(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss, const uint8_t *header,
                                  size_t header_len, latkem_rng_fn *fill, void *ctx);
LATKEM_API int latkem_encaps1_derand(const latkem_kem *kem, void *state, uint8_t *ct1, uint8_t *ss,
                                     const uint8_t *header, size_t header_len, const uint8_t *coins, size_t coins_len);

/* latkem_encaps2 checks that the vector fits the state's header, as latkem_ek_join does, makes ct2 and wipes the state. With
 * every error the state stays as it is: the right vector may come yet. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_EK (the
 * vector does not fit the header that is in the state), LATKEM_ERR_STATE (no state of this set, one that has been used,
 * or one with a changed byte of another part). */
LATKEM_API int latkem_encaps2(const latkem_kem *kem, uint8_t *ct2, void *state, const uint8_t *vector,
                              size_t vector_len);

/* latkem_encaps_end wipes a state for which no vector will come. */
LATKEM_API void latkem_encaps_end(const latkem_kem *kem, void *state);

/* latkem_decaps_parts is latkem_decaps of ct1 || ct2. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_DK. */
LATKEM_API int latkem_decaps_parts(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct1, size_t ct1_len,
                                   const uint8_t *ct2, size_t ct2_len, const uint8_t *dk, size_t dk_len);

#ifdef __cplusplus
}
#endif
#endif
