/* Parameter sets, backends, version. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/derand.h>

#include "glue.h"

static jstring version(JNIEnv *env, jclass class)
{
    (void)class;
    return (*env)->NewStringUTF(env, latkem_version());
}

/* NULL past the end. */
static jstring setAt(JNIEnv *env, jclass class, jint index)
{
    (void)class;
    const latkem_kem *kem = latkem_kem_at((size_t)index);
    return kem ? (*env)->NewStringUTF(env, latkem_kem_name(kem)) : NULL;
}

static jlong find(JNIEnv *env, jclass class, jstring name)
{
    (void)class;
    const char *utf = (*env)->GetStringUTFChars(env, name, NULL);
    if (!utf) return 0;
    const latkem_kem *kem = latkem_kem_find(utf);
    (*env)->ReleaseStringUTFChars(env, name, utf);
    return handle_of(kem);
}

static jstring nameOf(JNIEnv *env, jclass class, jlong handle)
{
    (void)class;
    return (*env)->NewStringUTF(env, latkem_kem_name(kem_of(handle)));
}

/* In the order of Native.facts. */
static jintArray facts(JNIEnv *env, jclass class, jlong handle)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const jint values[] = {latkem_kem_level(kem),        latkem_kem_is_standard(kem),  (jint)latkem_ek_bytes(kem),
                           (jint)latkem_dk_bytes(kem),   (jint)latkem_ct_bytes(kem),   (jint)latkem_ss_bytes(kem),
                           (jint)latkem_seed_bytes(kem), (jint)latkem_coins_bytes(kem)};
    const jsize count = sizeof values / sizeof *values;
    const jintArray array = (*env)->NewIntArray(env, count);
    if (array) (*env)->SetIntArrayRegion(env, array, 0, count, values);
    return array;
}

static jstring backend(JNIEnv *env, jclass class)
{
    (void)class;
    return (*env)->NewStringUTF(env, latkem_backend_name());
}

/* NULL past the end. */
static jstring backendAt(JNIEnv *env, jclass class, jint index)
{
    (void)class;
    const char *name = latkem_backend_at((size_t)index);
    return name ? (*env)->NewStringUTF(env, name) : NULL;
}

static jint useBackend(JNIEnv *env, jclass class, jstring name)
{
    (void)class;
    if (!name) return latkem_backend_use(NULL);
    const char *utf = (*env)->GetStringUTFChars(env, name, NULL);
    if (!utf) return JNI_NO_MEMORY;
    const jint error = latkem_backend_use(utf);
    (*env)->ReleaseStringUTFChars(env, name, utf);
    return error;
}

static const JNINativeMethod methods[] = {
    NATIVE(version, "()Ljava/lang/String;"),     NATIVE(setAt, "(I)Ljava/lang/String;"),
    NATIVE(find, "(Ljava/lang/String;)J"),       NATIVE(facts, "(J)[I"),
    NATIVE(backend, "()Ljava/lang/String;"),     NATIVE(backendAt, "(I)Ljava/lang/String;"),
    NATIVE(useBackend, "(Ljava/lang/String;)I"), NATIVE(nameOf, "(J)Ljava/lang/String;"),
};
const natives fact_natives = NATIVES(methods);
