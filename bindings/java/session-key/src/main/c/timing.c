/* The bare KEM call of each step of the session key: a key pair, an encapsulation, a decapsulation, with bytes in and
 * out as in latkem.h. The library's work for these, and nothing of Java's. SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199506L /* clock_gettime */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <latkem/backend.h>
#include <latkem/latkem.h>

#include "study.h"

enum { KEY_PAIRS = 64 }; /* in use at a time, as in the scenario */

/* In the order of the constants of org.latkem.study.Step. */
enum step { KEYGEN, ENCRYPT, DECRYPT, STEPS };

/* Keys that are made to be thrown away, their ciphertexts, and the shared secret of the last call. */
struct work {
    const latkem_kem *kem;
    uint8_t *eks, *dks, *cts, *ss;
};

static int run(const struct work *work, enum step step, size_t owner)
{
    const latkem_kem *const kem = work->kem;
    const size_t ek_bytes = latkem_ek_bytes(kem), dk_bytes = latkem_dk_bytes(kem), ct_bytes = latkem_ct_bytes(kem);
    uint8_t *const ek = work->eks + owner * ek_bytes, *const dk = work->dks + owner * dk_bytes,
                   *const ct = work->cts + owner * ct_bytes;
    switch (step) {
    case KEYGEN: return latkem_keypair(kem, ek, dk);
    case ENCRYPT: return latkem_encaps(kem, ct, work->ss, ek, ek_bytes);
    default: return latkem_decaps(kem, work->ss, ct, ct_bytes, dk, dk_bytes);
    }
}

/* Each step so often, with the owners in turn. */
static int run_all(const struct work *work, enum step step, size_t repetitions)
{
    int result = LATKEM_OK;
    for (size_t i = 0; i < repetitions && result == LATKEM_OK; i++) result = run(work, step, i % KEY_PAIRS);
    return result;
}

/* Processor time of this thread: what else runs on the machine does not count. */
static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Nanoseconds of all repetitions, or a negative error. The step's inputs are made before. */
static int64_t measure(const struct work *work, enum step step, size_t repetitions)
{
    const size_t owners = repetitions < KEY_PAIRS ? repetitions : KEY_PAIRS;
    int result = LATKEM_OK;
    for (int before = KEYGEN; before < (int)step && result == LATKEM_OK; before++)
        result = run_all(work, (enum step)before, owners);
    const int64_t begin = now();
    if (result == LATKEM_OK) result = run_all(work, step, repetitions);
    return result == LATKEM_OK ? now() - begin : result;
}

static int64_t measure_with_room(const latkem_kem *kem, enum step step, size_t repetitions)
{
    const size_t eks = KEY_PAIRS * latkem_ek_bytes(kem), dks = KEY_PAIRS * latkem_dk_bytes(kem),
                 cts = KEY_PAIRS * latkem_ct_bytes(kem);
    uint8_t *const room = calloc(1, eks + dks + cts + latkem_ss_bytes(kem));
    if (room == NULL) return LATKEM_ERR_ARGUMENT;
    const struct work work = {kem, room, room + eks, room + eks + dks, room + eks + dks + cts};
    const int64_t result = measure(&work, step, repetitions);
    free(room);
    return result;
}

static jlong JNICALL nanoseconds(JNIEnv *env, jclass self, jstring set, jstring backend, jint step, jint repetitions)
{
    (void)self;
    char set_name[STUDY_NAME_BYTES], backend_name[STUDY_NAME_BYTES];
    const latkem_kem *const kem = study_name(env, set_name, set) ? latkem_kem_find(set_name) : NULL;
    const int known = study_name(env, backend_name, backend) &&
                      latkem_backend_use(backend == NULL ? NULL : backend_name) == LATKEM_OK;
    if (kem == NULL || !known || step < KEYGEN || step >= STEPS || repetitions < 1) {
        study_refuse(env, "no such set, backend or step, or less than one repetition");
        return 0;
    }
    const int64_t result = measure_with_room(kem, (enum step)step, (size_t)repetitions);
    if (result < 0) study_refuse(env, latkem_strerror((int)result));
    return result;
}

static jlong JNICALL thread_nanoseconds(JNIEnv *env, jclass self)
{
    (void)env;
    (void)self;
    return now();
}

static const JNINativeMethod methods[] = {
    {"threadNanoseconds", "()J", (void *)thread_nanoseconds},
    {"nanoseconds", "(Ljava/lang/String;Ljava/lang/String;II)J", (void *)nanoseconds},
};

const struct study_natives study_timing = {methods, sizeof methods / sizeof methods[0]};
