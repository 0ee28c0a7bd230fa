/* Known answers of every set on every backend, for platforms without a C++ compiler or files to read: keys, a ciphertext,
 * its secret and that of a damaged ciphertext from fixed seeds, digested. tests/kat holds the library to the official
 * vectors; the digests below were made by a library that passed it, and `known_answers --print` makes them anew. A set
 * without a digest is run all the same.
 *
 * Then prepared keys, and the system's randomness, or its absence, by the calls that draw it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>
#include <latkem/prepared.h>
#include <latkem/workspace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4608, LARGEST_PREPARED = 98304, SECRET = 32 };

static const struct {
    const char *name;
    uint64_t digest;
} known[] = {
    // clang-format off
    {"ML-KEM-512", UINT64_C(0x16eeb35a2df4d38f)},
    {"ML-KEM-768", UINT64_C(0x13461b7ad5edf24e)},
    {"ML-KEM-1024", UINT64_C(0xc06888ed691db747)},
    {"Kyber512", UINT64_C(0xcf74c2fdb1271b99)},
    {"Kyber768", UINT64_C(0x1141ff816441d09e)},
    {"Kyber1024", UINT64_C(0x63872f8bfa8b6954)},
    {"Kyber512-90s", UINT64_C(0x63bbdf5867b11f3c)},
    {"Kyber768-90s", UINT64_C(0x1f7f8389888ed598)},
    {"Kyber1024-90s", UINT64_C(0x7fc8467183b4b876)},
    {"LightSaber", UINT64_C(0xa4c15812721ee03e)},
    {"Saber", UINT64_C(0x6ec372907c90947c)},
    {"FireSaber", UINT64_C(0x0e6fecd207402916)},
    {"NTRU-HPS-2048-509", UINT64_C(0x6bd973987009a265)},
    {"NTRU-HPS-2048-677", UINT64_C(0xc6e115cb526626d2)},
    {"NTRU-HPS-4096-821", UINT64_C(0xea832397ad4b4a13)},
    {"NTRU-HRSS-701", UINT64_C(0xd62ba7de5f64dd46)},
    // clang-format on
};

static uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], seed[LARGEST], ss[SECRET], opened[SECRET];
static _Alignas(16) uint8_t prepared_ek[LARGEST_PREPARED], prepared_dk[LARGEST_PREPARED];
static int failures;

static int expect(int condition, const char *set, const char *what)
{
    if (condition) return 1;
    printf("%s, %s: %s\n", set, latkem_backend_name(), what);
    failures++;
    return 0;
}

/* Bytes that look random; the multiplier is that of Knuth's MMIX. */
static int fill(void *state, uint8_t *out, size_t len)
{
    uint64_t *x = state;
    for (size_t i = 0; i < len; i++) {
        *x = *x * 6364136223846793005u + 1442695040888963407u;
        out[i] = (uint8_t)(*x >> 56);
    }
    return 0;
}

/* FNV-1a */
static uint64_t digest(uint64_t hash, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static int decaps(const latkem_kem *kem)
{
    return latkem_decaps(kem, opened, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
}

static uint64_t answers(const latkem_kem *kem)
{
    const char *name = latkem_kem_name(kem);
    uint64_t state = 1, hash = 14695981039346656037u;
    fill(&state, seed, latkem_seed_bytes(kem));
    expect(latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem)) == 0, name, "keypair_derand fails");
    fill(&state, seed, latkem_coins_bytes(kem));
    expect(latkem_encaps_derand(kem, ct, ss, ek, latkem_ek_bytes(kem), seed, latkem_coins_bytes(kem)) == 0, name,
           "encaps_derand fails");
    hash = digest(hash, ek, latkem_ek_bytes(kem));
    hash = digest(hash, dk, latkem_dk_bytes(kem));
    hash = digest(hash, ct, latkem_ct_bytes(kem));
    hash = digest(hash, ss, SECRET);
    expect(decaps(kem) == 0 && memcmp(opened, ss, SECRET) == 0, name, "decaps gives another secret");
    ct[0] ^= 1;
    expect(decaps(kem) == 0 && memcmp(opened, ss, SECRET) != 0, name, "decaps accepts a damaged ciphertext");
    return digest(hash, opened, SECRET);
}

static uint64_t known_digest(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].digest;
    return 0;
}

static void calls_with_a_generator(const latkem_kem *kem)
{
    uint64_t state = 2;
    const int made = latkem_keypair_rng(kem, ek, dk, fill, &state);
    expect(made == 0 && latkem_encaps_rng(kem, ct, ss, ek, latkem_ek_bytes(kem), fill, &state) == 0,
           latkem_kem_name(kem), "calls with a generator fail");
    expect(decaps(kem) == 0 && memcmp(opened, ss, SECRET) == 0, latkem_kem_name(kem), "decaps gives another secret");
}

