/* latkem_system_rng as it is compiled for one system, on systems that this program plays: it has every function that
 * the systems are asked with, and reports which was called. Usage: os_random FUNCTION, the one that must be called;
 * "none" where there is no randomness to be had. SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>

int latkem_system_rng(void *ctx, uint8_t *out, size_t len);

static struct {
    const char *called; /* the function that was called last */
    int fail_from;      /* the request that fails, with every one after it; 0: none */
    int awkward;        /* interrupted calls and short answers, which are no failure */
    int requests;
    uint8_t next;
} os;

static int failures;

static void expect(int condition, const char *what)
{
    if (condition) return;
    printf("os_random: %s\n", what);
    failures++;
}

static int answer(const char *function, uint8_t *out, size_t len)
{
    os.called = function;
    os.requests++;
    if (os.fail_from != 0 && os.requests >= os.fail_from) return -1;
    for (size_t i = 0; i < len; i++) out[i] = os.next++;
    return 0;
}

static ssize_t answer_as_linux(const char *function, uint8_t *out, size_t len, unsigned flags)
{
    expect(flags == 0, "the kernel is asked with flags");
    errno = EINTR;
    if (os.awkward && os.requests++ % 2 == 0) return -1;
    const size_t given = os.awkward && len > 7 ? 7 : len;
    errno = EIO;
    return answer(function, out, given) == 0 ? (ssize_t)given : -1;
}

ssize_t getrandom(void *out, size_t len, unsigned flags);
ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    return answer_as_linux("getrandom", out, len, flags);
}

long syscall(long number, ...);
long syscall(long number, ...)
{
    va_list arguments;
    va_start(arguments, number);
    uint8_t *out = va_arg(arguments, uint8_t *);
    const size_t len = va_arg(arguments, size_t);
    const unsigned flags = (unsigned)va_arg(arguments, int);
    va_end(arguments);
    expect(number == SYS_getrandom, "another system call");
    return answer_as_linux("syscall", out, len, flags);
}

int getentropy(void *out, size_t len);
int getentropy(void *out, size_t len)
{
    expect(len <= 256, "getentropy is asked for more than 256 bytes");
    return answer("getentropy", out, len);
}

long BCryptGenRandom(void *algorithm, unsigned char *out, unsigned long len, unsigned long flags);
long BCryptGenRandom(void *algorithm, unsigned char *out, unsigned long len, unsigned long flags)
{
    expect(algorithm == NULL && flags == 2, "BCryptGenRandom is not asked for the system's generator");
    return answer("BCryptGenRandom", out, len);
}

/* Lengths around the limits of one request. */
static const size_t lengths[] = {0, 1, 32, 255, 256, 257, 513, 65536, 65537, 200000};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], LONGEST = 200000, UNTOUCHED = 0xee };
static uint8_t out[LONGEST + 1];

static int ask(size_t len, int fail_from, int awkward)
{
    memset(&os, 0, sizeof os);
    os.fail_from = fail_from;
    os.awkward = awkward;
    memset(out, UNTOUCHED, sizeof out);
    return latkem_system_rng(NULL, out, len);
}

static void gives_what_the_system_gives(const char *function, size_t len, int awkward)
{
    expect(ask(len, 0, awkward) == 0, "fails");
    expect(len == 0 || (os.called && strcmp(os.called, function) == 0), "asks another function");
    int same = 1;
    for (size_t i = 0; i < len; i++) same &= out[i] == (uint8_t)i;
    expect(same, "gives other bytes than the system");
    expect(out[len] == UNTOUCHED, "writes behind the end");
}

static void check(const char *function)
{
    const int linux_system = strcmp(function, "getrandom") == 0 || strcmp(function, "syscall") == 0;
    for (int i = 0; i < LENGTHS; i++) {
        gives_what_the_system_gives(function, lengths[i], 0);
        if (linux_system) gives_what_the_system_gives(function, lengths[i], 1);
        if (lengths[i] > 0) expect(ask(lengths[i], 1, 0) != 0, "hides the system's failure");
    }
    expect(ask(LONGEST, 2, linux_system) != 0, "hides a failure of the second request");
}

/* Kernels without the call: the device serves. */
static void check_device(void)
{
    expect(ask(64, 0, 0) == 0 && os.called == NULL, "does not read the device");
    int same = 1;
    for (size_t i = 1; i < 64; i++) same &= out[i] == out[0];
    expect(!same, "does not give the device's bytes");
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    if (strcmp(argv[1], "none") == 0)
        expect(ask(32, 0, 0) != 0 && os.called == NULL, "succeeds without randomness");
    else if (strcmp(argv[1], "device") == 0)
        check_device();
    else
        check(argv[1]);
    return failures != 0;
}
