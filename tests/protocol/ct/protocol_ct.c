/* Secret-independence of liblatkem-protocol: every operation runs with its secrets marked undefined for valgrind's
 * memcheck, which then reports each branch and each address of ours that depends on one. libcrypto's own work is left
 * out (libcrypto.supp); secrets that it gives back stay secret. The library is built with LATKEM_CT_CHECK, so that what
 * it declares public (lk_declassify) counts as defined. tests/ct does the same for the core.
 *
 * Usage: valgrind --suppressions=libcrypto.supp protocol_ct [leak-branch | leak-index]; the latter run a planted leak that
 * must be reported. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/hpke.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>
#include <latkem/noise.h>
#include <latkem/prepared.h>

#include "../../ct/memcheck.h"

#define TEXT 64

static void name_subject(const char *name)
{
    snprintf(subject, sizeof subject, "%s", name);
}

/* ML-KEM's dk is s || ek || H(ek) || z: the middle is public. */
static void reveal_public(uint8_t *dk, size_t len)
{
    const size_t public_len = (len - 96) / 2 + 64;
    reveal(dk + len - 32 - public_len, public_len);
}

static void mark_mlkem_dk(uint8_t *dk, size_t len)
{
    hide(dk, len);
    reveal_public(dk, len);
}

/* ---- Hybrids ---- */

static struct {
    uint8_t ek[2 * LARGEST], dk[2 * LARGEST], ct[2 * LARGEST], ss[2 * LARGEST], seed[LARGEST];
    _Alignas(max_align_t) uint8_t prepared_ek[LARGEST_PREPARED];
    _Alignas(max_align_t) uint8_t prepared_dk[LARGEST_PREPARED];
} m;

/* Of TLS's hybrids dk has ML-KEM's, and the scalar before or behind it. Of the others it is a seed. */
static void mark_dk(const latkem_kem *kem, uint8_t *dk)
{
    const latkem_kem *mlkem = latkem_kem_find(strstr(latkem_kem_name(kem), "1024") ? "ML-KEM-1024" : "ML-KEM-768");
    const size_t len = latkem_dk_bytes(kem), mlkem_len = latkem_dk_bytes(mlkem);
    hide(dk, len);
    if (len > mlkem_len) mark_mlkem_dk(dk + (latkem_kem_name(kem)[0] == 'S' ? len - mlkem_len : 0), mlkem_len);
}

static void made_keypair(const latkem_kem *kem, const char *name, size_t n, int rc)
{
    judge(name, rc, 0);
    for (size_t i = 0; i < n; i++) {
        expect_secret(m.dk + i * latkem_dk_bytes(kem), 32);
        mark_dk(kem, m.dk + i * latkem_dk_bytes(kem));
    }
    reveal(m.ek, n * latkem_ek_bytes(kem));
}

static void made_encapsulation(const latkem_kem *kem, const char *name, size_t n, int rc)
{
    judge(name, rc, 0);
    expect_secret(m.ss, n * latkem_ss_bytes(kem));
    reveal(m.ct, n * latkem_ct_bytes(kem));
}

static void made_secret(const latkem_kem *kem, const char *name, size_t n, int rc)
{
    judge(name, rc, 0);
    expect_secret(m.ss, n * latkem_ss_bytes(kem));
}

static void check_decaps(const latkem_kem *kem, const char *name, const char *prepared)
{
    const size_t ct_len = latkem_ct_bytes(kem);
    made_secret(kem, name, 1, latkem_decaps(kem, m.ss, m.ct, ct_len, m.dk, latkem_dk_bytes(kem)));
    made_secret(kem, prepared, 1, latkem_decaps_prepared(kem, m.ss, m.ct, ct_len, m.prepared_dk));
}

