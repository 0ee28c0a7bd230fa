/* Key objects: decapsulation keys, and expanded encapsulation keys. SPDX-License-Identifier: Apache-2.0 */
#if defined(__linux__)
#define _GNU_SOURCE /* posix_memalign */
#endif

#include "keys.h"

#include <latkem/derand.h>
#include <latkem/prepared.h>
#include <stdlib.h>

key *key_new(const latkem_kem *kem)
{
    key *k = malloc(sizeof *k + latkem_dk_bytes(kem));
    if (k) *k = (key){.kem = kem};
    return k;
}

/* Expanded keys are read by whole vectors: each on its cache line. NULL if there is no memory. */
static void *prepared_memory(size_t bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, 64, bytes) == 0 ? memory : NULL;
}

static void free_wiped(void *p, size_t bytes)
{
    if (p) wipe(p, bytes);
    free(p);
}

void key_free(key *k)
{
    if (!k) return;
    free_wiped(k->prepared, latkem_prepared_dk_bytes(k->kem));
    free_wiped(k, sizeof *k + latkem_dk_bytes(k->kem));
}

jlong key_or_error(key *k, int error)
{
    if (!error) return handle_of(k);
    key_free(k);
    return error;
}

/* The system's generator, which notes ML-KEM's one request, d || z. */
static int note_seed(void *ctx, uint8_t *out, size_t len)
{
    key *k = ctx;
    const int failed = latkem_system_rng(NULL, out, len);
    if (failed || len != KEPT_SEED_BYTES) return -1;
    memcpy(k->seed, out, len);
    k->has_seed = 1;
    return 0;
}

/* keepsSeed is true of ML-KEM. */
static jlong generate(JNIEnv *env, jclass class, jlong handle, jboolean keepsSeed, jbyteArray ek)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    uint8_t ek_copy[EK_MAX];
    key *k = key_new(kem);
    if (!k) return JNI_NO_MEMORY;
    const int error = latkem_keypair_rng(kem, ek_copy, k->dk, keepsSeed ? note_seed : latkem_system_rng, k);
    put(env, ek, ek_copy, latkem_ek_bytes(kem));
    return key_or_error(k, error);
}

static jlong fromSeed(JNIEnv *env, jclass class, jlong handle, jboolean keepsSeed, jbyteArray ek, jbyteArray seed)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const size_t seed_len = latkem_seed_bytes(kem);
    uint8_t ek_copy[EK_MAX], seed_copy[SEED_MAX];
    key *k = key_new(kem);
    if (!k) return JNI_NO_MEMORY;
    get(env, seed, seed_copy, seed_len);
    const int error = latkem_keypair_derand(kem, ek_copy, k->dk, seed_copy, seed_len);
    if (keepsSeed) memcpy(k->seed, seed_copy, KEPT_SEED_BYTES);
    k->has_seed = keepsSeed;
    wipe(seed_copy, seed_len);
    put(env, ek, ek_copy, latkem_ek_bytes(kem));
    return key_or_error(k, error);
}

/* ML-KEM's keys have checks (FIPS 203 sections 7.2 and 7.3). The other schemes' operations look at the length alone, which
 * Java has checked. */
static int is_checked(const latkem_kem *kem)
{
    return latkem_kem_is_standard(kem);
}

static jlong fromBytes(JNIEnv *env, jclass class, jlong handle, jbyteArray dk)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    key *k = key_new(kem);
    if (!k) return JNI_NO_MEMORY;
    get(env, dk, k->dk, latkem_dk_bytes(kem));
    return key_or_error(k, is_checked(kem) ? latkem_check_dk(kem, k->dk, latkem_dk_bytes(kem)) : 0);
}

/* Of one thread at a time. */
static jint expand(JNIEnv *env, jclass class, jlong handle)
{
    (void)env, (void)class;
    key *k = key_of(handle);
    void *prepared = prepared_memory(latkem_prepared_dk_bytes(k->kem));
    if (!prepared) return JNI_NO_MEMORY;
    const int error = latkem_prepare_dk(k->kem, prepared, k->dk, latkem_dk_bytes(k->kem));
    if (error)
        free(prepared);
    else
        k->prepared = prepared;
    return error;
}

