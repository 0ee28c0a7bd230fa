/* The content of a context's storage. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_HPKE_CONTEXT_H
#define LKP_HPKE_CONTEXT_H

#include "hpke/schedule.h"

/* A value that storage is not likely to hold by chance: the role of a context that can be used. */
#define LKP_HPKE_SENDER UINT64_C(0x9f1c6a3be07d5284)
#define LKP_HPKE_RECIPIENT UINT64_C(0x46d02b98f35ea17c)

typedef struct {
    uint64_t role, sequence; /* the sequence number of the next message */
    uint16_t kem, kdf, aead; /* their numbers: no pointer is read from the caller's storage */
    lkp_hpke_secrets secrets;
} lkp_hpke_context;

#endif
