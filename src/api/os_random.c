/* Random bytes from the operating system. A failure is reported, never papered over.
 * SPDX-License-Identifier: Apache-2.0 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "api/kem.h"

#if defined(_WIN32)

#include <windows.h>
/* after windows.h */
#include <bcrypt.h>

int lk_os_random(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    while (len > 0) {
        const ULONG now = len < 0x10000 ? (ULONG)len : 0x10000;
        if (BCryptGenRandom(NULL, out, now, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) return -1;
        out += now;
        len -= now;
    }
    return 0;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/random.h>
#elif defined(__APPLE__)
#include <sys/random.h>
#endif

static int device_random(uint8_t *out, size_t len)
{
    int fd;
    do fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return -1;
    while (len > 0) {
        const ssize_t got = read(fd, out, len);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        out += got;
        len -= (size_t)got;
    }
    (void)close(fd);
    return len == 0 ? 0 : -1;
}

#if defined(__linux__)

/* Kernels before 3.17 lack the call; there the device serves. Any other failure is final. */
int lk_os_random(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    while (len > 0) {
        const ssize_t got = getrandom(out, len, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == ENOSYS) return device_random(out, len);
        if (got <= 0) return -1;
        out += got;
        len -= (size_t)got;
    }
    return 0;
}

#else

/* getentropy gives at most 256 bytes a call. */
int lk_os_random(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    while (len > 0) {
        const size_t now = len < 256 ? len : 256;
        if (getentropy(out, now) != 0) return errno == ENOSYS ? device_random(out, len) : -1;
        out += now;
        len -= now;
    }
    return 0;
}

#endif
#endif
