/* First use of liblatkem-protocol, and so of libcrypto by it, by eight threads at once, then more of the same: hybrids, HPKE
 * and Noise, each thread with objects of its own. Then the threads share opened hybrids, and are the first to use their
 * library context. To be run under ThreadSanitizer too. As tests/api/threads.c.
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <latkem/derand.h>
#include <latkem/hpke.h>
#include <latkem/hybrid.h>
#include <latkem/noise.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 5
#define LARGEST 4096
#define HYBRIDS 6
#define XWING 3 /* its place among them */

struct result {
    uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], ss[128];
};

/* Of one thread. */
struct place {
    _Alignas(max_align_t) uint8_t sessions[2][32768];
    struct result result;
};

static pthread_barrier_t start;
static uint8_t seed[LARGEST];
static const latkem_kem *hybrids[HYBRIDS];

static void need(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "protocol threads: %s\n", what);
    exit(EXIT_FAILURE);
}

static void hybrid(const latkem_kem *kem, struct result *r)
{
    uint8_t opened[128];
    need(latkem_keypair_derand(kem, r->ek, r->dk, seed, latkem_seed_bytes(kem)) == 0, "keypair_derand");
    need(latkem_encaps_derand(kem, r->ct, r->ss, r->ek, latkem_ek_bytes(kem), seed, latkem_coins_bytes(kem)) == 0,
         "encaps_derand");
    need(latkem_decaps(kem, opened, r->ct, latkem_ct_bytes(kem), r->dk, latkem_dk_bytes(kem)) == 0, "decaps");
    need(memcmp(opened, r->ss, latkem_ss_bytes(kem)) == 0, "decapsulation gives another secret");
}

/* With X-Wing, of the key pair that is there. */
static void hpke(struct place *p, const latkem_kem *kem)
{
    uint8_t enc[LARGEST], ct[16 + LATKEM_HPKE_TAG_BYTES], pt[16];
    const unsigned kdf = LATKEM_HPKE_HKDF_SHA256, aead = LATKEM_HPKE_AES_128_GCM;
    need(latkem_hpke_sender(p->sessions[0], enc, kem, kdf, aead, p->result.ek, latkem_ek_bytes(kem), NULL, 0) == 0 &&
             latkem_hpke_recipient(p->sessions[1], kem, kdf, aead, enc, latkem_ct_bytes(kem), p->result.dk,
                                   latkem_dk_bytes(kem), NULL, 0) == 0,
         "HPKE's contexts");
    need(latkem_hpke_seal(p->sessions[0], ct, NULL, 0, seed, sizeof pt) == 0 &&
             latkem_hpke_open(p->sessions[1], pt, NULL, 0, ct, sizeof ct) == 0 && memcmp(pt, seed, sizeof pt) == 0,
         "HPKE's message");
}

static void pass(uint8_t *from, uint8_t *to)
{
    uint8_t message[LARGEST], payload[16];
    size_t len = sizeof message, payload_len = sizeof payload;
    need(latkem_noise_write(from, message, &len, seed, sizeof payload) == 0, "Noise: write");
    need(latkem_noise_read(to, payload, &payload_len, message, len) == 0, "Noise: read");
    need(payload_len == sizeof payload && memcmp(payload, seed, sizeof payload) == 0, "Noise: payload");
}

static void noise(struct place *p)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-512");
    const char *const protocol = "Noise_pqNK_MLKEM512_ChaChaPoly_SHA256";
    uint8_t *a = p->sessions[0], *b = p->sessions[1];
    need(latkem_keypair_derand(kem, p->result.ek, p->result.dk, seed, latkem_seed_bytes(kem)) == 0, "keypair_derand");
    need(latkem_noise_start(a, protocol, LATKEM_NOISE_INITIATOR, NULL, 0, NULL, 0, p->result.ek,
                            latkem_ek_bytes(kem)) == 0 &&
             latkem_noise_start(b, protocol, LATKEM_NOISE_RESPONDER, NULL, 0, p->result.dk, latkem_dk_bytes(kem), NULL,
                                0) == 0,
         "Noise: start");
    pass(a, b);
    pass(b, a);
    pass(a, b);
    latkem_noise_end(a);
    latkem_noise_end(b);
}

static void *work(void *of_thread)
{
    struct place *p = of_thread;
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round++) {
        memset(&p->result, 0, sizeof p->result);
        noise(p);
        for (size_t i = 0; i < HYBRIDS; i++) hybrid(hybrids[i], &p->result);
        hybrid(hybrids[XWING], &p->result);
        hpke(p, hybrids[XWING]);
    }
    return NULL;
}

/* All threads have the result of the first. */
static void run(struct place places[THREADS])
{
    pthread_t threads[THREADS];
    need(pthread_barrier_init(&start, NULL, THREADS) == 0, "barrier");
    for (int i = 0; i < THREADS; i++) need(pthread_create(&threads[i], NULL, work, &places[i]) == 0, "pthread_create");
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 1; i < THREADS; i++)
        need(memcmp(&places[0].result, &places[i].result, sizeof places[0].result) == 0, "results differ");
}

static void run_opened(struct place places[THREADS])
{
    static _Alignas(max_align_t) uint8_t storages[HYBRIDS][1024];
    const struct result result = places[0].result;
#ifdef OPENSSL_IS_AWSLC
    struct ossl_lib_ctx_st *const context = NULL; /* it has no others */
#else
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    need(context != NULL, "a library context");
#endif
    need(latkem_hybrid_bytes() <= sizeof storages[0], "storage of an opened hybrid");
    for (size_t i = 0; i < HYBRIDS; i++)
        need(latkem_hybrid_open(&hybrids[i], storages[i], hybrids[i], context) == 0, "open");
    run(places);
    need(memcmp(&places[0].result, &result, sizeof result) == 0, "opened hybrids have other results");
    for (size_t i = 0; i < HYBRIDS; i++) latkem_hybrid_close(storages[i]);
#ifndef OPENSSL_IS_AWSLC
    OSSL_LIB_CTX_free(context);
#endif
}

int main(void)
{
    static struct place places[THREADS];
    memset(seed, 0x42, sizeof seed);
    for (size_t i = 0; i < HYBRIDS; i++) hybrids[i] = latkem_hybrid_at(i);
    need(hybrids[XWING] == latkem_hybrid_find("X-Wing") && latkem_hybrid_at(HYBRIDS) == NULL, "hybrids");
    need(latkem_noise_bytes() <= sizeof places[0].sessions[0] && latkem_hpke_bytes() <= sizeof places[0].sessions[0],
         "sizes");
    run(places);
    run_opened(places);
    puts("protocol threads: fine");
    return EXIT_SUCCESS;
}
