/* Prints the parameter sets and the backends of the library that it is linked with, after each set has shared a secret on each
 * backend. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <stdio.h>
#include <string.h>

static int shares_a_secret(const latkem_kem *kem)
{
    static uint8_t ek[4096], dk[4096], ct[4096], ours[32], theirs[32];
    return latkem_keypair(kem, ek, dk) == 0 && latkem_encaps(kem, ct, theirs, ek, latkem_ek_bytes(kem)) == 0 &&
           latkem_decaps(kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem)) == 0 &&
           memcmp(ours, theirs, sizeof ours) == 0;
}

int main(void)
{
    const char *backend;
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++) printf("%s ", latkem_kem_name(kem));
    for (size_t j = 0; (backend = latkem_backend_at(j)); j++) {
        printf("%s ", backend);
        if (latkem_backend_use(backend) != 0) return 1;
        for (size_t i = 0; (kem = latkem_kem_at(i)); i++)
            if (!shares_a_secret(kem)) return 1;
    }
    putchar('\n');
    return 0;
}
