/* Secret-independence: every operation runs with its secrets marked undefined for valgrind's memcheck, which then reports
 * each branch and each address that depends on one. The library is built with LATKEM_CT_CHECK, so that what it declares
 * public (lk_declassify) counts as defined.
 *
 * Usage: valgrind ct_check [BACKEND... | leak-branch | leak-index] [-- SET...]. The backends and sets named must all be
 * there; without a name all that valgrind shows, and all sets, are checked. The latter two run a planted leak that must be
 * reported.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/incremental.h>
#include <latkem/kex.h>
#include <latkem/prepared.h>
#include <latkem/workspace.h>

#include "memcheck.h"

#define BATCH 3

struct memory {
    uint8_t ek[BATCH * LARGEST], dk[BATCH * LARGEST], ct[BATCH * LARGEST], ss[BATCH * 64], bytes[LARGEST];
    uint8_t message1[2 * LARGEST], message2[2 * LARGEST], state[2 * LARGEST], key[LATKEM_KEX_KEY_BYTES];
    uint8_t header[64], vector[LARGEST], workspace[65536];
    _Alignas(max_align_t) uint8_t prepared_ek[LARGEST_PREPARED];
    _Alignas(max_align_t) uint8_t prepared_dk[LARGEST_PREPARED];
};

static void name_subject(const char *set)
{
    snprintf(subject, sizeof subject, "%s on %s", set, latkem_backend_name());
}

static void begin(const char *name)
{
    operation = name;
}

/* The operation must have succeeded. */
static void end(int rc)
{
    judge(operation, rc, 0);
}

/* dk is s || ek || H(ek) || z: the middle is public. That of NTRU is secret as a whole. */
static size_t public_len_of_dk(const latkem_kem *kem)
{
    return strncmp(latkem_kem_name(kem), "NTRU", 4) == 0 ? 0 : latkem_ek_bytes(kem) + 32;
}

static void mark_dk(const latkem_kem *kem, uint8_t *dk)
{
    const size_t dk_len = latkem_dk_bytes(kem), public_len = public_len_of_dk(kem);
    hide(dk, dk_len);
    reveal(dk + dk_len - 32 - public_len, public_len);
}

static void made_keypair(const latkem_kem *kem, struct memory *m, size_t n, int rc)
{
    end(rc);
    for (size_t i = 0; i < n; i++) {
        uint8_t *dk = m->dk + i * latkem_dk_bytes(kem);
        expect_secret(dk, latkem_dk_bytes(kem) - 32 - public_len_of_dk(kem));
        expect_secret(dk + latkem_dk_bytes(kem) - 32, 32);
        mark_dk(kem, dk);
    }
    reveal(m->ek, n * latkem_ek_bytes(kem));
}

static void made_encapsulation(const latkem_kem *kem, struct memory *m, size_t n, int rc)
{
    end(rc);
    expect_secret(m->ss, n * latkem_ss_bytes(kem));
    reveal(m->ct, n * latkem_ct_bytes(kem));
}

static void made_secret(const latkem_kem *kem, struct memory *m, size_t n, int rc)
{
    end(rc);
    expect_secret(m->ss, n * latkem_ss_bytes(kem));
}

static void check_keypair(const latkem_kem *kem, struct memory *m)
{
    begin("keypair_derand");
    fill_secret(m->bytes, latkem_seed_bytes(kem));
    made_keypair(kem, m, 1, latkem_keypair_derand(kem, m->ek, m->dk, m->bytes, latkem_seed_bytes(kem)));
    begin("keypair_derand_in");
    made_keypair(kem, m, 1,
                 latkem_keypair_derand_in(m->workspace, sizeof m->workspace, kem, m->ek, m->dk, m->bytes,
                                          latkem_seed_bytes(kem)));
    begin("keypair_rng");
    made_keypair(kem, m, 1, latkem_keypair_rng(kem, m->ek, m->dk, rng, NULL));
    begin("keypair");
    made_keypair(kem, m, 1, latkem_keypair(kem, m->ek, m->dk));
    begin("keypair_batch");
    made_keypair(kem, m, BATCH, latkem_keypair_batch(kem, BATCH, m->ek, m->dk));
}

