/* The key exchanges UAKE and AKE of Kyber's sets, on arguments that are checked and random bytes that are drawn.
 *
 * The protocol is that of Bos and others, "CRYSTALS-Kyber" (ePrint 2017/634), section 5. The bytes are those of kex.c in
 * the Kyber round-3 package: lk_kex_start is kex_uake_initA and kex_ake_initA, lk_kex_reply kex_uake_sharedB and
 * kex_ake_sharedB, lk_kex_finish kex_uake_sharedA and kex_ake_sharedA. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_KEX_H
#define LK_SCHEME_KEX_H

#include "base/workspace.h"
#include "scheme/kdf.h"
#include "scheme/scheme.h"

/* The exchanges, by the number of A's keys that B encapsulates to: the ephemeral one and, in AKE, the static one. */
enum { LK_UAKE = 1, LK_AKE = 2 };

/* A side of an exchange: its inputs, its outputs and its memory. */
typedef struct {
    const lk_backend *b;
    const lk_row *row;
    size_t kind;                              /* LK_UAKE or LK_AKE: as many ciphertexts has message 2 */
    lk_request_fn *keypair, *encaps, *decaps; /* of the set; a step needs two of them or one */
    const uint8_t *message, *ek, *dk;         /* the one that came; static keys: ek of the other side, dk of this one */
    uint8_t *message_out, *state, *key;
    uint8_t *random;  /* in the order in which the official code asks for it */
    uint8_t *secrets; /* buf of kex.c */
    lk_kdf kdf;
} lk_kex;

/* lk_kex_take takes the memory of a side that makes a key: that of lk_kex_reply or lk_kex_finish. */
void lk_kex_take(lk_kex *x, lk_arena *arena);

/* The steps return LK_DONE or the error of an operation. Any of their outputs may then hold a part of the result. */

/* lk_kex_start reads ek and d || z || m, and writes message 1 and the state. */
int lk_kex_start(const lk_kex *x);

/* lk_kex_reply reads message 1, dk, in AKE ek, and m of each encapsulation. It writes message 2 and the key. */
int lk_kex_reply(const lk_kex *x);

/* lk_kex_finish reads message 2, the state and, in AKE, dk. It writes the key. */
int lk_kex_finish(const lk_kex *x);

#endif
