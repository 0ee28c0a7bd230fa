/* A driver of a core of ML-KEM behind a 64-bit stream. SPDX-License-Identifier: Apache-2.0
 *
 * It knows the packets alone. How words reach the core is the caller's: a DMA engine, a FIFO in an FPGA's address
 * space, or, in this example, a simulation. */
#ifndef LATKEM_HW_DRIVER_H
#define LATKEM_HW_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sends `count` words as one packet and receives one packet of at most `room` words. Returns how many came. */
typedef size_t core_exchange(void *port, const uint64_t *request, size_t count, uint64_t *response, size_t room);

typedef struct {
    core_exchange *exchange;
    void *port;
} core_link;

/* The sets by their index in `latkem list`. */
enum { CORE_MLKEM_512, CORE_MLKEM_768, CORE_MLKEM_1024 };

/* All return the core's status, 0 for success, or -1 if what came is no answer to the request. Sizes in bytes:
 * ek 384 k + 32, dk 768 k + 96, ct 768, 1088 and 1568, for k = 2, 3 and 4. */
int core_keygen(const core_link *link, unsigned set, uint8_t *ek, uint8_t *dk, const uint8_t seed[64]);
int core_encaps(const core_link *link, unsigned set, uint8_t *ct, uint8_t ss[32], const uint8_t *ek,
                const uint8_t m[32]);
int core_decaps(const core_link *link, unsigned set, uint8_t ss[32], const uint8_t *ct, const uint8_t *dk);

#ifdef __cplusplus
}
#endif
#endif
