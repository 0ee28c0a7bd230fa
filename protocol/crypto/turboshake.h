/* TurboSHAKE (RFC 9861) with domain separation byte 0x1F, which libcrypto does not have. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_TURBOSHAKE_H
#define LKP_TURBOSHAKE_H

#include "crypto/crypto.h"

/* lkp_turboshake hashes the pieces, one behind the other, to out_len bytes. rate is the sponge's, in bytes: 168 of
 * TurboSHAKE128, 136 of TurboSHAKE256. out may be one of the pieces. */
void lkp_turboshake(size_t rate, uint8_t *out, size_t out_len, const lkp_piece *pieces, size_t count);

#endif
