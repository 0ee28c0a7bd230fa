/* Failure of the operating system's randomness. This program's own getrandom and open come before the C library's, fail
 * as each case wants, and else hand out bytes that the test knows. For Linux. SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>
#include <latkem/prepared.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define BATCH 4
#define LARGEST 4096
#define LARGEST_PREPARED 131072

/* How the operating system behaves. */
static struct {
    int fail_from;      /* the request of getrandom that fails, with every one after it; 0: none */
    int error;          /* what errno then says; ENOSYS sends the library to the device */
    const char *device; /* what opens in the place of /dev/urandom, or NULL if it is missing */
    int awkward;        /* interrupted calls and short answers, which are no failure */
    int requests;
    uint8_t next;
} os;

static int failures;
static const char *set_name, *case_name;

static void expect(int condition, const char *call, const char *what)
{
    if (condition) return;
    printf("%s, %s, %s: %s\n", set_name, case_name, call, what);
    failures++;
}

ssize_t getrandom(void *out, size_t len, unsigned flags);
ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    expect(flags == 0, "getrandom", "is called with flags: it shall wait until the system has entropy, and no longer");
    os.requests++;
    if (os.fail_from != 0 && os.requests >= os.fail_from) {
        errno = os.error;
        return -1;
    }
    if (os.awkward && os.requests % 2 == 1) {
        errno = EINTR;
        return -1;
    }
    if (os.awkward && len > 7) len = 7;
    for (size_t i = 0; i < len; i++) ((uint8_t *)out)[i] = os.next++;
    return (ssize_t)len;
}

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    va_list arguments;
    va_start(arguments, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (strcmp(path, "/dev/urandom") != 0) return next(path, flags, mode);
    if (os.device != NULL) return next(os.device, flags);
    errno = ENOENT;
    return -1;
}

struct outputs {
    uint8_t ek[BATCH * LARGEST], dk[BATCH * LARGEST], ct[BATCH * LARGEST], ss[BATCH * 64];
};

static int all_are(const void *memory, size_t len, uint8_t value)
{
    const uint8_t *bytes = memory;
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != value) return 0;
    return 1;
}

/* Both outputs are zeroed as far as they reach, and nothing behind them is touched. */
static void expect_failed(int rc, const char *call, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    expect(rc == LATKEM_ERR_RNG, call, "does not report LATKEM_ERR_RNG");
    expect(all_are(a, a_len, 0) && all_are(b, b_len, 0), call, "leaves its outputs unzeroed");
    expect(a[a_len] == 0xee && b[b_len] == 0xee, call, "writes behind its outputs");
}

static void set_case(const char *name, int fail_from, int error, const char *device, int awkward)
{
    case_name = name;
    memset(&os, 0, sizeof os);
    os.fail_from = fail_from;
    os.error = error;
    os.device = device;
    os.awkward = awkward;
}

/* The keys are made while the operating system still works. */
static struct {
    uint8_t ek[BATCH * LARGEST], dk[BATCH * LARGEST];
    _Alignas(max_align_t) uint8_t prepared_ek[LARGEST_PREPARED];
} good;

static void make_good_keys(const latkem_kem *kem)
{
    set_case("working", 0, 0, NULL, 0);
    expect(latkem_prepared_ek_bytes(kem) <= LARGEST_PREPARED && latkem_dk_bytes(kem) < LARGEST, "test", "too small");
    expect(latkem_keypair_batch(kem, BATCH, good.ek, good.dk) == 0, "keypair_batch", "fails");
    expect(latkem_prepare_ek(kem, good.prepared_ek, good.ek, latkem_ek_bytes(kem)) == 0, "prepare_ek", "fails");
    expect(os.requests > 0, "keypair_batch", "does not ask this program's getrandom");
}

static void single_calls_fail(const latkem_kem *kem)
{
    const size_t ek = latkem_ek_bytes(kem), dk = latkem_dk_bytes(kem), ct = latkem_ct_bytes(kem),
                 ss = latkem_ss_bytes(kem);
    static struct outputs o;
    memset(&o, 0xee, sizeof o);
    expect_failed(latkem_keypair(kem, o.ek, o.dk), "keypair", o.ek, ek, o.dk, dk);
    expect_failed(latkem_encaps(kem, o.ct, o.ss, good.ek, ek), "encaps", o.ct, ct, o.ss, ss);
    memset(&o, 0xee, sizeof o);
    expect_failed(latkem_encaps_prepared(kem, o.ct, o.ss, good.prepared_ek), "encaps_prepared", o.ct, ct, o.ss, ss);
}

