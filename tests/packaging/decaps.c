/* A firmware's program that only decapsulates; it shows how much of the library a program keeps.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/latkem.h>

uint8_t dk[2400], ct[1088], ss[32];

int main(void)
{
    return latkem_decaps(latkem_kem_find("ML-KEM-768"), ss, ct, sizeof ct, dk, sizeof dk);
}
