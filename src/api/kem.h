/* The registry's rows and where randomness comes from. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_API_KEM_H
#define LK_API_KEM_H

#include <latkem/latkem.h>
#include <string.h>

#include "api/columns.h"

/* lk_sizes_of returns the sizes of a set, all 0 for NULL. */
static inline const lk_sizes *lk_sizes_of(const latkem_kem *kem)
{
    static const lk_sizes none = {.ek = 0};
    return kem ? &kem->row->bytes : &none;
}

/* lk_error_of returns 0 for LK_DONE, and an error for all else that a row's function may seem to return. */
static inline int lk_error_of(int result)
{
    if (result == LK_DONE) return 0;
    return result < 0 ? result : LATKEM_ERR_FAULT;
}

/* lk_again returns the address of object i of an array, computed once more: the optimiser does not see that it was known. */
static inline const uint8_t *lk_again(const uint8_t *array, size_t i, size_t each)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(array), "+r"(i));
    return array + i * each;
#else
    const uint8_t *volatile again = array;
    return again + i * each;
#endif
}

/* lk_ask has a row's function do a request, and returns what it returns, or LATKEM_ERR_FAULT if the request is no longer one
 * of n operations, or its outputs are not those that the entry point was given: out1 and out2, computed by lk_again, or
 * NULL. */
static inline int lk_ask(lk_request_fn *function, const lk_request *request, size_t n, const uint8_t *out1,
                         const uint8_t *out2)
{
    const int result = function(request);
    return request->n == n && request->io.ct_out == out1 && request->io.ss == out2 ? result : LATKEM_ERR_FAULT;
}

/* lk_answer is an entry point's return value for a result: 0 for LK_DONE, else an error. With an error two outputs,
 * which may be NULL, are zeroed, also if a fault takes it the wrong way. */
static inline int lk_answer(int result, void *out1, size_t len1, void *out2, size_t len2)
{
    if (result == LK_DONE) return 0;
    if (out1) memset(out1, 0, len1);
    if (out2) memset(out2, 0, len2);
    return result < 0 ? result : LATKEM_ERR_FAULT;
}

/* The source of randomness: the operating system, if fill is latkem_system_rng, or the caller. */
typedef struct {
    latkem_rng_fn *fill;
    void *ctx;
} lk_rng;

/* lk_draw fills out with the randomness of n operations, which make requests each. A caller's generator is asked as the
 * official code asks its own, the operating system once for all n: where they take more than 256 bytes each (NTRU) and
 * b has AES instructions, it gives a key of 32 bytes, and out is the key stream of AES-256-CTR. Nothing is kept from
 * call to call. Returns 0 or LATKEM_ERR_RNG, and out is not to be used then. */
int lk_draw(const lk_backend *b, lk_rng rng, uint8_t *out, const size_t requests[LK_REQUESTS_MAX], size_t n);

#endif
