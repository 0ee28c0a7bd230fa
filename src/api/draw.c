/* The randomness of operations from the operating system's generator or the caller's. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/kem.h"
#include "base/families.h"
#include "base/workspace.h"
#include "shared/wipe.h"

/* An operation of NTRU takes up to 4 KB, all others at most 96 bytes. */
enum { LONGEST_DIRECT = 256, BLOCK = 16 };

/* The secrets of stretch. */
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
    const int failed = latkem_system_rng(NULL, s.key, sizeof s.key);
    if (!failed) {
        aes->expand_key(&s.expanded, s.key);
        aes->ctr(out, blocks, &s.expanded, nonce, 0);
        aes->ctr(s.last, 1, &s.expanded, nonce, (uint32_t)blocks);
        memcpy(out + BLOCK * blocks, s.last, len % BLOCK);
    }
    lk_wipe(&s, sizeof s);
    return failed;
}

static int ask_system(const lk_backend *b, uint8_t *out, size_t each, size_t n)
{
    const lk_aes_kernels *aes = b->symmetric.aes;
    if (LK_HAS_AES && each > LONGEST_DIRECT && aes->instructions) return stretch(aes, out, n * each);
    return latkem_system_rng(NULL, out, n * each);
}

static int ask_caller(lk_rng rng, uint8_t *out, const size_t requests[LK_REQUESTS_MAX])
{
    for (size_t i = 0; i < LK_REQUESTS_MAX && requests[i] > 0; i++) {
        if (rng.fill(rng.ctx, out, requests[i]) != 0) return LATKEM_ERR_RNG;
        out += requests[i];
    }
    return 0;
}

int lk_draw(const lk_backend *b, lk_rng rng, uint8_t *out, const size_t requests[LK_REQUESTS_MAX], size_t n)
{
    const size_t each = lk_total(requests);
    int failed = 0;
    if (rng.fill == latkem_system_rng) return ask_system(b, out, each, n) ? LATKEM_ERR_RNG : 0;
    for (size_t i = 0; i < n && !failed; i++) failed = ask_caller(rng, out + i * each, requests);
    return failed;
}
