/* Shared by the files of liblatkem_study: each subject has one file and one table of native methods of the class
 * org.latkem.study.Native, and library.c registers the tables. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_STUDY_H
#define LATKEM_STUDY_H

#include <jni.h>

struct study_natives {
    const JNINativeMethod *methods;
    jint count;
};

/* Bare C calls of one set, timed (timing.c). */
extern const struct study_natives study_timing;

/* The functions of Saber and their parts of an operation (profile.c). */
extern const struct study_natives study_profile;

/* study_name copies a string of Java's, which may be NULL, to a buffer that must hold it with its final zero byte.
 * Returns 0 if it is too long. */
enum { STUDY_NAME_BYTES = 64 };
int study_name(JNIEnv *env, char name[STUDY_NAME_BYTES], jstring text);

/* study_refuse makes the call end with an IllegalArgumentException. */
void study_refuse(JNIEnv *env, const char *message);

#endif