static void toBytes(JNIEnv *env, jclass class, jlong handle, jbyteArray dk)
{
    (void)class;
    const key *k = key_of(handle);
    put(env, dk, k->dk, latkem_dk_bytes(k->kem));
}

static void seed(JNIEnv *env, jclass class, jlong handle, jbyteArray out)
{
    (void)class;
    put(env, out, key_of(handle)->seed, KEPT_SEED_BYTES);
}

/* With the expanded key, if there is one. */
static jint decapsulateWith(JNIEnv *env, jclass class, jlong handle, jbyteArray ss, jbyteArray ct)
{
    (void)class;
    const key *k = key_of(handle);
    const void *prepared = k->prepared;
    const size_t ct_len = latkem_ct_bytes(k->kem);
    uint8_t ct_copy[CT_MAX], ss_copy[SS_MAX];
    get(env, ct, ct_copy, ct_len);
    const int error = prepared ? latkem_decaps_prepared(k->kem, ss_copy, ct_copy, ct_len, prepared)
                               : latkem_decaps(k->kem, ss_copy, ct_copy, ct_len, k->dk, latkem_dk_bytes(k->kem));
    put(env, ss, ss_copy, latkem_ss_bytes(k->kem));
    wipe(ss_copy, sizeof ss_copy);
    return error;
}

static void freeKey(JNIEnv *env, jclass class, jlong handle)
{
    (void)env, (void)class;
    key_free(key_of(handle));
}

static jint checkEk(JNIEnv *env, jclass class, jlong handle, jbyteArray ek)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    uint8_t ek_copy[EK_MAX];
    get(env, ek, ek_copy, latkem_ek_bytes(kem));
    return is_checked(kem) ? latkem_check_ek(kem, ek_copy, latkem_ek_bytes(kem)) : 0;
}

/* An expanded encapsulation key holds no secret, and nothing beside: its handle is the storage itself. */
static jlong expandEk(JNIEnv *env, jclass class, jlong handle, jbyteArray ek)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const size_t ek_len = latkem_ek_bytes(kem);
    uint8_t ek_copy[EK_MAX];
    void *prepared = prepared_memory(latkem_prepared_ek_bytes(kem));
    if (!prepared) return JNI_NO_MEMORY;
    get(env, ek, ek_copy, ek_len);
    const int error = latkem_prepare_ek(kem, prepared, ek_copy, ek_len);
    if (!error) return handle_of(prepared);
    free(prepared);
    return error;
}

static jint encapsulateExpanded(JNIEnv *env, jclass class, jlong handle, jbyteArray ctAndSs, jlong expanded,
                                jbyteArray coins)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const void *prepared = (const void *)(intptr_t)expanded;
    const size_t ct_len = latkem_ct_bytes(kem), ss_len = latkem_ss_bytes(kem), coins_len = latkem_coins_bytes(kem);
    uint8_t out[CT_MAX + SS_MAX], coins_copy[COINS_MAX];
    given_bytes given = {coins_copy, coins_len};
    if (coins) get(env, coins, coins_copy, coins_len);
    const int error = coins ? latkem_encaps_prepared_rng(kem, out, out + ct_len, prepared, hand_out, &given)
                            : latkem_encaps_prepared(kem, out, out + ct_len, prepared);
    put(env, ctAndSs, out, ct_len + ss_len);
    wipe(out + ct_len, ss_len);
    if (coins) wipe(coins_copy, coins_len);
    return error;
}

static void freeEk(JNIEnv *env, jclass class, jlong expanded)
{
    (void)env, (void)class;
    free((void *)(intptr_t)expanded);
}

static const JNINativeMethod methods[] = {
    NATIVE(generate, "(JZ[B)J"),
    NATIVE(fromSeed, "(JZ[B[B)J"),
    NATIVE(fromBytes, "(J[B)J"),
    NATIVE(expand, "(J)I"),
    NATIVE(toBytes, "(J[B)V"),
    NATIVE(seed, "(J[B)V"),
    NATIVE(decapsulateWith, "(J[B[B)I"),
    NATIVE(freeKey, "(J)V"),
    NATIVE(checkEk, "(J[B)I"),
    NATIVE(expandEk, "(J[B)J"),
    NATIVE(encapsulateExpanded, "(J[BJ[B)I"),
    NATIVE(freeEk, "(J)V"),
};
const natives key_natives = NATIVES(methods);
