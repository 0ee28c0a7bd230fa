/* latkem's C calls in a loop, for the class BareC: what the same work costs without Java.
 * SPDX-License-Identifier: Apache-2.0 */
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

#include <latkem/latkem.h>
#include <latkem/prepared.h>

/* In the order of the constants of org.latkem.bench.Operation. */
enum operation { KEYGEN, ENCAPS, DECAPS };

/* A key pair in bytes and prepared, its ciphertext, the last shared secret, and room for what calls make. */
struct work {
    const latkem_kem *kem;
    uint8_t *ek, *dk, *ct, *ss, *made_ek, *made_dk, *made_ct;
    void *prepared_ek, *prepared_dk;
};

static void allocate(struct work *w)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem), ct = latkem_ct_bytes(w->kem);
    w->ek = calloc(1, ek), w->dk = calloc(1, dk), w->ct = calloc(1, ct), w->ss = calloc(1, latkem_ss_bytes(w->kem));
    w->made_ek = calloc(1, ek), w->made_dk = calloc(1, dk), w->made_ct = calloc(1, ct);
    w->prepared_ek = calloc(1, latkem_prepared_ek_bytes(w->kem));
    w->prepared_dk = calloc(1, latkem_prepared_dk_bytes(w->kem));
}

static int make_keys(const struct work *w)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem);
    int result = latkem_keypair(w->kem, w->ek, w->dk);
    if (result == LATKEM_OK) result = latkem_prepare_ek(w->kem, w->prepared_ek, w->ek, ek);
    if (result == LATKEM_OK) result = latkem_prepare_dk(w->kem, w->prepared_dk, w->dk, dk);
    if (result == LATKEM_OK) result = latkem_encaps(w->kem, w->ct, w->ss, w->ek, ek);
    return result;
}

static void refuse(JNIEnv *env, const char *message)
{
    const jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL) (*env)->ThrowNew(env, type, message);
}

static jlong JNICALL open_work(JNIEnv *env, jclass self, jstring set)
{
    (void)self;
    const char *name = (*env)->GetStringUTFChars(env, set, NULL);
    struct work *w = calloc(1, sizeof *w);
    w->kem = latkem_kem_find(name);
    (*env)->ReleaseStringUTFChars(env, set, name);
    allocate(w);
    const int result = make_keys(w);
    if (result != LATKEM_OK) refuse(env, latkem_strerror(result));
    return (jlong)(intptr_t)w;
}

static int with_bytes(const struct work *w, enum operation operation)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem), ct = latkem_ct_bytes(w->kem);
    switch (operation) {
    case KEYGEN: return latkem_keypair(w->kem, w->made_ek, w->made_dk);
    case ENCAPS: return latkem_encaps(w->kem, w->made_ct, w->ss, w->ek, ek);
    default: return latkem_decaps(w->kem, w->ss, w->ct, ct, w->dk, dk);
    }
}

static int with_prepared(const struct work *w, enum operation operation)
{
    switch (operation) {
    case KEYGEN: return latkem_keypair(w->kem, w->made_ek, w->made_dk);
    case ENCAPS: return latkem_encaps_prepared(w->kem, w->made_ct, w->ss, w->prepared_ek);
    default: return latkem_decaps_prepared(w->kem, w->ss, w->ct, latkem_ct_bytes(w->kem), w->prepared_dk);
    }
}

static void JNICALL repeat(JNIEnv *env, jclass self, jlong work, jint operation, jboolean prepared, jint calls)
{
    (void)self;
    const struct work *w = (const struct work *)(intptr_t)work;
    int result = LATKEM_OK;
    for (jint i = 0; i < calls && result == LATKEM_OK; i++)
        result = (prepared ? with_prepared : with_bytes)(w, (enum operation)operation);
    if (result != LATKEM_OK) refuse(env, latkem_strerror(result));
}

static jbyteArray JNICALL last_secret(JNIEnv *env, jclass self, jlong work)
{
    (void)self;
    const struct work *w = (const struct work *)(intptr_t)work;
    const jsize size = (jsize)latkem_ss_bytes(w->kem);
    const jbyteArray secret = (*env)->NewByteArray(env, size);
    if (secret != NULL) (*env)->SetByteArrayRegion(env, secret, 0, size, (const jbyte *)w->ss);
    return secret;
}

static const JNINativeMethod methods[] = {
    {"open", "(Ljava/lang/String;)J", (void *)open_work},
    {"repeat", "(JIZI)V", (void *)repeat},
    {"secret", "(J)[B", (void *)last_secret},
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    void *env = NULL;
    if ((*vm)->GetEnv(vm, &env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
    JNIEnv *const jni = env;
    const jclass bare = (*jni)->FindClass(jni, "org/latkem/bench/BareC");
    if (bare == NULL) return JNI_ERR;
    const jint count = (jint)(sizeof methods / sizeof methods[0]);
    return (*jni)->RegisterNatives(jni, bare, methods, count) == 0 ? JNI_VERSION_1_6 : JNI_ERR;
}