static void check_encaps(const latkem_kem *kem, struct memory *m)
{
    const size_t ek_len = latkem_ek_bytes(kem);
    begin("encaps_derand");
    fill_secret(m->bytes, latkem_coins_bytes(kem));
    made_encapsulation(kem, m, 1,
                       latkem_encaps_derand(kem, m->ct, m->ss, m->ek, ek_len, m->bytes, latkem_coins_bytes(kem)));
    begin("encaps_derand_in");
    made_encapsulation(kem, m, 1,
                       latkem_encaps_derand_in(m->workspace, sizeof m->workspace, kem, m->ct, m->ss, m->ek, ek_len,
                                               m->bytes, latkem_coins_bytes(kem)));
    begin("encaps_rng");
    made_encapsulation(kem, m, 1, latkem_encaps_rng(kem, m->ct, m->ss, m->ek, ek_len, rng, NULL));
    begin("encaps");
    made_encapsulation(kem, m, 1, latkem_encaps(kem, m->ct, m->ss, m->ek, ek_len));
    begin("prepare_ek");
    end(latkem_prepare_ek(kem, m->prepared_ek, m->ek, ek_len));
    begin("encaps_prepared");
    made_encapsulation(kem, m, 1, latkem_encaps_prepared(kem, m->ct, m->ss, m->prepared_ek));
    begin("encaps_batch");
    made_encapsulation(kem, m, BATCH, latkem_encaps_batch(kem, BATCH, m->ct, m->ss, m->ek));
}

static void check_decaps_of(const latkem_kem *kem, struct memory *m, const char *wire, const char *prepared)
{
    const size_t ct_len = latkem_ct_bytes(kem);
    begin(wire);
    made_secret(kem, m, 1, latkem_decaps(kem, m->ss, m->ct, ct_len, m->dk, latkem_dk_bytes(kem)));
    begin(prepared);
    made_secret(kem, m, 1, latkem_decaps_prepared(kem, m->ss, m->ct, ct_len, m->prepared_dk));
}

static void check_decaps(const latkem_kem *kem, struct memory *m)
{
    begin("check_dk");
    end(latkem_check_dk(kem, m->dk, latkem_dk_bytes(kem)));
    begin("prepare_dk");
    end(latkem_prepare_dk(kem, m->prepared_dk, m->dk, latkem_dk_bytes(kem)));
    check_decaps_of(kem, m, "decaps", "decaps_prepared");
    m->ct[0] ^= 1;
    check_decaps_of(kem, m, "decaps of an altered ciphertext", "decaps_prepared of an altered ciphertext");
    fill(m->ct, latkem_ct_bytes(kem));
    check_decaps_of(kem, m, "decaps of a random ciphertext", "decaps_prepared of a random ciphertext");
    begin("decaps_in");
    made_secret(kem, m, 1,
                latkem_decaps_in(m->workspace, sizeof m->workspace, kem, m->ss, m->ct, latkem_ct_bytes(kem), m->dk,
                                 latkem_dk_bytes(kem)));
    begin("decaps_batch"); /* element 0 is rejected, the others are not */
    made_secret(kem, m, BATCH, latkem_decaps_batch(kem, BATCH, m->ss, m->ct, m->dk));
}

/* ---- The exchanges: both sides have the first static key pair ---- */

/* The state is the ephemeral dk and a secret. */
static void started(const latkem_kem *kem, struct memory *m, int rc)
{
    const size_t dk_len = latkem_dk_bytes(kem);
    end(rc);
    expect_secret(m->state, dk_len - 32 - public_len_of_dk(kem));
    expect_secret(m->state + dk_len - 32, 32 + latkem_ss_bytes(kem));
    mark_dk(kem, m->state);
    reveal(m->message1, latkem_kex_message1_bytes(kem));
}

