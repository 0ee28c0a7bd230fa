/* latkem's C calls in a loop (harness/bare), for the class BareC. SPDX-License-Identifier: Apache-2.0 */
#include "bare.h"

#include <jni.h>
#include <stdint.h>

#include <latkem/latkem.h>

static void refuse(JNIEnv *env, const char *message)
{
    const jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL) (*env)->ThrowNew(env, type, message);
}

static jlong JNICALL open_work(JNIEnv *env, jclass self, jstring set)
{
    (void)self;
    const char *name = (*env)->GetStringUTFChars(env, set, NULL);
    struct bare *const w = bare_open(name);
    (*env)->ReleaseStringUTFChars(env, set, name);
    if (w == NULL) refuse(env, "there are no keys for the C calls");
    return (jlong)(intptr_t)w;
}

/* The constants of org.latkem.bench.Operation are in the order of bare_operation. */
static void JNICALL repeat(JNIEnv *env, jclass self, jlong work, jint operation, jboolean prepared, jint calls)
{
    (void)self;
    const struct bare *w = (const struct bare *)(intptr_t)work;
    const int result = bare_repeat(w, (enum bare_operation)operation, prepared, calls);
    if (result != LATKEM_OK) refuse(env, latkem_strerror(result));
}

static jbyteArray JNICALL last_secret(JNIEnv *env, jclass self, jlong work)
{
    (void)self;
    int size = 0;
    const uint8_t *const ss = bare_secret((const struct bare *)(intptr_t)work, &size);
    const jbyteArray secret = (*env)->NewByteArray(env, size);
    if (secret != NULL) (*env)->SetByteArrayRegion(env, secret, 0, size, (const jbyte *)ss);
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
