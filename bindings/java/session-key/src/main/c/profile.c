/* The Saber study (harness/study) for Java: the parts of each operation. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>

#include "harness/study/saber.h"
#include "study.h"

enum { PARTS = LK_STUDY_FUNCTIONS + 1 }; /* the last is what no timer saw */

static jobjectArray JNICALL saber_functions(JNIEnv *env, jclass self)
{
    (void)self;
    const jclass string = (*env)->FindClass(env, "java/lang/String");
    const jobjectArray names = string ? (*env)->NewObjectArray(env, PARTS, string, NULL) : NULL;
    for (jsize i = 0; names && i < PARTS; i++) {
        const char *const name = i < LK_STUDY_FUNCTIONS ? lk_study_function_names[i] : "other";
        const jstring text = (*env)->NewStringUTF(env, name);
        if (text == NULL) return NULL;
        (*env)->SetObjectArrayElement(env, names, i, text);
        (*env)->DeleteLocalRef(env, text);
    }
    return names;
}

/* Nanoseconds: all parts of key generation, of encapsulation, of decapsulation. */
static jdoubleArray profile_of(JNIEnv *env, const lk_study_profile profiles[LK_STUDY_OPERATIONS])
{
    const jdoubleArray parts = (*env)->NewDoubleArray(env, LK_STUDY_OPERATIONS * PARTS);
    for (jsize i = 0; parts && i < LK_STUDY_OPERATIONS; i++) {
        (*env)->SetDoubleArrayRegion(env, parts, i * PARTS, LK_STUDY_FUNCTIONS, profiles[i].functions);
        (*env)->SetDoubleArrayRegion(env, parts, i * PARTS + LK_STUDY_FUNCTIONS, 1, &profiles[i].other);
    }
    return parts;
}

static jdoubleArray JNICALL saber_profile(JNIEnv *env, jclass self, jstring set, jint rounds)
{
    (void)self;
    char name[STUDY_NAME_BYTES];
    lk_study_timer timer;
    lk_study_profile profiles[LK_STUDY_OPERATIONS];
    const latkem_kem *const kem = study_name(env, name, set) ? latkem_kem_find(name) : NULL;
    latkem_backend_use(NULL);
    lk_study_calibrate(&timer);
    const char *const problem = lk_study_saber(profiles, &timer, kem, latkem_backend_name(),
                                               rounds > 0 ? (unsigned)rounds : 0);
    if (problem) {
        study_refuse(env, problem);
        return NULL;
    }
    return profile_of(env, profiles);
}

static const JNINativeMethod methods[] = {
    {"saberFunctions", "()[Ljava/lang/String;", (void *)saber_functions},
    {"saberProfile", "(Ljava/lang/String;I)[D", (void *)saber_profile},
};

const struct study_natives study_profile = {methods, sizeof methods / sizeof methods[0]};
