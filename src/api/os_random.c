/* Random bytes from the operating system. A failure is reported, never papered over.
 * SPDX-License-Identifier: Apache-2.0 */
#if defined(__linux__) || defined(__wasi__)
#define _GNU_SOURCE
#endif

#include "api/kem.h"

#if defined(LATKEM_NO_OS_RANDOM)

/* Firmware has no system to ask: callers bring a generator of their own (latkem_rng_fn). */
int latkem_system_rng(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    (void)out;
    (void)len;
    return -1;
}

#elif defined(_WIN32)

#include <windows.h>
/* after windows.h */
#include <bcrypt.h>

int latkem_system_rng(void *ctx, uint8_t *out, size_t len)
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

#elif defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Old C libraries have no function for the system call, and the oldest kernel headers no number. uClibc calls itself
 * glibc 2.2. */
#if (defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 25) || (defined(__ANDROID_API__) && __ANDROID_API__ < 28)

#include <sys/syscall.h>

static ssize_t ask_kernel(uint8_t *out, size_t len)
{
#if defined(SYS_getrandom)
    return syscall(SYS_getrandom, out, len, 0);
#else
    (void)out;
    (void)len;
    errno = ENOSYS;
    return -1;
#endif
}

#else

#include <sys/random.h>

static ssize_t ask_kernel(uint8_t *out, size_t len)
{
    return getrandom(out, len, 0);
}

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

/* Kernels before 3.17 lack the call; there the device serves. Any other failure is final. */
int latkem_system_rng(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    while (len > 0) {
        const ssize_t got = ask_kernel(out, len);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == ENOSYS) return device_random(out, len);
        if (got <= 0) return -1;
        out += got;
        len -= (size_t)got;
    }
    return 0;
}

#elif defined(__unix__) || defined(__APPLE__) || defined(__wasi__) || defined(__EMSCRIPTEN__)

#if defined(__APPLE__) || defined(__sun) || defined(__EMSCRIPTEN__)
#include <sys/random.h>
#endif
#include <unistd.h>

/* getentropy gives at most 256 bytes a call. */
int latkem_system_rng(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    while (len > 0) {
        const size_t now = len < 256 ? len : 256;
        if (getentropy(out, now) != 0) return -1;
        out += now;
        len -= now;
    }
    return 0;
}

#else
#error                                                                                                                 \
    "no random generator is known for this system: configure with -DLATKEM_OS_RANDOM=OFF, or define LATKEM_NO_OS_RANDOM"
#endif
