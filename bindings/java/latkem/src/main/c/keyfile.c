/* Key files of ML-KEM (RFC 9935), by the library's one parser. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/keyfile.h>
#include <stdlib.h>

#include "keys.h"

/* The part behind ek in dk: H(ek) and z (FIPS 203 algorithm 16). */
enum { BEHIND_EK = 64 };

static jbyteArray array_of(JNIEnv *env, const uint8_t *bytes, size_t len)
{
    const jbyteArray array = (*env)->NewByteArray(env, (jsize)len);
    if (array) put(env, array, bytes, len);
    return array;
}

/* NULL: not a valid key. */
static jbyteArray writePublic(JNIEnv *env, jclass class, jlong handle, jbyteArray ek)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    uint8_t ek_copy[EK_MAX], der[LATKEM_PUBLIC_KEY_DER_MAX];
    size_t der_len = sizeof der;
    get(env, ek, ek_copy, latkem_ek_bytes(kem));
    const int error = latkem_public_key_write(kem, der, &der_len, ek_copy, latkem_ek_bytes(kem));
    return error ? NULL : array_of(env, der, der_len);
}

/* The longest file is read with attributes of any length behind the key, so that the copy is as long as the file. */
static uint8_t *copy_of(JNIEnv *env, jbyteArray array, size_t *len)
{
    *len = (size_t)(*env)->GetArrayLength(env, array);
    uint8_t *copy = malloc(*len + 1);
    if (copy) get(env, array, copy, *len);
    return copy;
}

/* Returns the set, and writes its key to ek, which has room for any. */
static jlong readPublic(JNIEnv *env, jclass class, jbyteArray file, jbyteArray ek)
{
    (void)class;
    const latkem_kem *kem;
    uint8_t ek_copy[EK_MAX];
    size_t len, ek_len = sizeof ek_copy;
    uint8_t *der = copy_of(env, file, &len);
    if (!der) return JNI_NO_MEMORY;
    const int error = latkem_public_key_read(&kem, ek_copy, &ek_len, der, len);
    free(der);
    if (error) return error;
    put(env, ek, ek_copy, ek_len);
    return handle_of(kem);
}

/* NULL: the key has no such form, which Java rules out, or is not valid. */
static jbyteArray writePrivate(JNIEnv *env, jclass class, jlong handle, jint form)
{
    (void)class;
    const key *k = key_of(handle);
    uint8_t der[LATKEM_PRIVATE_KEY_DER_MAX];
    size_t der_len = sizeof der;
    const int error = k->has_seed
                          ? latkem_private_key_write(k->kem, form, der, &der_len, k->seed, KEPT_SEED_BYTES)
                          : latkem_private_key_write(k->kem, form, der, &der_len, k->dk, latkem_dk_bytes(k->kem));
    const jbyteArray array = error ? NULL : array_of(env, der, der_len);
    wipe(der, sizeof der);
    return array;
}

static int read_key(key **made, const uint8_t *der, size_t len)
{
    const latkem_kem *kem;
    uint8_t seed[KEPT_SEED_BYTES], dk[DK_MAX];
    size_t seed_len = sizeof seed, dk_len = sizeof dk;
    int form, error = latkem_private_key_read(&kem, &form, seed, &seed_len, dk, &dk_len, der, len);
    *made = error ? NULL : key_new(kem);
    if (*made) {
        (*made)->has_seed = seed_len > 0;
        memcpy((*made)->seed, seed, seed_len);
        memcpy((*made)->dk, dk, dk_len);
    } else if (!error) {
        error = JNI_NO_MEMORY;
    }
    wipe(seed, sizeof seed);
    wipe(dk, sizeof dk);
    return error;
}

static jlong readPrivate(JNIEnv *env, jclass class, jbyteArray file)
{
    (void)class;
    size_t len;
    key *k = NULL;
    uint8_t *der = copy_of(env, file, &len);
    if (!der) return JNI_NO_MEMORY;
    const int error = read_key(&k, der, len);
    wipe(der, len);
    free(der);
    return key_or_error(k, error);
}

static jlong kemOf(JNIEnv *env, jclass class, jlong handle)
{
    (void)env, (void)class;
    return handle_of(key_of(handle)->kem);
}

static jboolean hasSeed(JNIEnv *env, jclass class, jlong handle)
{
    (void)env, (void)class;
    return (jboolean)key_of(handle)->has_seed;
}

/* Of an ML-KEM key, which holds it. */
static void ekOf(JNIEnv *env, jclass class, jlong handle, jbyteArray ek)
{
    (void)class;
    const key *k = key_of(handle);
    const size_t ek_len = latkem_ek_bytes(k->kem);
    put(env, ek, k->dk + latkem_dk_bytes(k->kem) - BEHIND_EK - ek_len, ek_len);
}

static const JNINativeMethod methods[] = {
    NATIVE(writePublic, "(J[B)[B"), NATIVE(readPublic, "([B[B)J"), NATIVE(writePrivate, "(JI)[B"),
    NATIVE(readPrivate, "([B)J"),   NATIVE(kemOf, "(J)J"),         NATIVE(hasSeed, "(J)Z"),
    NATIVE(ekOf, "(J[B)V"),
};
const natives keyfile_natives = NATIVES(methods);
