/* Batches: arrays pass through native memory in chunks, so that a long batch takes no more of it than a short one.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/batch.h>
#include <stdlib.h>

#include "glue.h"

/* Elements of a chunk: a multiple of what the library computes side by side. */
enum { CHUNK = 16 };

/* One of the three arrays of a batch: the Java array, the bytes of an element, and whether Java's are read or written. */
typedef struct {
    jbyteArray java;
    size_t each;
    int is_input;
    uint8_t *chunk;
} column;

enum { COLUMNS = 3 };

typedef int chunk_operation(const latkem_kem *kem, size_t n, column *columns);

/* Memory for n elements of each column. */
static uint8_t *chunk_memory(column *columns, size_t n, size_t *bytes)
{
    *bytes = 0;
    for (size_t i = 0; i < COLUMNS; i++) *bytes += n * columns[i].each;
    uint8_t *const memory = malloc(*bytes);
    uint8_t *next = memory;
    for (size_t i = 0; memory && i < COLUMNS; i++) {
        columns[i].chunk = next;
        next += n * columns[i].each;
    }
    return memory;
}

static int run_chunk(JNIEnv *env, const latkem_kem *kem, size_t first, size_t n, column *columns,
                     chunk_operation *operation)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns[i].is_input)
            (*env)->GetByteArrayRegion(env, columns[i].java, (jsize)(first * columns[i].each),
                                       (jsize)(n * columns[i].each), (jbyte *)columns[i].chunk);
    const int error = operation(kem, n, columns);
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns[i].java && !columns[i].is_input)
            (*env)->SetByteArrayRegion(env, columns[i].java, (jsize)(first * columns[i].each),
                                       (jsize)(n * columns[i].each), (const jbyte *)columns[i].chunk);
    return error;
}

/* Whether an error is of the whole batch, and not of one key. */
static int ends_all(int error)
{
    return error == LATKEM_ERR_RNG || error == LATKEM_ERR_FAULT;
}

/* The first error is the batch's; the others' results are complete, but for a generator that failed or a fault. */
static jint run(JNIEnv *env, jlong handle, jint n, column *columns, chunk_operation *operation)
{
    size_t bytes;
    uint8_t *const memory = chunk_memory(columns, (size_t)n < CHUNK ? (size_t)n : CHUNK, &bytes);
    if (!memory) return JNI_NO_MEMORY;
    int error = 0;
    for (size_t first = 0; first < (size_t)n && !ends_all(error); first += CHUNK) {
        const size_t left = (size_t)n - first;
        const int now = run_chunk(env, kem_of(handle), first, left < CHUNK ? left : CHUNK, columns, operation);
        if (!error || ends_all(now)) error = now;
    }
    wipe(memory, bytes);
    free(memory);
    return error;
}

static int key_pairs(const latkem_kem *kem, size_t n, column *columns)
{
    return latkem_keypair_batch(kem, n, columns[0].chunk, columns[1].chunk);
}

static int encapsulations(const latkem_kem *kem, size_t n, column *columns)
{
    return latkem_encaps_batch(kem, n, columns[0].chunk, columns[1].chunk, columns[2].chunk);
}

static int decapsulations(const latkem_kem *kem, size_t n, column *columns)
{
    return latkem_decaps_batch(kem, n, columns[0].chunk, columns[1].chunk, columns[2].chunk);
}

static jint generateKeyPairs(JNIEnv *env, jclass class, jlong handle, jint n, jbyteArray eks, jbyteArray dks)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    column columns[COLUMNS] = {{eks, latkem_ek_bytes(kem), 0, NULL}, {dks, latkem_dk_bytes(kem), 0, NULL}};
    return run(env, handle, n, columns, key_pairs);
}

static jint encapsulateBatch(JNIEnv *env, jclass class, jlong handle, jint n, jbyteArray cts, jbyteArray sss,
                             jbyteArray eks)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    column columns[COLUMNS] = {{cts, latkem_ct_bytes(kem), 0, NULL},
                               {sss, latkem_ss_bytes(kem), 0, NULL},
                               {eks, latkem_ek_bytes(kem), 1, NULL}};
    return run(env, handle, n, columns, encapsulations);
}

static jint decapsulateBatch(JNIEnv *env, jclass class, jlong handle, jint n, jbyteArray sss, jbyteArray cts,
                             jbyteArray dks)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    column columns[COLUMNS] = {{sss, latkem_ss_bytes(kem), 0, NULL},
                               {cts, latkem_ct_bytes(kem), 1, NULL},
                               {dks, latkem_dk_bytes(kem), 1, NULL}};
    return run(env, handle, n, columns, decapsulations);
}

static const JNINativeMethod methods[] = {
    NATIVE(generateKeyPairs, "(JI[B[B)I"),
    NATIVE(encapsulateBatch, "(JI[B[B[B)I"),
    NATIVE(decapsulateBatch, "(JI[B[B[B)I"),
};
const natives batch_natives = NATIVES(methods);