/* With the keys of the last call, and its randomness again. */
static void calls_with_prepared_keys(const latkem_kem *kem)
{
    const char *name = latkem_kem_name(kem);
    uint64_t state = 3, again = 3;
    const int made = latkem_prepare_ek(kem, prepared_ek, ek, latkem_ek_bytes(kem));
    expect(made == 0 && latkem_prepare_dk(kem, prepared_dk, dk, latkem_dk_bytes(kem)) == 0, name, "prepare fails");
    expect(latkem_encaps_rng(kem, ct, ss, ek, latkem_ek_bytes(kem), fill, &state) == 0, name, "encaps_rng fails");
    expect(latkem_decaps_prepared(kem, opened, ct, latkem_ct_bytes(kem), prepared_dk) == 0, name,
           "decaps_prepared fails");
    expect(memcmp(opened, ss, SECRET) == 0, name, "decaps_prepared gives another secret");
    expect(latkem_encaps_prepared_rng(kem, seed, ss, prepared_ek, fill, &again) == 0, name,
           "encaps_prepared_rng fails");
    expect(memcmp(seed, ct, latkem_ct_bytes(kem)) == 0 && memcmp(opened, ss, SECRET) == 0, name,
           "encaps_prepared_rng gives another ciphertext");
}

#if defined(LATKEM_OS_RANDOM)

static void calls_without_one(const latkem_kem *kem)
{
    static uint8_t other[LARGEST];
    const char *name = latkem_kem_name(kem);
    expect(latkem_keypair(kem, ek, other) == 0 && latkem_keypair(kem, ek, dk) == 0, name, "keypair fails");
    expect(memcmp(dk, other, latkem_dk_bytes(kem)) != 0, name, "two keys are equal");
    expect(latkem_encaps(kem, ct, ss, ek, latkem_ek_bytes(kem)) == 0, name, "encaps fails");
    expect(decaps(kem) == 0 && memcmp(opened, ss, SECRET) == 0, name, "decaps gives another secret");
}

#else

static int zero(const uint8_t *bytes, size_t len)
{
    uint8_t any = 0;
    for (size_t i = 0; i < len; i++) any |= bytes[i];
    return any == 0;
}

static void calls_without_one(const latkem_kem *kem)
{
    const char *name = latkem_kem_name(kem);
    expect(latkem_encaps(kem, ct, ss, ek, latkem_ek_bytes(kem)) == LATKEM_ERR_RNG, name, "encaps without randomness");
    expect(zero(ct, latkem_ct_bytes(kem)) && zero(ss, SECRET), name, "encaps leaves its outputs unzeroed");
    expect(latkem_encaps_batch(kem, 1, ct, ss, ek) == LATKEM_ERR_RNG, name, "encaps_batch without randomness");
    expect(latkem_keypair(kem, ek, dk) == LATKEM_ERR_RNG, name, "keypair without randomness");
    expect(zero(ek, latkem_ek_bytes(kem)) && zero(dk, latkem_dk_bytes(kem)), name,
           "keypair leaves its outputs unzeroed");
    expect(latkem_keypair_batch(kem, 1, ek, dk) == LATKEM_ERR_RNG, name, "keypair_batch without randomness");
}

#endif

static void check(const latkem_kem *kem)
{
    const char *name = latkem_kem_name(kem);
    if (!expect(latkem_ek_bytes(kem) <= LARGEST && latkem_dk_bytes(kem) <= LARGEST && latkem_ct_bytes(kem) <= LARGEST &&
                    latkem_seed_bytes(kem) <= LARGEST && latkem_coins_bytes(kem) <= LARGEST &&
                    latkem_prepared_ek_bytes(kem) <= LARGEST_PREPARED &&
                    latkem_prepared_dk_bytes(kem) <= LARGEST_PREPARED,
                name, "too large for this test"))
        return;
    const uint64_t found = answers(kem), wanted = known_digest(name);
    expect(found == wanted || wanted == 0, name, "another digest than the known one");
    expect(latkem_workspace_bytes(kem) > 0, name, "no workspace is enough");
    calls_with_a_generator(kem);
    calls_with_prepared_keys(kem);
    calls_without_one(kem);
}

/* In halves, as not every C library can print 64 bits. */
static void print_digests(void)
{
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)) != NULL; i++) {
        const uint64_t found = answers(kem);
        printf("    {\"%s\", UINT64_C(0x%08lx%08lx)},\n", latkem_kem_name(kem), (unsigned long)(found >> 32),
               (unsigned long)(found & 0xffffffff));
    }
}

int main(int argc, char **argv)
{
    int checked = 0;
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        print_digests();
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; latkem_backend_at(i) != NULL; i++) {
        if (latkem_backend_use(latkem_backend_at(i)) != 0) return EXIT_FAILURE;
        for (size_t j = 0; latkem_kem_at(j) != NULL; j++, checked++) check(latkem_kem_at(j));
    }
    printf("known_answers: %d sets and backends, %d failures\n", checked, failures);
    return failures == 0 && checked > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
