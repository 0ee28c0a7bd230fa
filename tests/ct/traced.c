/* The operations with traces to compare: see traced.h. SPDX-License-Identifier: Apache-2.0 */
#include "traced.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#include <latkem/derand.h>
#include <latkem/incremental.h>
#include <latkem/kex.h>
#include <latkem/prepared.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 4096
#define LARGEST_PREPARED 131072

static uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], ss[64], seed[LARGEST], coins[LARGEST];
static uint8_t message1[2 * LARGEST], message2[2 * LARGEST], state[2 * LARGEST], key[LATKEM_KEX_KEY_BYTES];
static uint8_t header[64], vector[LARGEST], encaps_state[256], used_state[256];
static _Alignas(max_align_t) uint8_t prepared[LARGEST_PREPARED];

/* The purposes of bytes. A seed and coins of the same bytes would make r = f in NTRU, from which c = 4 g: every key
 * decrypts that to the same message. */
enum purpose { SEED, COINS, KEY, REJECTION, TK, PURPOSES };

/* Bytes that depend on number and purpose: random-looking ones, or zeros or ones. */
static void fill(uint8_t *out, size_t len, uint32_t number, enum purpose purpose)
{
    if (number == TRACED_SECRETS - 2 || number == TRACED_SECRETS - 1) {
        memset(out, number == TRACED_SECRETS - 1 ? 0xFF : 0, len);
        return;
    }
    uint32_t state = (PURPOSES * number + purpose) * 2654435761U + 12345;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        out[i] = (uint8_t)(state >> 24);
    }
}

static void check(int rc)
{
    if (rc == 0) return;
    fprintf(stderr, "trace: %s\n", latkem_strerror(rc));
    exit(EXIT_FAILURE);
}

/* In decapsulation the secrets are the s and z of dk = s || ek || H(ek) || z, so that the decrypted message, and whether
 * it is accepted, differ too. The whole dk of NTRU is secret: there it is that of another key pair. */
static void replace_dk(const latkem_kem *kem, uint32_t secret)
{
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    if (strncmp(latkem_kem_name(kem), "NTRU", 4) == 0) {
        uint8_t other_ek[LARGEST];
        check(latkem_keypair_derand(kem, other_ek, dk, seed, latkem_seed_bytes(kem)));
    } else {
        fill(dk, dk_len - ek_len - 64, secret, KEY);
        fill(dk + dk_len - 32, 32, secret, REJECTION);
    }
}

/* Messages with the key pair's keys as ephemeral and static keys; the state is its dk, of the secret one, and bytes. */
static void prepare_exchange(const latkem_kem *kem, uint32_t secret)
{
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem), ct_len = latkem_ct_bytes(kem);
    memcpy(message1, ek, ek_len);
    memcpy(message1 + ek_len, ct, ct_len);
    memcpy(message2, ct, ct_len);
    memcpy(message2 + ct_len, ct, ct_len);
    memcpy(state, dk, dk_len);
    fill(state + dk_len, latkem_ss_bytes(kem), secret, TK);
}

/* A state of the secret coins. */
static void prepare_parts(const latkem_kem *kem)
{
    check(latkem_ek_split(kem, header, vector, ek, latkem_ek_bytes(kem)));
    check(latkem_encaps1_derand(kem, encaps_state, ct, ss, header, sizeof header, coins, latkem_coins_bytes(kem)));
}

void traced_prepare(const latkem_kem *kem, uint32_t secret, const char *operation)
{
    fill(seed, sizeof seed, 0, SEED);
    fill(coins, sizeof coins, 0, COINS);
    check(latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem)));
    check(latkem_encaps_derand(kem, ct, ss, ek, latkem_ek_bytes(kem), coins, latkem_coins_bytes(kem)));
    fill(seed, sizeof seed, secret, SEED);
    fill(coins, sizeof coins, secret, COINS);
    if (secret != 0) replace_dk(kem, secret);
    if (latkem_kex_state_bytes(kem) > 0) prepare_exchange(kem, secret);
    if (strcmp(operation, "encaps1") == 0 || strcmp(operation, "encaps2") == 0) prepare_parts(kem);
    if (strcmp(operation, "encaps_prepared") == 0) check(latkem_prepare_ek(kem, prepared, ek, latkem_ek_bytes(kem)));
    if (strcmp(operation, "decaps_prepared") == 0) check(latkem_prepare_dk(kem, prepared, dk, latkem_dk_bytes(kem)));
}

