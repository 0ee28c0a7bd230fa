/* A program that leaves the provider to OpenSSL's own end, as most do: the configuration has loaded it, and nobody unloads it.
 * Succeeds if its KEM is there, and if nothing goes wrong after main. SPDX-License-Identifier: Apache-2.0 */
#include <openssl/evp.h>

int main(void)
{
    EVP_KEM *kem = EVP_KEM_fetch(NULL, "X25519MLKEM768", "provider=latkem");
    EVP_KEM_free(kem);
    return kem ? 0 : 1;
}
