/* The Saber study: which share of each operation's time is spent in which function of the Saber document.
 *
 * Functions are not kernels: Keccak serves GenMatrix, GenSecret and the hashes, and the products serve MatrixVectorMul
 * and InnerProd. An operation calls the same kernels in the same order for all inputs, so each call's function is found
 * once, in a run that watches the Keccak states, and the timed runs note nothing but times.
 *
 * C that needs libc alone: bench/programs/saber_study and liblatkem_study of the Java bindings, on Android too, have it
 * from here. It puts backends in force and has one log: one thread at a time. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HARNESS_STUDY_SABER_H
#define LATKEM_HARNESS_STUDY_SABER_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LK_STUDY_GEN_MATRIX,
    LK_STUDY_GEN_SECRET,
    LK_STUDY_MATRIX_VECTOR_MUL,
    LK_STUDY_INNER_PROD,
    LK_STUDY_PACKING,
    LK_STUDY_SHA3_256,
    LK_STUDY_SHA3_512,
    LK_STUDY_RANDOMNESS,
    LK_STUDY_FUNCTIONS
};

/* Key generation, encapsulation, decapsulation. */
enum { LK_STUDY_OPERATIONS = 3 };

extern const char *const lk_study_function_names[LK_STUDY_FUNCTIONS];
extern const char *const lk_study_operation_names[LK_STUDY_OPERATIONS];

/* The cost of a timer for a call, in ticks, within the span that it reports and altogether, and what a tick lasts. */
typedef struct {
    const char *source;
    double nanoseconds, inside, altogether;
} lk_study_timer;

/* lk_study_calibrate measures the timer, for some twentieth of a second. */
void lk_study_calibrate(lk_study_timer *timer);

/* Nanoseconds of one operation. total is without timers, interposed with them, and corrected is interposed less what
 * the timers cost: the sum of the functions and of other, which is what no timer saw. */
typedef struct {
    double total, interposed, corrected, other;
    double functions[LK_STUDY_FUNCTIONS];
} lk_study_profile;

/* lk_study_saber measures the three operations of a set of Saber on a backend, in rounds that take turns, and restores
 * the library's choice of a backend. Returns NULL, or what was wrong, in words: then profiles is not to be used. */
const char *lk_study_saber(lk_study_profile profiles[LK_STUDY_OPERATIONS], const lk_study_timer *timer,
                           const latkem_kem *kem, const char *backend, unsigned rounds);

#ifdef __cplusplus
}
#endif

#endif
