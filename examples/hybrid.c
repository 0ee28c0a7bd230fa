/* Two parties agree on a secret with ML-KEM and X25519 at once. Build:
 * cc hybrid.c $(pkg-config --cflags --libs latkem-protocol). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/hybrid.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const latkem_kem *kem = latkem_hybrid_find("X-Wing");
    uint8_t ek[1216], dk[32], ct[1120], ours[32], theirs[32];
    int error = latkem_keypair(kem, ek, dk);                           /* we publish ek */
    if (!error) error = latkem_encaps(kem, ct, theirs, ek, sizeof ek); /* they send ct */
    if (!error) error = latkem_decaps(kem, ours, ct, sizeof ct, dk, sizeof dk);
    if (error) {
        fprintf(stderr, "hybrid: %s\n", latkem_strerror(error));
        return 1;
    }
    printf("X-Wing: the secrets %s\n", memcmp(ours, theirs, sizeof ours) == 0 ? "agree" : "differ");
    return memcmp(ours, theirs, sizeof ours) != 0;
}
