/* A driver of a core behind a 64-bit stream. SPDX-License-Identifier: Apache-2.0
 *
 * It knows the packets alone. A core_exchange brings words to the core and back: that of registers.h, that of dma.h, or
 * your own. */
#ifndef LATKEM_HW_DRIVER_H
#define LATKEM_HW_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sends `count` words as one packet and receives one packet of at most `room` words. Returns how many came, 0 for an
 * error. `response` may be `request`, because no response begins before its request has been sent. */
typedef size_t core_exchange(void *port, const uint64_t *request, size_t count, uint64_t *response, size_t room);

typedef struct {
    core_exchange *exchange;
    void *port;
} core_link;

/* Access to 32-bit registers of a device. `wait` returns at the device's interrupt, or earlier; without it, with NULL,
 * the device is polled. */
typedef struct {
    uint32_t (*read)(void *port, unsigned offset);
    void (*write)(void *port, unsigned offset, uint32_t value);
    void (*wait)(void *port);
    void *port;
} core_bus;

/* Sizes in bytes of a set, which is named by its index in `latkem list`. */
typedef struct {
    unsigned set;
    size_t seed, coins, ek, dk, ct;
    int pair; /* key generation answers ek, then dk; else dk alone, which has ek, H(ek) and z at its end */
} core_sizes;

enum {
    CORE_SS = 32,
    CORE_Z = 32,     /* bytes at the end of a seed that are an object of their own */
    CORE_WORDS = 650 /* of the longest packet, and more */
};

/* NULL for a set that no core has. */
const core_sizes *core_sizes_of(unsigned set);

/* Overwrites words that held secrets. */
void core_wipe(uint64_t *words, size_t count);

/* All return the core's status, 0 for success, or -1 if what came is no answer to the request. Objects have the sizes
 * of the set. */
int core_keygen(const core_link *link, const core_sizes *sizes, uint8_t *ek, uint8_t *dk, const uint8_t *seed);
int core_encaps(const core_link *link, const core_sizes *sizes, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                const uint8_t *coins);
int core_decaps(const core_link *link, const core_sizes *sizes, uint8_t *ss, const uint8_t *ct, const uint8_t *dk);

#ifdef __cplusplus
}
#endif
#endif
