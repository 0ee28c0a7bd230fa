/* Functions of the ARM run-time ABI (sections 4.3.1 and 4.3.4) that clang calls on 32-bit ARM: division, for which
 * older processors have no instruction, in a time that depends on nothing, and copying. Bionic's own are private to
 * it or, of old, not there. Compiled with -fno-builtin, because memset could be turned into the function that calls it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

/* The quotient is in the lower half of the result, r0, and the remainder in the upper, r1. */
uint64_t __aeabi_uidivmod(uint32_t n, uint32_t d);
uint32_t __aeabi_uidiv(uint32_t n, uint32_t d);

uint64_t __aeabi_uidivmod(uint32_t n, uint32_t d)
{
    uint32_t quotient = 0;
    uint64_t remainder = 0;
    for (int bit = 31; bit >= 0; bit--) {
        remainder = remainder << 1 | (n >> bit & 1);
        const uint64_t rest = remainder - d;
        const uint64_t smaller = rest >> 63; /* 1 where d does not fit */
        remainder = rest + (d & (0 - smaller));
        quotient = quotient << 1 | (uint32_t)(smaller ^ 1);
    }
    return remainder << 32 | quotient;
}

uint32_t __aeabi_uidiv(uint32_t n, uint32_t d)
{
    return (uint32_t)__aeabi_uidivmod(n, d);
}

#define COPIES(name, function)                                                                                         \
    void name(void *out, const void *in, size_t len);                                                                  \
    void name(void *out, const void *in, size_t len)                                                                   \
    {                                                                                                                  \
        function(out, in, len);                                                                                        \
    }
COPIES(__aeabi_memcpy, memcpy)
COPIES(__aeabi_memcpy4, memcpy)
COPIES(__aeabi_memcpy8, memcpy)
COPIES(__aeabi_memmove, memmove)
COPIES(__aeabi_memmove4, memmove)
COPIES(__aeabi_memmove8, memmove)

/* The length comes before the byte. */
#define FILLS(name)                                                                                                    \
    void name(void *out, size_t len, int c);                                                                           \
    void name(void *out, size_t len, int c)                                                                            \
    {                                                                                                                  \
        memset(out, c, len);                                                                                           \
    }
FILLS(__aeabi_memset)
FILLS(__aeabi_memset4)
FILLS(__aeabi_memset8)

#define CLEARS(name)                                                                                                   \
    void name(void *out, size_t len);                                                                                  \
    void name(void *out, size_t len)                                                                                   \
    {                                                                                                                  \
        memset(out, 0, len);                                                                                           \
    }
CLEARS(__aeabi_memclr)
CLEARS(__aeabi_memclr4)
CLEARS(__aeabi_memclr8)
