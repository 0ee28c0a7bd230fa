/* The randomness of operations from the operating system's generator. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/kem.h"
#include "base/wipe.h"
#include "base/workspace.h"

/* An operation of NTRU takes up to 4 KB, all others at most 96 bytes. */
enum { LONGEST_DIRECT = 256, BLOCK = 16 };

/* What is secret in stretch. */
typedef struct {
    _Alignas(LK_ALIGN) lk_aes256_key expanded;
    uint8_t key[32], last[BLOCK];
} stretching;

/* len bytes of AES-256-CTR under a fresh key, with nonce and counter 0. The key is used for nothing else. */
static int stretch(const lk_aes_kernels *aes, uint8_t *out, size_t len)
{
    static const uint8_t nonce[12];
    const size_t blocks = len / BLOCK;
    stretching s;
    const int failed = lk_os_random(NULL, s.key, sizeof s.key);
    if (!failed) {
        aes->expand_key(&s.expanded, s.key);
        aes->ctr(out, blocks, &s.expanded, nonce, 0);
        aes->ctr(s.last, 1, &s.expanded, nonce, (uint32_t)blocks);
        memcpy(out + BLOCK * blocks, s.last, len % BLOCK);
    }
    lk_wipe(&s, sizeof s);
    return failed;
}

int lk_draw(const lk_backend *b, uint8_t *out, const size_t requests[LK_REQUESTS_MAX], size_t n)
{
    const size_t each = lk_total(requests);
    const lk_aes_kernels *aes = b->symmetric.aes; /* NULL where no set needs it */
    const int failed = each > LONGEST_DIRECT && aes && aes->instructions ? stretch(aes, out, n * each)
                                                                         : lk_os_random(NULL, out, n * each);
    return failed ? LATKEM_ERR_RNG : 0;
}
