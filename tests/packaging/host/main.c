/* The host's program: one secret is shared. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    static uint8_t ek[1184], dk[2400], ct[1088], ours[32], theirs[32];
    if (latkem_keypair(kem, ek, dk) != 0 || latkem_encaps(kem, ct, theirs, ek, sizeof ek) != 0 ||
        latkem_decaps(kem, ours, ct, sizeof ct, dk, sizeof dk) != 0 || memcmp(ours, theirs, sizeof ours) != 0)
        return 1;
    puts("host: secrets agree");
    return 0;
}
