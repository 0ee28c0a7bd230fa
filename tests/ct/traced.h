/* The operations with traces to compare, for programs that record traces. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_TESTS_TRACED_H
#define LATKEM_TESTS_TRACED_H

#include <latkem/latkem.h>
#include <stdint.h>

/* Numbers from 0 on are secrets; those of the last two are bytes of zeros and of ones. */
enum { TRACED_SECRETS = 64 };

/* traced_prepare makes the inputs of an operation: a key pair and a ciphertext that are the same in every run, then the
 * secrets of this one, which follow from the number `secret`; with 0 they are those of the key pair. Every object is at
 * the same address in every run. Ends the program if the library fails. */
void traced_prepare(const latkem_kem *kem, uint32_t secret, const char *operation);

/* traced_run runs keypair, encaps, decaps, encaps_prepared or decaps_prepared; in sets with key exchanges uake_start
 * (which is that of AKE too; its ephemeral key has the seed of keypair), uake_reply, uake_finish, ake_reply or
 * ake_finish; in sets with parts encaps1, encaps2 or decaps_parts; or prepare_ek on the last encapsulation key; or a planted leak: leak-branch, leak-index or, where there
 * is AVX2, leak-gather. Returns 0, a latkem_error, or -1 where there is no such operation. */
int traced_run(const latkem_kem *kem, const char *operation);

#endif
