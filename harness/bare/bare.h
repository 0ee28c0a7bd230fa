/* latkem's C calls in a loop: what the same work costs without the wrapper of another language.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BARE_H
#define BARE_H

#include <stdint.h>

enum bare_operation { BARE_KEYGEN, BARE_ENCAPS, BARE_DECAPS };

struct bare;

/* bare_open makes a key pair of the set, both forms of it, and a ciphertext. They stay until the process ends. NULL: the set
 * is unknown, there is no memory or no randomness. */
struct bare *bare_open(const char *set);

/* bare_repeat makes so many calls, with keys that were prepared before or with keys in bytes. Their results go to the same
 * buffers. Returns LATKEM_OK or the error of the call that failed. */
int bare_repeat(const struct bare *w, enum bare_operation operation, int prepared, int calls);

/* bare_secret returns the last shared secret and its length. */
const uint8_t *bare_secret(const struct bare *w, int *len);

#endif
