/* A core's streams behind a DMA engine with the registers of AMD's AXI DMA in direct register mode (PG021).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its MM2S stream leads to the core's s_axis, the core's m_axis to its S2MM stream; both are 64 bits wide. The core has
 * no TKEEP, because all words are whole: tie the engine's to ones. */
#ifndef LATKEM_HW_DMA_H
#define LATKEM_HW_DMA_H

#include "driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `buffer` has CORE_WORDS words that the engine sees at `address`, without a cache between. The interrupt of `bus` is
 * that of S2MM. The processor is little-endian, as the engine is. */
typedef struct {
    core_bus bus;
    uint64_t *buffer;
    uint64_t address;
} core_dma;

/* A core_exchange with a core_dma as its port. */
size_t core_dma_exchange(void *dma, const uint64_t *request, size_t count, uint64_t *response, size_t room);

#ifdef __cplusplus
}
#endif
#endif
