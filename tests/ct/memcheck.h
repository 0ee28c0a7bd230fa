/* The part that ct_check and protocol_ct share: secrets that are undefined for valgrind's memcheck, the verdict on an
 * operation, and the planted leaks. A program includes it once. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_TESTS_CT_MEMCHECK_H
#define LATKEM_TESTS_CT_MEMCHECK_H

#include <latkem/latkem.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <valgrind/memcheck.h>

/* Bytes of the largest object and of the largest prepared key. */
#define LARGEST 4096
#define LARGEST_PREPARED 131072

static char subject[80]; /* of the operations, for messages */
static const char *operation;
static int failures;

static inline void fail(const char *what)
{
    printf("%s, %s: %s\n", subject, operation, what);
    failures++;
}

static inline void reveal(void *bytes, size_t len)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, len);
}

static inline void hide(void *bytes, size_t len)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, len);
}

/* Random-looking bytes, the same in every run. */
static inline void fill(uint8_t *out, size_t len)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        out[i] = (uint8_t)(state >> 24);
    }
}

static inline void fill_secret(uint8_t *out, size_t len)
{
    fill(out, len);
    hide(out, len);
}

static inline int rng(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    fill_secret(out, len);
    return 0;
}

/* Comes before the C library's, so that the library's own randomness is secret here too. */
ssize_t getrandom(void *out, size_t len, unsigned flags);
ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    (void)flags;
    fill_secret(out, len);
    return (ssize_t)len;
}

/* Judges an operation: it returned what is wanted, without a report by memcheck since the last one. */
static inline void judge(const char *name, int rc, int wanted)
{
    static unsigned reported;
    const unsigned now = VALGRIND_COUNT_ERRORS;
    operation = name;
    if (now != reported) fail("depends on a secret, as memcheck reports above");
    reported = now;
    reveal(&rc, sizeof rc);
    if (rc != wanted) fail(latkem_strerror(rc));
}

/* An output that is secret must still count as such: else a secret was declared public on the way. */
static inline void expect_secret(const uint8_t *bytes, size_t len)
{
    uint8_t bits[LARGEST];
    (void)VALGRIND_GET_VBITS(bytes, bits, len);
    for (size_t i = 0; i < len; i++)
        if (bits[i] == 0) {
            fail("a secret output was declared public");
            return;
        }
}

static volatile uint8_t leak_table[256], leak_sink;

/* A planted leak: it branches on a secret byte, or reads from where it says. Unless memcheck reports both, its silence
 * says nothing. */
static inline int leak(const char *kind)
{
    uint8_t secret;
    fill_secret(&secret, 1);
    if (strcmp(kind, "leak-branch") == 0) {
        if (secret & 1) leak_sink = 1;
    } else {
        leak_sink = leak_table[secret];
    }
    return EXIT_SUCCESS;
}

/* Whether memcheck runs the program. */
static inline int is_under_memcheck(const char *program)
{
    if (!RUNNING_ON_VALGRIND) fprintf(stderr, "%s: finds nothing unless it runs under valgrind\n", program);
    return RUNNING_ON_VALGRIND != 0;
}

#endif