static void check_hybrid(const latkem_kem *kem)
{
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    name_subject(latkem_kem_name(kem));
    fill_secret(m.seed, latkem_seed_bytes(kem));
    made_keypair(kem, "keypair_derand", 1, latkem_keypair_derand(kem, m.ek, m.dk, m.seed, latkem_seed_bytes(kem)));
    made_keypair(kem, "keypair", 1, latkem_keypair(kem, m.ek, m.dk));
    judge("check_ek", latkem_check_ek(kem, m.ek, ek_len), 0);
    judge("check_dk", latkem_check_dk(kem, m.dk, dk_len), 0);
    judge("prepare_ek", latkem_prepare_ek(kem, m.prepared_ek, m.ek, ek_len), 0);
    judge("prepare_dk", latkem_prepare_dk(kem, m.prepared_dk, m.dk, dk_len), 0);
    made_encapsulation(kem, "encaps_prepared", 1, latkem_encaps_prepared(kem, m.ct, m.ss, m.prepared_ek));
    made_encapsulation(kem, "encaps", 1, latkem_encaps(kem, m.ct, m.ss, m.ek, ek_len));
    check_decaps(kem, "decaps", "decaps_prepared");
    m.ct[strncmp(latkem_kem_name(kem), "Sec", 3) == 0 ? latkem_ct_bytes(kem) - 1 : 0] ^= 1; /* in ML-KEM's part */
    check_decaps(kem, "decaps of an altered ciphertext", "decaps_prepared of an altered ciphertext");
    made_keypair(kem, "keypair_batch", 2, latkem_keypair_batch(kem, 2, m.ek, m.dk));
    made_encapsulation(kem, "encaps_batch", 2, latkem_encaps_batch(kem, 2, m.ct, m.ss, m.ek));
    made_secret(kem, "decaps_batch", 2, latkem_decaps_batch(kem, 2, m.ss, m.ct, m.dk));
}

/* ---- Key files ---- */

static uint8_t file[LATKEM_PRIVATE_KEY_DER_MAX];

static void check_private(const latkem_kem *kem, int form, const uint8_t *key, size_t key_len)
{
    size_t len = sizeof file, seed_len = sizeof m.seed, dk_len = sizeof m.dk;
    judge("private_key_write", latkem_private_key_write(kem, form, file, &len, key, key_len), 0);
    if (form != LATKEM_FORM_SEED)
        reveal_public(file + len - latkem_dk_bytes(kem), latkem_dk_bytes(kem)); /* at its end */
    memset(m.dk, 0, sizeof m.dk);
    judge("private_key_read", latkem_private_key_read(&kem, &form, m.seed, &seed_len, m.dk, &dk_len, file, len), 0);
    expect_secret(m.dk, 32);
    if (seed_len > 0) expect_secret(m.seed, seed_len);
}

static void check_keyfiles(const latkem_kem *kem)
{
    uint8_t seed[64], dk[LARGEST];
    const size_t seed_len = latkem_seed_bytes(kem);
    name_subject("key files");
    fill_secret(seed, seed_len);
    judge("keypair_derand", latkem_keypair_derand(kem, m.ek, dk, seed, seed_len), 0);
    check_private(kem, LATKEM_FORM_SEED, seed, seed_len);
    if (seed_len != 64) return;
    check_private(kem, LATKEM_FORM_BOTH, seed, seed_len);
    mark_mlkem_dk(dk, latkem_dk_bytes(kem));
    check_private(kem, LATKEM_FORM_EXPANDED, dk, latkem_dk_bytes(kem));
}

/* ---- Noise ---- */

static _Alignas(max_align_t) uint8_t sessions[2][65536], messages[2][LARGEST];

static void check_message(const char *write, const char *read, uint8_t *from, uint8_t *to)
{
    uint8_t payload[TEXT];
    size_t len = LARGEST, payload_len = sizeof payload;
    fill_secret(payload, sizeof payload);
    judge(write, latkem_noise_write_rng(from, messages[0], &len, payload, sizeof payload, rng, NULL), 0);
    reveal(messages[0], len);
    memcpy(messages[1], messages[0], len);
    memset(payload, 0, sizeof payload);
    judge(read, latkem_noise_read(to, payload, &payload_len, messages[1], len), 0);
    expect_secret(payload, sizeof payload);
}

