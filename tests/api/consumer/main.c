/* Two parties agree on a secret with an installed latkem. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    uint8_t ek[1184], dk[2400], ct[1088], ours[32], theirs[32];
    if (kem == NULL || latkem_ek_bytes(kem) != sizeof ek || latkem_dk_bytes(kem) != sizeof dk) return 1;

    int error = latkem_keypair(kem, ek, dk);
    if (!error) error = latkem_encaps(kem, ct, theirs, ek, sizeof ek);
    if (!error) error = latkem_decaps(kem, ours, ct, sizeof ct, dk, sizeof dk);
    if (error) {
        fprintf(stderr, "consumer: %s\n", latkem_strerror(error));
        return 1;
    }
    if (memcmp(ours, theirs, sizeof ours) != 0) return 1;
    printf("consumer: latkem %s, secrets agree\n", latkem_version());
    return 0;
}
