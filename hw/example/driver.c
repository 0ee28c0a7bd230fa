/* Requests and responses of a core of ML-KEM: see hw/README.md. SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <string.h>

enum { KEYGEN = 1, ENCAPS = 2, DECAPS = 3, WORDS_MAX = 600 };

static const size_t ranks[] = {2, 3, 4}, ct_sizes[] = {768, 1088, 1568};

/* Objects are whole words, the lowest byte first. */
static size_t put(uint64_t *words, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0) words[i / 8] = 0;
        words[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    }
    return size / 8;
}

static void get(uint8_t *bytes, const uint64_t *words, size_t size)
{
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

static void wipe(uint64_t *words, size_t count)
{
    volatile uint64_t *word = words;
    while (count-- > 0) *word++ = 0;
}

/* The request's words stand behind its command; the response's come to the same place, behind the header. */
static int call(const core_link *link, unsigned operation, unsigned set, uint64_t *packet, size_t count,
                size_t expected)
{
    packet[0] = operation | (uint64_t)set << 8;
    const size_t got = link->exchange(link->port, packet, 1 + count, packet, WORDS_MAX);
    if (got == 0 || packet[0] >> 32 != operation || (packet[0] >> 8 & 0xff) != set) return -1;
    const int status = (int)(packet[0] & 0xff);
    return status != 0 || got == 1 + expected ? status : -1;
}

int core_keygen(const core_link *link, unsigned set, uint8_t *ek, uint8_t *dk, const uint8_t seed[64])
{
    uint64_t packet[WORDS_MAX];
    const size_t k = ranks[set], dk_size = 768 * k + 96;
    const size_t count = put(packet + 1, seed, 64);
    const int status = call(link, KEYGEN, set, packet, count, dk_size / 8);
    if (status == 0) {
        get(dk, packet + 1, dk_size);
        memcpy(ek, dk + 384 * k, 384 * k + 32);
    }
    wipe(packet, WORDS_MAX);
    return status;
}

int core_encaps(const core_link *link, unsigned set, uint8_t *ct, uint8_t ss[32], const uint8_t *ek,
                const uint8_t m[32])
{
    uint64_t packet[WORDS_MAX];
    const size_t ct_size = ct_sizes[set];
    size_t count = put(packet + 1, ek, 384 * ranks[set] + 32);
    count += put(packet + 1 + count, m, 32);
    const int status = call(link, ENCAPS, set, packet, count, ct_size / 8 + 4);
    if (status == 0) {
        get(ct, packet + 1, ct_size);
        get(ss, packet + 1 + ct_size / 8, 32);
    }
    wipe(packet, WORDS_MAX);
    return status;
}

int core_decaps(const core_link *link, unsigned set, uint8_t ss[32], const uint8_t *ct, const uint8_t *dk)
{
    uint64_t packet[WORDS_MAX];
    size_t count = put(packet + 1, dk, 768 * ranks[set] + 96);
    count += put(packet + 1 + count, ct, ct_sizes[set]);
    const int status = call(link, DECAPS, set, packet, count, 4);
    if (status == 0) get(ss, packet + 1, 32);
    wipe(packet, WORDS_MAX);
    return status;
}