static void replied(struct memory *m, size_t message2_len, int rc)
{
    end(rc);
    expect_secret(m->key, sizeof m->key);
    reveal(m->message2, message2_len);
}

static void finished(struct memory *m, int rc)
{
    end(rc);
    expect_secret(m->key, sizeof m->key);
}

static void check_uake(const latkem_kem *kem, struct memory *m)
{
    const size_t m1 = latkem_kex_message1_bytes(kem), m2 = latkem_uake_message2_bytes(kem);
    begin("uake_start_rng");
    started(kem, m, latkem_uake_start_rng(kem, m->message1, m->state, m->ek, latkem_ek_bytes(kem), rng, NULL));
    begin("uake_start");
    started(kem, m, latkem_uake_start(kem, m->message1, m->state, m->ek, latkem_ek_bytes(kem)));
    begin("uake_reply_rng");
    replied(m, m2,
            latkem_uake_reply_rng(kem, m->message2, m->key, m->message1, m1, m->dk, latkem_dk_bytes(kem), rng, NULL));
    begin("uake_reply");
    replied(m, m2, latkem_uake_reply(kem, m->message2, m->key, m->message1, m1, m->dk, latkem_dk_bytes(kem)));
    begin("uake_finish");
    finished(m, latkem_uake_finish(kem, m->key, m->message2, m2, m->state, latkem_kex_state_bytes(kem)));
}

static void check_ake(const latkem_kem *kem, struct memory *m)
{
    const size_t m1 = latkem_kex_message1_bytes(kem), m2 = latkem_ake_message2_bytes(kem);
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    begin("ake_start");
    started(kem, m, latkem_ake_start(kem, m->message1, m->state, m->ek, ek_len));
    begin("ake_reply_rng");
    replied(m, m2,
            latkem_ake_reply_rng(kem, m->message2, m->key, m->message1, m1, m->dk, dk_len, m->ek, ek_len, rng, NULL));
    m->message1[m1 - 1] ^= 1;
    begin("ake_reply to an altered message");
    replied(m, m2, latkem_ake_reply(kem, m->message2, m->key, m->message1, m1, m->dk, dk_len, m->ek, ek_len));
    m->message2[0] ^= 1; /* the first ciphertext is rejected, the second is not */
    begin("ake_finish");
    finished(m, latkem_ake_finish(kem, m->key, m->message2, m2, m->state, latkem_kex_state_bytes(kem), m->dk, dk_len));
}

static void check_exchanges(const latkem_kem *kem, struct memory *m)
{
    if (latkem_kex_state_bytes(kem) == 0) return;
    check_uake(kem, m);
    check_ake(kem, m);
}

/* ---- Encapsulation in parts ---- */

/* A state is tag || rho || H(ek) || m || r: m and r are secret. */
static void made_first_part(const latkem_kem *kem, struct memory *m, int rc)
{
    const size_t public_len = latkem_encaps_state_bytes(kem) - 64;
    end(rc);
    expect_secret(m->state + public_len, 64);
    expect_secret(m->ss, latkem_ss_bytes(kem));
    reveal(m->ct, latkem_ct1_bytes(kem));
}