static void check_noise(const char *protocol, int initiator_key, int known)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    uint8_t ek[2][LARGEST], dk[2][LARGEST], seed[64];
    uint8_t *a = sessions[0], *b = sessions[1];
    name_subject(protocol);
    for (int i = 0; i < 2; i++) {
        fill_secret(seed, sizeof seed);
        judge("keypair", latkem_keypair_derand(kem, ek[i], dk[i], seed, sizeof seed), 0);
        reveal(ek[i], ek_len);
        mark_mlkem_dk(dk[i], dk_len);
    }
    /* The responder's key is a seed, the initiator's expanded. */
    judge("start",
          latkem_noise_start(a, protocol, LATKEM_NOISE_INITIATOR, NULL, 0, initiator_key ? dk[0] : NULL,
                             initiator_key ? dk_len : 0, ek[1], ek_len),
          0);
    judge("start",
          latkem_noise_start(b, protocol, LATKEM_NOISE_RESPONDER, NULL, 0, seed, sizeof seed, known ? ek[0] : NULL,
                             known ? ek_len : 0),
          0);
    check_message("write of message 1", "read of message 1", a, b);
    check_message("write of message 2", "read of message 2", b, a);
    check_message("write of a transport message", "read of a transport message", a, b);
    messages[1][0] ^= 1;
    size_t len = TEXT;
    judge("read of an altered message", latkem_noise_read(b, m.ss, &len, messages[1], TEXT + 16), LATKEM_ERR_AUTH);
    latkem_noise_end(a);
    latkem_noise_end(b);
}

/* ---- HPKE ---- */

static void check_hpke(const char *name, const latkem_kem *kem, unsigned kdf, unsigned aead)
{
    const size_t ek_len = latkem_ek_bytes(kem), sk_len = latkem_seed_bytes(kem), enc_len = latkem_ct_bytes(kem);
    uint8_t *a = sessions[0], *b = sessions[1], sk[64], text[TEXT], out[TEXT];
    name_subject(name);
    fill_secret(text, sizeof text);
    judge("derive_keypair", latkem_hpke_derive_keypair(kem, m.ek, sk, text, sizeof text), 0);
    reveal(m.ek, ek_len);
    expect_secret(sk, sk_len);
    judge("sender", latkem_hpke_sender(a, m.ct, kem, kdf, aead, m.ek, ek_len, NULL, 0), 0);
    reveal(m.ct, enc_len);
    judge("recipient", latkem_hpke_recipient(b, kem, kdf, aead, m.ct, enc_len, sk, sk_len, NULL, 0), 0);
    judge("seal", latkem_hpke_seal(a, messages[0], NULL, 0, text, sizeof text), 0);
    reveal(messages[0], sizeof text + LATKEM_HPKE_TAG_BYTES);
    judge("open", latkem_hpke_open(b, out, NULL, 0, messages[0], sizeof text + LATKEM_HPKE_TAG_BYTES), 0);
    expect_secret(out, sizeof out);
    judge("open again", latkem_hpke_open(b, out, NULL, 0, messages[0], sizeof text + LATKEM_HPKE_TAG_BYTES),
          LATKEM_ERR_AUTH);
    judge("export", latkem_hpke_export(b, out, sizeof out, NULL, 0), 0);
    expect_secret(out, sizeof out);
    latkem_hpke_end(a);
    latkem_hpke_end(b);
}

static void check_all(void)
{
    const latkem_kem *mlkem = latkem_kem_find("ML-KEM-768"), *xwing = latkem_hybrid_find("X-Wing");
    for (size_t i = 0; latkem_hybrid_at(i); i++) check_hybrid(latkem_hybrid_at(i));
    check_keyfiles(mlkem);
    check_keyfiles(xwing);
    check_noise("Noise_pqNK_MLKEM768_ChaChaPoly_SHA256", 0, 0);
    check_noise("Noise_pqKK_MLKEM768_AESGCM_SHA512", 1, 1);
    check_noise("Noise_pqIK_MLKEM768_ChaChaPoly_SHA512", 1, 0);
    check_hpke("HPKE with ML-KEM-768", mlkem, LATKEM_HPKE_HKDF_SHA256, LATKEM_HPKE_AES_128_GCM);
    check_hpke("HPKE with X-Wing", xwing, LATKEM_HPKE_SHAKE256, LATKEM_HPKE_CHACHA20_POLY1305);
    check_hpke("HPKE with TurboSHAKE", mlkem, LATKEM_HPKE_TURBOSHAKE128, LATKEM_HPKE_CHACHA20_POLY1305);
    check_hpke("HPKE with MLKEM1024-P384", latkem_hybrid_find("MLKEM1024-P384"), LATKEM_HPKE_HKDF_SHA384,
               LATKEM_HPKE_AES_256_GCM);
}

int main(int argc, char **argv)
{
    if (!is_under_memcheck("protocol_ct")) return 2;
    if (argc > 1) return leak(argv[1]);
    if (latkem_noise_bytes() > sizeof sessions[0] || latkem_hpke_bytes() > sizeof sessions[0]) return 2;
    check_all();
    printf("liblatkem-protocol: %d failures\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
