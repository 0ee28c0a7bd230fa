/* Packets by a DMA engine. SPDX-License-Identifier: Apache-2.0 */
#include "dma.h"

#include <string.h>

/* Registers of a channel: MM2S reads memory, S2MM writes it. */
enum { MM2S = 0x00, S2MM = 0x30, DMACR = 0x00, DMASR = 0x04, ADDRESS = 0x18, ADDRESS_MSB = 0x1c, LENGTH = 0x28 };

static const uint32_t cr_run = 1, cr_reset = 1 << 2, cr_complete_enable = 1 << 12, cr_error_enable = 1 << 14;
static const uint32_t sr_errors = 7 << 4, sr_complete = 1 << 12, sr_error = 1 << 14;

/* The length starts the channel: it is written last. */
static void start(const core_dma *dma, unsigned channel, size_t words)
{
    const core_bus *bus = &dma->bus;
    bus->write(bus->port, channel + DMACR, cr_run | cr_complete_enable | cr_error_enable);
    bus->write(bus->port, channel + ADDRESS, (uint32_t)dma->address);
    bus->write(bus->port, channel + ADDRESS_MSB, (uint32_t)(dma->address >> 32));
    bus->write(bus->port, channel + LENGTH, (uint32_t)(8 * words));
}

/* Whether a channel did what it was started for. */
static int finish(const core_bus *bus, unsigned channel)
{
    uint32_t status;
    while (((status = bus->read(bus->port, channel + DMASR)) & (sr_complete | sr_errors)) == 0)
        if (bus->wait != NULL && channel == S2MM) bus->wait(bus->port);
    bus->write(bus->port, channel + DMASR, sr_complete | sr_error);
    return (status & sr_errors) == 0;
}

/* One buffer serves both ways. The receiving channel is started first, so that the core never waits for it. */
size_t core_dma_exchange(void *context, const uint64_t *request, size_t count, uint64_t *response, size_t room)
{
    const core_dma *dma = context;
    const core_bus *bus = &dma->bus;
    size_t got = 0;
    if (count > CORE_WORDS) return 0;
    memcpy(dma->buffer, request, 8 * count);
    start(dma, S2MM, room < CORE_WORDS ? room : CORE_WORDS);
    start(dma, MM2S, count);
    if (finish(bus, S2MM) && finish(bus, MM2S))
        got = bus->read(bus->port, S2MM + LENGTH) / 8;
    else
        bus->write(bus->port, MM2S + DMACR, cr_reset); /* it resets both channels */
    memcpy(response, dma->buffer, 8 * got);
    core_wipe(dma->buffer, CORE_WORDS);
    return got;
}
