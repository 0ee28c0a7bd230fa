/* Requests and responses of a core: see hw/README.md. SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <string.h>

enum { KEYGEN = 1, ENCAPS = 2, DECAPS = 3 };

/* FIPS 203 section 8, table 3; Saber's specification, table 1. A Saber dk has s in 13 bits a coefficient. */
#define MLKEM(set, k, du, dv)                                                                                          \
    {                                                                                                                  \
        set, 64, 32, 384 * (k) + 32, 768 * (k) + 96, 32 * ((k) * (du) + (dv)), 0                                       \
    }
#define SABER(set, l, et)                                                                                              \
    {                                                                                                                  \
        set, 96, 32, 320 * (l) + 32, (416 + 320) * (l) + 96, 320 * (l) + 32 * (et), 0                                  \
    }

static const core_sizes all_sizes[] = {
    MLKEM(0, 2, 10, 4),                    /* ML-KEM-512 */
    MLKEM(1, 3, 10, 4),                    /* ML-KEM-768 */
    MLKEM(2, 4, 11, 5),                    /* ML-KEM-1024 */
    MLKEM(3, 2, 10, 4),                    /* Kyber512 */
    MLKEM(4, 3, 10, 4),                    /* Kyber768 */
    MLKEM(5, 4, 11, 5),                    /* Kyber1024 */
    SABER(9, 2, 3),                        /* LightSaber */
    SABER(10, 3, 4),                       /* Saber */
    SABER(11, 4, 6),                       /* FireSaber */
    {12, 2445, 2413, 699, 935, 699, 1},    /* NTRU-HPS-2048-509 */
    {13, 3243, 3211, 930, 1234, 930, 1},   /* NTRU-HPS-2048-677 */
    {14, 3927, 3895, 1230, 1590, 1230, 1}, /* NTRU-HPS-4096-821 */
    {15, 1432, 1400, 1138, 1450, 1138, 1}  /* NTRU-HRSS-701 */
};

const core_sizes *core_sizes_of(unsigned set)
{
    for (size_t i = 0; i < sizeof all_sizes / sizeof all_sizes[0]; i++)
        if (all_sizes[i].set == set) return &all_sizes[i];
    return NULL;
}

static size_t words_of(size_t bytes)
{
    return (bytes + 7) / 8;
}

/* An object begins at a new word, the lowest byte first; zeros fill its last one. */
static size_t put(uint64_t *words, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0) words[i / 8] = 0;
        words[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    }
    return words_of(size);
}

static void get(uint8_t *bytes, const uint64_t *words, size_t size)
{
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

void core_wipe(uint64_t *words, size_t count)
{
    volatile uint64_t *word = words;
    while (count-- > 0) *word++ = 0;
}

/* The request's words are behind its command; the response's come to the same place, behind the header. */
static int call(const core_link *link, unsigned operation, unsigned set, uint64_t *packet, size_t count,
                size_t expected)
{
    packet[0] = operation | (uint64_t)set << 8;
    const size_t got = link->exchange(link->port, packet, 1 + count, packet, CORE_WORDS);
    if (got == 0 || packet[0] >> 32 != operation || (packet[0] >> 8 & 0xff) != set) return -1;
    const int status = (int)(packet[0] & 0xff);
    return status != 0 || got == 1 + expected ? status : -1;
}

int core_keygen(const core_link *link, const core_sizes *sizes, uint8_t *ek, uint8_t *dk, const uint8_t *seed)
{
    uint64_t packet[CORE_WORDS];
    size_t count = put(packet + 1, seed, sizes->seed - CORE_Z);
    count += put(packet + 1 + count, seed + sizes->seed - CORE_Z, CORE_Z);
    const size_t ek_words = sizes->pair ? words_of(sizes->ek) : 0;
    const int status = call(link, KEYGEN, sizes->set, packet, count, ek_words + words_of(sizes->dk));
    if (status == 0) {
        get(dk, packet + 1 + ek_words, sizes->dk);
        if (sizes->pair)
            get(ek, packet + 1, sizes->ek);
        else
            memcpy(ek, dk + sizes->dk - 64 - sizes->ek, sizes->ek);
    }
    core_wipe(packet, CORE_WORDS);
    return status;
}

int core_encaps(const core_link *link, const core_sizes *sizes, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                const uint8_t *coins)
{
    uint64_t packet[CORE_WORDS];
    size_t count = put(packet + 1, ek, sizes->ek);
    count += put(packet + 1 + count, coins, sizes->coins);
    const int status = call(link, ENCAPS, sizes->set, packet, count, words_of(sizes->ct) + CORE_SS / 8);
    if (status == 0) {
        get(ct, packet + 1, sizes->ct);
        get(ss, packet + 1 + words_of(sizes->ct), CORE_SS);
    }
    core_wipe(packet, CORE_WORDS);
    return status;
}

int core_decaps(const core_link *link, const core_sizes *sizes, uint8_t *ss, const uint8_t *ct, const uint8_t *dk)
{
    uint64_t packet[CORE_WORDS];
    size_t count = put(packet + 1, dk, sizes->dk);
    count += put(packet + 1 + count, ct, sizes->ct);
    const int status = call(link, DECAPS, sizes->set, packet, count, CORE_SS / 8);
    if (status == 0) get(ss, packet + 1, CORE_SS);
    core_wipe(packet, CORE_WORDS);
    return status;
}
