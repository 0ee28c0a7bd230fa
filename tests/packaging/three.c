/* A firmware's program of the three operations. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>

uint8_t ek[1184], dk[2400], ct[1088], ss[32], seed[64];

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    return latkem_keypair_derand(kem, ek, dk, seed, sizeof seed) |
           latkem_encaps_derand(kem, ct, ss, ek, sizeof ek, seed, 32) |
           latkem_decaps(kem, ss, ct, sizeof ct, dk, sizeof dk);
}
