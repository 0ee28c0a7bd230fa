/* The door of liblatkem_study: JNI_OnLoad registers the native methods of every subject.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "study.h"

static const struct study_natives *const subjects[] = {&study_timing, &study_profile};

int study_name(JNIEnv *env, char name[STUDY_NAME_BYTES], jstring text)
{
    name[0] = 0;
    if (text == NULL) return 1;
    const jsize length = (*env)->GetStringLength(env, text), bytes = (*env)->GetStringUTFLength(env, text);
    if (bytes >= STUDY_NAME_BYTES) return 0;
    (*env)->GetStringUTFRegion(env, text, 0, length, name);
    name[bytes] = 0;
    return 1;
}

void study_refuse(JNIEnv *env, const char *message)
{
    const jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (type != NULL) (*env)->ThrowNew(env, type, message);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    void *env = NULL;
    if ((*vm)->GetEnv(vm, &env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
    JNIEnv *const jni = env;
    const jclass natives = (*jni)->FindClass(jni, "org/latkem/study/Native");
    if (natives == NULL) return JNI_ERR;
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        if ((*jni)->RegisterNatives(jni, natives, subjects[i]->methods, subjects[i]->count) != 0) return JNI_ERR;
    return JNI_VERSION_1_6;
}
