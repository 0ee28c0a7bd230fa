/* Claims of a program that tries every input, under sanitizers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_TRIALS_H
#define LATKEM_TRIALS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the input that is tried: its number; choices are the digits that are left of it. */
static unsigned long trial, digits;

static inline void claim(int holds, const char *text, const char *file, int line)
{
    if (holds) return;
    fprintf(stderr, "%s at %s:%d; trial %lu\n", text, file, line, trial);
    exit(1);
}

#define CLAIM(condition, text) claim((condition) ? 1 : 0, text, __FILE__, __LINE__)

/* A loop over all i below end. */
#define EACH(i, end) for (size_t i = 0; i < (end); i++)

/* choose returns one of 0 .. end - 1: trials have all combinations of choices, where each has the same end in all of
 * them. */
static inline size_t choose(size_t end)
{
    const size_t choice = digits % end;
    digits /= end;
    return choice;
}

/* try_all makes all trials and says how many. */
static inline int try_all(void (*one)(void))
{
    for (trial = 0;; trial++) {
        digits = trial;
        one();
        if (digits > 0) break;
    }
    printf("%lu\n", trial);
    return 0;
}

#endif
