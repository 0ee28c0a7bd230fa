/* Shared by the files of the JNI library. Of the library it sees the public headers alone.
 *
 * Java checks the arguments: arrays have the lengths that a set states. A function that returns int returns 0 or an enum
 * latkem_error; one that returns a handle, a pointer as long, returns the error in its place. Every copy of a secret is
 * wiped. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_JNI_GLUE_H
#define LATKEM_JNI_GLUE_H

#include <jni.h>
#include <latkem/latkem.h>
#include <string.h>

/* Beside the codes of enum latkem_error: the system has no memory. */
#define JNI_NO_MEMORY (-100)

/* The longest of each, of all sets: those of ML-KEM-1024, but NTRU-HPS-4096-821 draws more. */
enum {
    EK_MAX = LATKEM_MLKEM_EK_MAX,
    DK_MAX = LATKEM_MLKEM_DK_MAX,
    CT_MAX = LATKEM_MLKEM_CT_MAX,
    SS_MAX = LATKEM_MLKEM_SS_BYTES,
    SEED_MAX = 3927,
    COINS_MAX = 3927
};

/* The natives of one file. */
typedef struct {
    const JNINativeMethod *methods;
    jint count;
} natives;

extern const natives array_natives, batch_natives, fact_natives, key_natives, keyfile_natives;

#define NATIVE(name, signature)                                                                                        \
    {                                                                                                                  \
        (char *)#name, (char *)(signature), (void *)(name)                                                             \
    }
#define NATIVES(methods)                                                                                               \
    {                                                                                                                  \
        methods, sizeof(methods) / sizeof *(methods)                                                                   \
    }

/* wipe sets bytes to zero in a way that the optimiser keeps. */
static inline void wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

static inline const latkem_kem *kem_of(jlong handle)
{
    return (const latkem_kem *)(intptr_t)handle;
}

static inline jlong handle_of(const void *p)
{
    return (jlong)(intptr_t)p;
}

/* get and put copy a whole object out of and into a Java array. */
static inline void get(JNIEnv *env, jbyteArray from, uint8_t *to, size_t len)
{
    (*env)->GetByteArrayRegion(env, from, 0, (jsize)len, (jbyte *)to);
}

static inline void put(JNIEnv *env, jbyteArray to, const uint8_t *from, size_t len)
{
    (*env)->SetByteArrayRegion(env, to, 0, (jsize)len, (const jbyte *)from);
}

/* A generator that hands out what a caller gave. */
typedef struct {
    const uint8_t *at;
    size_t left;
} given_bytes;

static inline int hand_out(void *ctx, uint8_t *out, size_t len)
{
    given_bytes *given = ctx;
    if (len > given->left) return -1;
    memcpy(out, given->at, len);
    given->at += len;
    given->left -= len;
    return 0;
}

#endif
