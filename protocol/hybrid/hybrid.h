/* The row of a hybrid. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_HYBRID_HYBRID_H
#define LKP_HYBRID_HYBRID_H

#include <latkem/latkem.h>

#include "hybrid/group.h"
#include "shared/row.h"

/* A hybrid. Its objects are ML-KEM's part and the group's side by side, the group's first or last. A set with a label
 * has a hash for shared secret, and a seed for dk; the others have two secrets side by side, and two private keys. */
typedef struct {
    lk_row row;
    const char *mlkem; /* the set's name */
    size_t ek, dk, ct; /* lengths of ML-KEM's part */
    const lkp_group *group;
    int group_first;
    const char *label;
    lkp_library library; /* of the rows of latkem_hybrid_at: the default context, and nothing that stays */
} lkp_hybrid;

/* The most operations of a call, for the stack that ML-KEM's take. Two with ML-KEM-1024; P-384 dominates, so a larger
 * group would gain little. */
enum { LKP_MOST = 4, LKP_MOST_1024 = 2 };

/* Bytes of one operation's longest ek or ct and of its dk, and of as many as a call has. */
enum {
    LKP_EK_MAX = LATKEM_MLKEM_EK_MAX,
    LKP_EKS_MAX = LKP_MOST * 1184,
    LKP_DK_MAX = LATKEM_MLKEM_DK_MAX,
    LKP_DKS_MAX = LKP_MOST * 2400
};

/* Of ML-KEM. */
enum { LKP_SEED = LATKEM_MLKEM_SEED_BYTES, LKP_COINS = LATKEM_MLKEM_COINS_BYTES, LKP_SS = LATKEM_MLKEM_SS_BYTES };

/* The functions of every hybrid. */
extern const lk_functions lkp_hybrid_functions;

#endif
