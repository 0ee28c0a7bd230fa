/* The registers of latkem_axil: see hw/README.md. SPDX-License-Identifier: Apache-2.0 */
#include "registers.h"

enum { ID = 0x00, VERSION = 0x04, CONTROL = 0x08, STATUS = 0x0c, REQ_LOW = 0x10, REQ_HIGH = 0x14, REQ_LAST = 0x18 };
enum { RSP_LOW = 0x1c, RSP_HIGH = 0x20 };

static const uint32_t control_response = 1, control_zeroize = UINT32_C(1) << 31;
static const uint32_t status_busy = 1, status_last = 2, status_response = UINT32_C(1) << 24;

static unsigned space(uint32_t status)
{
    return status >> 8 & 0xff;
}

static unsigned waiting(uint32_t status)
{
    return status >> 16 & 0xff;
}

int core_registers_found(const core_bus *bus)
{
    return bus->read(bus->port, ID) == UINT32_C(0x4c4b454d) && bus->read(bus->port, VERSION) >> 16 == 1;
}

/* A status that has room for a word is read once for all words that it has room for. */
static void send(const core_bus *bus, const uint64_t *words, size_t count)
{
    unsigned room = 0;
    for (size_t i = 0; i < count; i++) {
        while (room == 0) room = space(bus->read(bus->port, STATUS));
        room--;
        bus->write(bus->port, REQ_LOW, (uint32_t)words[i]);
        bus->write(bus->port, i + 1 < count ? REQ_HIGH : REQ_LAST, (uint32_t)(words[i] >> 32));
    }
}

/* The packet is read to its end, also the words for which there is no room. */
static size_t receive(const core_bus *bus, uint64_t *words, size_t room)
{
    size_t count = 0;
    for (uint32_t status = 0; (status & status_last) == 0;) {
        status = bus->read(bus->port, STATUS);
        if (waiting(status) == 0) {
            status = 0;
            continue;
        }
        const uint64_t low = bus->read(bus->port, RSP_LOW), high = bus->read(bus->port, RSP_HIGH);
        if (count < room) words[count] = low | high << 32;
        count++;
    }
    return count <= room ? count : 0;
}

size_t core_registers_exchange(void *context, const uint64_t *request, size_t count, uint64_t *response, size_t room)
{
    const core_bus *bus = context;
    bus->write(bus->port, STATUS, status_response); /* of an earlier response */
    if (bus->wait != NULL) bus->write(bus->port, CONTROL, control_response);
    send(bus, request, count);
    if (bus->wait != NULL) {
        while ((bus->read(bus->port, STATUS) & status_response) == 0) bus->wait(bus->port);
        bus->write(bus->port, CONTROL, 0);
    }
    return receive(bus, response, room);
}

void core_registers_zeroize(const core_bus *bus)
{
    bus->write(bus->port, CONTROL, control_zeroize);
    while ((bus->read(bus->port, STATUS) & status_busy) != 0) continue;
}
