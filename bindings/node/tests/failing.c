/* getrandom that fails once LATKEM_TEST_NO_RANDOMNESS is set. SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    if (!getenv("LATKEM_TEST_NO_RANDOMNESS")) return syscall(SYS_getrandom, out, len, flags);
    errno = EIO;
    return -1;
}
