/* The glue on a made-up JVM, on a stack that is searched afterwards: no call leaves a secret there. unit.py builds and
 * runs it. Prints what stays, and "N passed, N failed, 0 skipped". SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 600 /* pthread_attr_setstack */
#include <latkem/derand.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "keys.h"

/* ---- The made-up JVM ---- */

typedef struct {
    jsize len;
    uint8_t bytes[8192];
} array;

static array *array_of(jobject object)
{
    return (array *)(void *)object;
}

static jbyteArray object_of(array *a)
{
    return (jbyteArray)(void *)a;
}

static void JNICALL get_region(JNIEnv *env, jbyteArray from, jsize at, jsize len, jbyte *to)
{
    (void)env;
    memcpy(to, array_of(from)->bytes + at, (size_t)len);
}

static void JNICALL set_region(JNIEnv *env, jbyteArray to, jsize at, jsize len, const jbyte *from)
{
    (void)env;
    memcpy(array_of(to)->bytes + at, from, (size_t)len);
}

static jsize JNICALL array_length(JNIEnv *env, jarray a)
{
    (void)env;
    return array_of(a)->len;
}

static array made; /* the last array that a native made */

static jbyteArray JNICALL new_array(JNIEnv *env, jsize len)
{
    (void)env;
    made.len = len;
    return object_of(&made);
}

static const struct JNINativeInterface_ functions = {.GetByteArrayRegion = get_region,
                                                     .SetByteArrayRegion = set_region,
                                                     .GetArrayLength = array_length,
                                                     .NewByteArray = new_array};
static JNIEnv env = &functions;

static void *native(const char *name)
{
    const natives *const all[] = {&array_natives, &key_natives, &keyfile_natives, NULL};
    for (const natives *const *some = all; *some; some++)
        for (jint j = 0; j < (*some)->count; j++)
            if (strcmp((*some)->methods[j].name, name) == 0) return (*some)->methods[j].fnPtr;
    (void)fprintf(stderr, "no native %s\n", name);
    exit(1);
}

/* ---- The stack ---- */

enum { STACK = 1 << 20, PAGE = 65536, PAINT = 0xa5, PIECE = 16 };

static uint8_t memory[STACK + PAGE];

static uint8_t *stack_base(void)
{
    return memory + (PAGE - (uintptr_t)memory % PAGE) % PAGE;
}

/* Runs below what the end of a thread writes over. */
static void *run_deep(void *call)
{
    volatile uint8_t room[4096];
    room[0] = 0;
    (*(void (**)(void))call)();
    room[sizeof room - 1] = 0;
    return NULL;
}

static void on_own_stack(void (*call)(void))
{
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack_base(), PAINT, STACK);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack_base(), STACK);
    if (pthread_create(&thread, &attributes, run_deep, &call) != 0 || pthread_join(thread, NULL) != 0) exit(1);
    pthread_attr_destroy(&attributes);
}

static int passed, failed;

static int holds(const uint8_t *piece)
{
    for (const uint8_t *at = stack_base(); at + PIECE <= stack_base() + STACK; at++)
        if (*at == *piece && memcmp(at, piece, PIECE) == 0) return 1;
    return 0;
}

/* Its start, the part after a quarter, and its end: in no scheme are these the public key that a private key holds. */
static void expect_gone(const latkem_kem *kem, const char *call, const char *what, const uint8_t *secret, size_t len)
{
    const int stays = holds(secret) || holds(secret + len / 4) || holds(secret + len - PIECE);
    if (stays) printf("%s %s: %s stays on the stack\n", latkem_kem_name(kem), call, what);
    *(stays ? &failed : &passed) += 1;
}

/* ---- The calls ---- */

static const latkem_kem *kem;
static array ek, dk, seed, coins, ct_and_ss, ct, ss, file;
static jlong result, private_key, expanded_ek;
static jint form;

#define CALL(type, name, ...) result = (jlong)((type)native(name))(&env, NULL, __VA_ARGS__)

static void from_seed(void)
{
    CALL(jlong(*)(JNIEnv *, jclass, jlong, jboolean, jbyteArray, jbyteArray), "fromSeed", handle_of(kem),
         (jboolean)latkem_kem_is_standard(kem), object_of(&ek), object_of(&seed));
}

static void generate(void)
{
    CALL(jlong(*)(JNIEnv *, jclass, jlong, jboolean, jbyteArray), "generate", handle_of(kem),
         (jboolean)latkem_kem_is_standard(kem), object_of(&ek));
}

static void from_bytes(void)
{
    CALL(jlong(*)(JNIEnv *, jclass, jlong, jbyteArray), "fromBytes", handle_of(kem), object_of(&dk));
}

static void encapsulate(void)
{
    CALL(jint(*)(JNIEnv *, jclass, jlong, jbyteArray, jbyteArray, jbyteArray), "encapsulate", handle_of(kem),
         object_of(&ct_and_ss), object_of(&ek), coins.len > 0 ? object_of(&coins) : NULL);
}

