/* The sets that the provider offers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKV_OFFERED_H
#define LKV_OFFERED_H

#include <latkem/latkem.h>

/* X(index) of each, in the order in which TLS is offered their groups. */
#define LKV_EACH_SET(X)                                                                                                \
    X(LKV_X25519_MLKEM768)                                                                                             \
    X(LKV_SECP256R1_MLKEM768)                                                                                          \
    X(LKV_SECP384R1_MLKEM1024)                                                                                         \
    LKV_EACH_SET_WITH_FILES(X)
#define LKV_EACH_SET_WITH_FILES(X)                                                                                     \
    X(LKV_MLKEM512)                                                                                                    \
    X(LKV_MLKEM768)                                                                                                    \
    X(LKV_MLKEM1024)                                                                                                   \
    X(LKV_XWING)

#define LKV_ENUMERATOR(index) index,
enum { LKV_EACH_SET(LKV_ENUMERATOR) LKV_SETS };

typedef struct {
    const char *names; /* of its key and KEM in OpenSSL, with colons between; the first is latkem's */
    const char *name;
    int strength; /* bits, as OpenSSL states them for ML-KEM: 512, 768, 1024 */
    int security_bits;
    const char *group;            /* of TLS; or NULL */
    const char *oid, *short_name; /* of its key files; or NULL: there are none */
    int is_hybrid;
    int keeps_seed; /* the seed is part of the key, and of its files */
} lkv_set;

extern const lkv_set lkv_sets[LKV_SETS];

#endif