static volatile uint8_t table[256], sink;

static int leak(const char *operation)
{
    if (strcmp(operation, "leak-branch") == 0) {
        for (size_t i = 0; i < 64; i++)
            if (coins[i] & 1) sink = 1;
    } else if (strcmp(operation, "leak-index") == 0) {
        sink = table[coins[0]];
#if defined(__AVX2__)
    } else if (strcmp(operation, "leak-gather") == 0) {
        static const int numbers[256];
        sink = (uint8_t)_mm_cvtsi128_si32(_mm_i32gather_epi32(numbers, _mm_cvtsi32_si128(coins[0]), 4));
#endif
    } else {
        return -1;
    }
    return 0;
}

/* A latkem_rng_fn: of key generation the seed, then the coins. */
typedef struct {
    size_t of_seed, of_coins;
} supply;

static int give(void *ctx, uint8_t *out, size_t len)
{
    supply *s = ctx;
    if (s->of_seed > 0) {
        memcpy(out, seed + 64 - s->of_seed, len);
        s->of_seed -= len;
    } else {
        memcpy(out, coins + s->of_coins, len);
        s->of_coins += len;
    }
    return 0;
}

/* -1: no exchange's operation. */
static int exchange(const latkem_kem *kem, const char *operation)
{
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem), ct_len = latkem_ct_bytes(kem);
    const size_t m1 = ek_len + ct_len, state_len = latkem_kex_state_bytes(kem);
    supply start = {64, 0}, reply = {0, 0};
    if (strcmp(operation, "uake_start") == 0)
        return latkem_uake_start_rng(kem, message1, state, ek, ek_len, give, &start);
    if (strcmp(operation, "uake_reply") == 0)
        return latkem_uake_reply_rng(kem, message2, key, message1, m1, dk, dk_len, give, &reply);
    if (strcmp(operation, "uake_finish") == 0) return latkem_uake_finish(kem, key, message2, ct_len, state, state_len);
    if (strcmp(operation, "ake_reply") == 0)
        return latkem_ake_reply_rng(kem, message2, key, message1, m1, dk, dk_len, ek, ek_len, give, &reply);
    if (strcmp(operation, "ake_finish") == 0)
        return latkem_ake_finish(kem, key, message2, 2 * ct_len, state, state_len, dk, dk_len);
    return -1;
}

/* -1: no operation on parts. */
static int in_parts(const latkem_kem *kem, const char *operation)
{
    const size_t ct1 = latkem_ct1_bytes(kem), coins_len = latkem_coins_bytes(kem);
    if (strcmp(operation, "encaps1") == 0)
        return latkem_encaps1_derand(kem, encaps_state, ct, ss, header, sizeof header, coins, coins_len);
    if (strcmp(operation, "encaps2") == 0) {
        memcpy(used_state, encaps_state, sizeof used_state);
        return latkem_encaps2(kem, ct + ct1, used_state, vector, latkem_vector_bytes(kem));
    }
    if (strcmp(operation, "decaps_parts") == 0)
        return latkem_decaps_parts(kem, ss, ct, ct1, ct + ct1, latkem_ct2_bytes(kem), dk, latkem_dk_bytes(kem));
    return -1;
}

int traced_run(const latkem_kem *kem, const char *operation)
{
    if (strcmp(operation, "keypair") == 0) return latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem));
    if (strcmp(operation, "encaps") == 0)
        return latkem_encaps_derand(kem, ct, ss, ek, latkem_ek_bytes(kem), coins, latkem_coins_bytes(kem));
    if (strcmp(operation, "encaps_prepared") == 0) return latkem_encaps_prepared(kem, ct, ss, prepared);
    if (strcmp(operation, "decaps") == 0)
        return latkem_decaps(kem, ss, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
    if (strcmp(operation, "decaps_prepared") == 0)
        return latkem_decaps_prepared(kem, ss, ct, latkem_ct_bytes(kem), prepared);
    if (strcmp(operation, "prepare_ek") == 0) return latkem_prepare_ek(kem, prepared, ek, latkem_ek_bytes(kem));
    if (strstr(operation, "ake_")) return exchange(kem, operation);
    if (latkem_ct1_bytes(kem) > 0 && !strstr(operation, "leak")) return in_parts(kem, operation);
    return leak(operation);
}
