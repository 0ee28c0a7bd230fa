/* The sets that the provider offers. SPDX-License-Identifier: Apache-2.0 */
#include "offered.h"

#include <stddef.h>

/* clang-format off */
#define MLKEM(strength_, bits, oid_) \
    {.names = "ML-KEM-" #strength_ ":MLKEM" #strength_ ":id-alg-ml-kem-" #strength_ ":" oid_, \
     .name = "ML-KEM-" #strength_, .strength = strength_, .security_bits = bits, .group = "MLKEM" #strength_, \
     .oid = oid_, .short_name = "id-alg-ml-kem-" #strength_, .keeps_seed = 1}
#define TLS_HYBRID(name_, strength_, bits) \
    {.names = name_, .name = name_, .strength = strength_, .security_bits = bits, .group = name_, .is_hybrid = 1}

/* Object identifiers: RFC 9935; draft-connolly-cfrg-xwing-kem. */
const lkv_set lkv_sets[LKV_SETS] = {
    [LKV_X25519_MLKEM768] = TLS_HYBRID("X25519MLKEM768", 768, 192),
    [LKV_SECP256R1_MLKEM768] = TLS_HYBRID("SecP256r1MLKEM768", 768, 192),
    [LKV_SECP384R1_MLKEM1024] = TLS_HYBRID("SecP384r1MLKEM1024", 1024, 256),
    [LKV_MLKEM512] = MLKEM(512, 128, "2.16.840.1.101.3.4.4.1"),
    [LKV_MLKEM768] = MLKEM(768, 192, "2.16.840.1.101.3.4.4.2"),
    [LKV_MLKEM1024] = MLKEM(1024, 256, "2.16.840.1.101.3.4.4.3"),
    [LKV_XWING] = {.names = "X-Wing:id-XWing:1.3.6.1.4.1.62253.25722", .name = "X-Wing", .strength = 768,
                   .security_bits = 192, .oid = "1.3.6.1.4.1.62253.25722", .short_name = "id-XWing", .is_hybrid = 1,
                   .keeps_seed = 1},
};
/* clang-format on */
