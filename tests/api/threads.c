/* First use of the library by eight threads at once, then the same work while another thread changes the backend.
 * A program of its own, so that the first use really is the first, to be run under ThreadSanitizer too.
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <latkem/backend.h>
#include <latkem/derand.h>
#include <latkem/kex.h>
#include <latkem/latkem.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 20
#define LARGEST 4096

struct result {
    uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], ss[64];
};

static pthread_barrier_t start;
static atomic_bool finished;

static void need(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "threads: %s\n", what);
    exit(EXIT_FAILURE);
}

static void work(const latkem_kem *kem, struct result *r)
{
    uint8_t seed[LARGEST], opened[64];
    memset(r, 0, sizeof *r);
    memset(seed, 0x42, sizeof seed);
    need(latkem_dk_bytes(kem) <= LARGEST && latkem_seed_bytes(kem) <= LARGEST && latkem_ss_bytes(kem) <= 64, "sizes");
    need(latkem_keypair_derand(kem, r->ek, r->dk, seed, latkem_seed_bytes(kem)) == 0, "keypair_derand");
    need(latkem_encaps_derand(kem, r->ct, r->ss, r->ek, latkem_ek_bytes(kem), seed, latkem_coins_bytes(kem)) == 0,
         "encaps_derand");
    need(latkem_decaps(kem, opened, r->ct, latkem_ct_bytes(kem), r->dk, latkem_dk_bytes(kem)) == 0, "decaps");
    need(memcmp(opened, r->ss, latkem_ss_bytes(kem)) == 0, "decapsulation gives another secret");
}

/* AKE, with one static key pair for both sides. */
static void exchange(const latkem_kem *kem)
{
    uint8_t ek[LARGEST], dk[LARGEST], m1[2 * LARGEST], m2[2 * LARGEST], state[2 * LARGEST], a[32], b[32];
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    const size_t m1_len = latkem_kex_message1_bytes(kem), m2_len = latkem_ake_message2_bytes(kem);
    need(latkem_keypair(kem, ek, dk) == 0, "keypair");
    need(latkem_ake_start(kem, m1, state, ek, ek_len) == 0, "ake_start");
    need(latkem_ake_reply(kem, m2, b, m1, m1_len, dk, dk_len, ek, ek_len) == 0, "ake_reply");
    need(latkem_ake_finish(kem, a, m2, m2_len, state, latkem_kex_state_bytes(kem), dk, dk_len) == 0, "ake_finish");
    need(memcmp(a, b, sizeof a) == 0, "the sides of an exchange have different keys");
}

static void *first_use(void *out)
{
    pthread_barrier_wait(&start);
    work(latkem_kem_find("ML-KEM-768"), out);
    return NULL;
}

static void *keep_working(void *expected)
{
    static _Thread_local struct result mine;
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++) {
        work(latkem_kem_find("ML-KEM-768"), &mine);
        need(memcmp(&mine, expected, sizeof mine) == 0, "results differ while the backend changes");
        exchange(latkem_kem_find("Kyber768"));
    }
    return NULL;
}

static void *change_backend(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&start);
    while (!atomic_load(&finished)) {
        for (size_t i = 0; latkem_backend_at(i) != NULL; i++)
            need(latkem_backend_use(latkem_backend_at(i)) == 0, "backend_use");
        need(latkem_backend_use("no such backend") == LATKEM_ERR_BACKEND, "an unknown backend is accepted");
        need(latkem_backend_use(NULL) == 0, "backend_use(NULL)");
        need(latkem_backend_name() != NULL, "backend_name");
    }
    return NULL;
}

static void run_together(void *(*body)(void *), void *arguments[THREADS], int with_changes)
{
    pthread_t threads[THREADS], changer;
    need(pthread_barrier_init(&start, NULL, THREADS + (with_changes ? 1 : 0)) == 0, "barrier");
    if (with_changes) need(pthread_create(&changer, NULL, change_backend, NULL) == 0, "pthread_create");
    for (int i = 0; i < THREADS; i++)
        need(pthread_create(&threads[i], NULL, body, arguments[i]) == 0, "pthread_create");
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    atomic_store(&finished, 1);
    if (with_changes) pthread_join(changer, NULL);
    pthread_barrier_destroy(&start);
}

int main(void)
{
    static struct result results[THREADS];
    void *arguments[THREADS];
    for (int i = 0; i < THREADS; i++) arguments[i] = &results[i];
    run_together(first_use, arguments, 0);
    for (int i = 1; i < THREADS; i++) need(memcmp(&results[0], &results[i], sizeof results[0]) == 0, "results differ");

    atomic_store(&finished, 0);
    for (int i = 0; i < THREADS; i++) arguments[i] = &results[0];
    run_together(keep_working, arguments, 1);
    puts("threads: fine");
    return EXIT_SUCCESS;
}