static void check_parts(const latkem_kem *kem, struct memory *m)
{
    const size_t ek_len = latkem_ek_bytes(kem), vector_len = latkem_vector_bytes(kem);
    const size_t ct1_len = latkem_ct1_bytes(kem), ct2_len = latkem_ct2_bytes(kem);
    uint8_t *ct2 = m->ct + ct1_len;
    if (vector_len == 0) return;
    begin("ek_split");
    end(latkem_ek_split(kem, m->header, m->vector, m->ek, ek_len));
    begin("ek_join");
    end(latkem_ek_join(kem, m->ek, m->header, sizeof m->header, m->vector, vector_len));
    begin("encaps1");
    made_first_part(kem, m, latkem_encaps1(kem, m->state, m->ct, m->ss, m->header, sizeof m->header));
    begin("encaps1_rng");
    made_first_part(kem, m, latkem_encaps1_rng(kem, m->state, m->ct, m->ss, m->header, sizeof m->header, rng, NULL));
    begin("encaps1_derand");
    fill_secret(m->bytes, 32);
    made_first_part(kem, m, latkem_encaps1_derand(kem, m->state, m->ct, m->ss, m->header, 64, m->bytes, 32));
    begin("encaps2 of an altered vector");
    m->vector[0] ^= 1;
    judge(operation, latkem_encaps2(kem, ct2, m->state, m->vector, vector_len), LATKEM_ERR_EK);
    m->vector[0] ^= 1;
    begin("encaps2 of an altered state");
    m->state[latkem_encaps_state_bytes(kem) - 1] ^= 1;
    judge(operation, latkem_encaps2(kem, ct2, m->state, m->vector, vector_len), LATKEM_ERR_STATE);
    m->state[latkem_encaps_state_bytes(kem) - 1] ^= 1;
    begin("encaps2");
    end(latkem_encaps2(kem, ct2, m->state, m->vector, vector_len));
    reveal(ct2, ct2_len);
    begin("decaps_parts");
    made_secret(kem, m, 1, latkem_decaps_parts(kem, m->ss, m->ct, ct1_len, ct2, ct2_len, m->dk, latkem_dk_bytes(kem)));
    begin("decaps_parts of an altered ciphertext");
    ct2[0] ^= 1;
    made_secret(kem, m, 1, latkem_decaps_parts(kem, m->ss, m->ct, ct1_len, ct2, ct2_len, m->dk, latkem_dk_bytes(kem)));
}

static void check_set(const latkem_kem *kem, struct memory *m)
{
    name_subject(latkem_kem_name(kem));
    if (latkem_dk_bytes(kem) > LARGEST || latkem_ct_bytes(kem) > LARGEST || latkem_seed_bytes(kem) > LARGEST ||
        latkem_prepared_dk_bytes(kem) > LARGEST_PREPARED || latkem_prepared_ek_bytes(kem) > LARGEST_PREPARED) {
        fail("its objects are larger than this program's buffers");
        return;
    }
    const int before = failures;
    check_keypair(kem, m);
    check_encaps(kem, m);
    check_decaps(kem, m);
    check_exchanges(kem, m);
    check_parts(kem, m);
    printf("%s: %s\n", subject, failures == before ? "fine" : "FAILED");
}

static const char *const *chosen_sets; /* up to NULL */

static void check_sets(struct memory *m)
{
    for (size_t i = 0; chosen_sets[i] != NULL; i++) {
        const latkem_kem *kem = latkem_kem_find(chosen_sets[i]);
        name_subject(chosen_sets[i]);
        begin("the search");
        if (kem)
            check_set(kem, m);
        else
            fail("there is no such set");
    }
    for (size_t i = 0; chosen_sets[0] == NULL && latkem_kem_at(i) != NULL; i++) check_set(latkem_kem_at(i), m);
}

static void check_backend(struct memory *m, const char *name)
{
    if (latkem_backend_use(name) != 0) {
        printf("%s: not to be had under valgrind on this CPU\n", name);
        failures++;
        return;
    }
    check_sets(m);
}

static int check_backends(const char *const *names, int count)
{
    static struct memory m;
    int checked = 0;
    for (; checked < count; checked++) check_backend(&m, names[checked]);
    if (count == 0)
        for (; latkem_backend_at((size_t)checked) != NULL; checked++)
            check_backend(&m, latkem_backend_at((size_t)checked));
    printf("%d backends checked, %d failures\n", checked, failures);
    return checked > 0 && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *const *const names = (const char *const *)argv + 1;
    int count = 0;
    if (!is_under_memcheck("ct_check")) return 2;
    while (count < argc - 1 && strcmp(names[count], "--") != 0) count++;
    chosen_sets = names + count + (count < argc - 1);
    return count > 0 && strncmp(names[0], "leak-", 5) == 0 ? leak(names[0]) : check_backends(names, count);
}
