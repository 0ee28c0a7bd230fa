/* Operations in memory of the caller's, for threads and firmware with a small stack. Conventions as in latkem.h.
 *
 * A workspace has latkem_workspace_bytes(kem) bytes of any alignment and holds nothing between calls: its content may be
 * anything before a call and is wiped at the end, on errors too. It overlaps no other buffer of the call. Any sets may
 * use one after the other, but each call at a time needs its own. A few frames remain on the stack, and the
 * bytes below them that a call wipes: less than 2 KiB, or 4 KiB on x86-64.
 *
 * The sets are those of latkem_kem_at; hybrids are refused with LATKEM_ERR_ARGUMENT. Errors of each call: those of its
 * namesake, and LATKEM_ERR_LENGTH (too few bytes). SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_WORKSPACE_H
#define LATKEM_WORKSPACE_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* latkem_workspace_bytes returns the most that a call of this header takes for the set, on any backend of this library
 * that the CPU can run; 0 for NULL and for hybrids. */
LATKEM_API size_t latkem_workspace_bytes(const latkem_kem *kem);

/* These are latkem_keypair_derand, latkem_encaps_derand (derand.h) and latkem_decaps in a workspace of workspace_len
 * bytes. Of a larger one they use the beginning and leave the rest alone. */
LATKEM_API int latkem_keypair_derand_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ek,
                                        uint8_t *dk, const uint8_t *seed, size_t seed_len);
LATKEM_API int latkem_encaps_derand_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ct,
                                       uint8_t *ss, const uint8_t *ek, size_t ek_len, const uint8_t *coins,
                                       size_t coins_len);
LATKEM_API int latkem_decaps_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ss,
                                const uint8_t *ct, size_t ct_len, const uint8_t *dk, size_t dk_len);

#ifdef __cplusplus
}
#endif
#endif
