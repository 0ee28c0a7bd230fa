/* The tables behind the names of protocols. SPDX-License-Identifier: Apache-2.0 */
#include "noise/suite.h"

#include <string.h>

/* Angel and others, ePrint 2022/539, figure 5. The responder's static key is known beforehand in all three. */
static const lkp_noise_pattern patterns[] = {
    {"pqNK", 0, 0, {{LKP_SKEM, LKP_E}, {LKP_EKEM}}},
    {"pqKK", 1, 1, {{LKP_SKEM, LKP_E}, {LKP_EKEM, LKP_SKEM}}},
    {"pqIK", 1, 0, {{LKP_SKEM, LKP_E, LKP_S}, {LKP_EKEM, LKP_SKEM}}},
};

static const struct {
    const char *name, *set;
} kems[] = {{"MLKEM512", "ML-KEM-512"}, {"MLKEM768", "ML-KEM-768"}, {"MLKEM1024", "ML-KEM-1024"}};

/* The Noise Protocol Framework, revision 34, sections 12.3 to 12.6. */
static const struct {
    const char *name;
    const lkp_aead *aead;
    int big_endian;
} ciphers[] = {{"ChaChaPoly", &lkp_chacha20_poly1305, 0}, {"AESGCM", &lkp_aes_256_gcm, 1}};

static const struct {
    const char *name;
    const lkp_digest *digest;
} hashes[] = {{"SHA256", &lkp_sha256}, {"SHA512", &lkp_sha512}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Takes a word, and behind it the '_' that parts it from the next. */
static int take(const char **at, const char *word, int is_last)
{
    const size_t len = strlen(word);
    if (strncmp(*at, word, len) != 0 || (*at)[len] != (is_last ? '\0' : '_')) return 0;
    *at += len + !is_last;
    return 1;
}

/* Goes through a table until one of its names is taken; place is COUNT(table) if none is. */
#define TAKE_ONE_OF(table, at, place, is_last)                                                                         \
    for ((place) = 0; (place) < COUNT(table) && !take(at, (table)[place].name, is_last);) (place)++

int lkp_noise_parse(const char *protocol, lkp_noise_name *name, lkp_noise_suite *suite)
{
    const char **at = &protocol;
    if (!take(at, "Noise", 0)) return 0;
    TAKE_ONE_OF(patterns, at, name->pattern, 0);
    TAKE_ONE_OF(kems, at, name->kem, 0);
    TAKE_ONE_OF(ciphers, at, name->cipher, 0);
    TAKE_ONE_OF(hashes, at, name->hash, 1);
    return lkp_noise_find(*name, suite);
}

int lkp_noise_find(lkp_noise_name name, lkp_noise_suite *suite)
{
    if (name.pattern >= COUNT(patterns) || name.kem >= COUNT(kems)) return 0;
    if (name.cipher >= COUNT(ciphers) || name.hash >= COUNT(hashes)) return 0;
    const latkem_kem *kem = latkem_kem_find(kems[name.kem].set);
    *suite = (lkp_noise_suite){
        .pattern = &patterns[name.pattern],
        .kem = kem,
        .ek = latkem_ek_bytes(kem),
        .dk = latkem_dk_bytes(kem),
        .ct = latkem_ct_bytes(kem),
        .aead = ciphers[name.cipher].aead,
        .big_endian = ciphers[name.cipher].big_endian,
        .hash = hashes[name.hash].digest,
    };
    return kem != NULL;
}

/* The bytes of a token; *keyed: there is a key to encrypt with, as there is once a secret has been mixed in. */
static size_t token_bytes(const lkp_noise_suite *suite, uint8_t token, int *keyed)
{
    const size_t tag = *keyed ? LKP_TAG_BYTES : 0;
    switch (token) {
    case LKP_E: return suite->ek;
    case LKP_S: return suite->ek + tag;
    case LKP_EKEM: *keyed = 1; return suite->ct;
    case LKP_SKEM: *keyed = 1; return suite->ct + tag;
    default: return 0;
    }
}

size_t lkp_noise_overhead(const lkp_noise_suite *suite, size_t message)
{
    int keyed = message > 0;
    size_t bytes = LKP_TAG_BYTES; /* of the payload */
    for (size_t i = 0; i < LKP_NOISE_TOKENS; i++)
        bytes += token_bytes(suite, suite->pattern->messages[message][i], &keyed);
    return bytes;
}