static void keypair_batch_fails(const latkem_kem *kem)
{
    static struct outputs o;
    memset(&o, 0xee, sizeof o);
    expect_failed(latkem_keypair_batch(kem, BATCH, o.ek, o.dk), "keypair_batch", o.ek, BATCH * latkem_ek_bytes(kem),
                  o.dk, BATCH * latkem_dk_bytes(kem));
}

static void encaps_batch_fails(const latkem_kem *kem)
{
    static struct outputs o;
    memset(&o, 0xee, sizeof o);
    expect_failed(latkem_encaps_batch(kem, BATCH, o.ct, o.ss, good.ek), "encaps_batch", o.ct,
                  BATCH * latkem_ct_bytes(kem), o.ss, BATCH * latkem_ss_bytes(kem));
}

static void all_calls_fail(const latkem_kem *kem)
{
    single_calls_fail(kem);
    keypair_batch_fails(kem);
    encaps_batch_fails(kem);
}

static void calls_succeed(const latkem_kem *kem)
{
    static struct outputs o;
    uint8_t opened[64];
    expect(latkem_keypair(kem, o.ek, o.dk) == 0, "keypair", "fails");
    expect(latkem_encaps(kem, o.ct, o.ss, o.ek, latkem_ek_bytes(kem)) == 0, "encaps", "fails");
    expect(latkem_decaps(kem, opened, o.ct, latkem_ct_bytes(kem), o.dk, latkem_dk_bytes(kem)) == 0, "decaps", "fails");
    expect(memcmp(opened, o.ss, latkem_ss_bytes(kem)) == 0, "decaps", "gives another secret");
}

/* Every byte that the operating system gives is used, in its order: z, the end of dk, is the end of the seed. If the
 * seed is a key stream, the system gives a key alone; wipe_test compares the stream. */
static void bytes_arrive(const latkem_kem *kem)
{
    static struct outputs o;
    const int may_stretch = latkem_seed_bytes(kem) > 256 && strcmp(latkem_backend_name(), "portable") != 0;
    expect(latkem_keypair(kem, o.ek, o.dk) == 0, "keypair", "fails");
    if (may_stretch && os.next == 32) return;
    const uint8_t *z = o.dk + latkem_dk_bytes(kem) - 32;
    const int first = (int)latkem_seed_bytes(kem) - 32;
    for (int i = 0; i < 32; i++)
        expect(z[i] == (uint8_t)(first + i), "keypair", "does not use the random bytes in their order");
}

static void check_set(const latkem_kem *kem)
{
    set_name = latkem_kem_name(kem);
    make_good_keys(kem);
    set_case("error", 1, EIO, "/dev/urandom", 0);
    all_calls_fail(kem);
    set_case("no call, no device", 1, ENOSYS, NULL, 0);
    all_calls_fail(kem);
    set_case("no call, empty device", 1, ENOSYS, "/dev/null", 0);
    all_calls_fail(kem);
    set_case("error after a short answer", 3, EIO, NULL, 1);
    keypair_batch_fails(kem);
    set_case("error after a short answer", 3, EIO, NULL, 1);
    encaps_batch_fails(kem);
    set_case("no call, but the device", 1, ENOSYS, "/dev/urandom", 0);
    calls_succeed(kem);
    set_case("interruptions and short answers", 0, 0, NULL, 1);
    bytes_arrive(kem);
    calls_succeed(kem);
}

int main(void)
{
    int checked = 0;
    for (size_t i = 0; latkem_backend_at(i) != NULL; i++) {
        if (latkem_backend_use(latkem_backend_at(i)) != 0) return EXIT_FAILURE;
        for (size_t j = 0; latkem_kem_at(j) != NULL; j++, checked++) check_set(latkem_kem_at(j));
    }
    printf("os_rng: %d sets and backends checked, %d failures\n", checked, failures);
    return checked > 0 && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