static void encapsulate_expanded(void)
{
    CALL(jint(*)(JNIEnv *, jclass, jlong, jbyteArray, jlong, jbyteArray), "encapsulateExpanded", handle_of(kem),
         object_of(&ct_and_ss), expanded_ek, coins.len > 0 ? object_of(&coins) : NULL);
}

static void decapsulate(void)
{
    CALL(jint(*)(JNIEnv *, jclass, jlong, jbyteArray, jbyteArray, jbyteArray), "decapsulate", handle_of(kem),
         object_of(&ss), object_of(&ct), object_of(&dk));
}

static void decapsulate_with(void)
{
    CALL(jint(*)(JNIEnv *, jclass, jlong, jbyteArray, jbyteArray), "decapsulateWith", private_key, object_of(&ss),
         object_of(&ct));
}

static void expand(void)
{
    CALL(jint(*)(JNIEnv *, jclass, jlong), "expand", private_key);
}

static void expand_ek(void)
{
    CALL(jlong(*)(JNIEnv *, jclass, jlong, jbyteArray), "expandEk", handle_of(kem), object_of(&ek));
}

static void write_private(void)
{
    CALL(jbyteArray(*)(JNIEnv *, jclass, jlong, jint), "writePrivate", private_key, form);
}

static void read_private(void)
{
    CALL(jlong(*)(JNIEnv *, jclass, jbyteArray), "readPrivate", object_of(&file));
}

/* The private key behind a handle is gone from the stack, and freed unless the caller keeps it. */
static void expect_key_gone(const char *call, jlong handle, int keep)
{
    const key *k = key_of(handle);
    expect_gone(kem, call, "dk", k->dk, latkem_dk_bytes(kem));
    if (k->has_seed) expect_gone(kem, call, "the seed", k->seed, KEPT_SEED_BYTES);
    if (!keep) key_free(key_of(handle));
}

static void fill(array *a, size_t len)
{
    a->len = (jsize)len;
    if (latkem_system_rng(NULL, a->bytes, len) != 0) exit(1);
}

static void try_keys(void)
{
    fill(&seed, latkem_seed_bytes(kem));
    on_own_stack(from_seed);
    expect_gone(kem, "fromSeed", "the given seed", seed.bytes, latkem_seed_bytes(kem));
    private_key = result;
    expect_key_gone("fromSeed", private_key, 1);
    memcpy(dk.bytes, key_of(private_key)->dk, latkem_dk_bytes(kem));
    on_own_stack(from_bytes);
    expect_key_gone("fromBytes", result, 0);
    const array own = ek;
    on_own_stack(generate);
    expect_key_gone("generate", result, 0);
    ek = own;
}

static void try_encapsulation(const char *name, void (*call)(void), size_t coins_len)
{
    const size_t ct_len = latkem_ct_bytes(kem), ss_len = latkem_ss_bytes(kem);
    fill(&coins, coins_len);
    on_own_stack(call);
    expect_gone(kem, name, "ss", ct_and_ss.bytes + ct_len, ss_len);
    if (coins_len > 0) expect_gone(kem, name, "the coins", coins.bytes, coins_len);
    memcpy(ct.bytes, ct_and_ss.bytes, ct_len);
}

static void try_decapsulation(const char *name, void (*call)(void))
{
    on_own_stack(call);
    expect_gone(kem, name, "ss", ss.bytes, latkem_ss_bytes(kem));
    expect_key_gone(name, private_key, 1);
    passed += memcmp(ss.bytes, ct_and_ss.bytes + latkem_ct_bytes(kem), latkem_ss_bytes(kem)) == 0;
}

static void try_operations(void)
{
    on_own_stack(expand_ek);
    expanded_ek = result;
    for (size_t with_coins = 0; with_coins < 2; with_coins++) {
        const size_t coins_len = with_coins ? latkem_coins_bytes(kem) : 0;
        try_encapsulation("encapsulate", encapsulate, coins_len);
        try_encapsulation("encapsulateExpanded", encapsulate_expanded, coins_len);
    }
    try_decapsulation("decapsulate", decapsulate);
    try_decapsulation("decapsulateWith", decapsulate_with);
    on_own_stack(expand);
    expect_key_gone("expand", private_key, 1);
    try_decapsulation("decapsulateWith, expanded", decapsulate_with);
    free((void *)(intptr_t)expanded_ek);
}

static void try_files(void)
{
    for (form = 1; form <= 3; form++) {
        on_own_stack(write_private);
        expect_key_gone("writePrivate", private_key, 1);
        file = made;
        on_own_stack(read_private);
        expect_key_gone("readPrivate", result, 0);
    }
}

int main(void)
{
    for (size_t i = 0; (kem = latkem_kem_at(i)) != NULL; i++) {
        try_keys();
        try_operations();
        if (latkem_kem_is_standard(kem)) try_files();
        key_free(key_of(private_key));
    }
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
