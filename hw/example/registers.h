/* A core behind latkem_axil: its registers, with or without the interrupt. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HW_REGISTERS_H
#define LATKEM_HW_REGISTERS_H

#include "driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the registers are those of latkem_axil, of the version that this driver knows. */
int core_registers_found(const core_bus *bus);

/* A core_exchange with a core_bus as its port. */
size_t core_registers_exchange(void *bus, const uint64_t *request, size_t count, uint64_t *response, size_t room);

/* Makes the core forget everything, and returns when its secrets are overwritten. */
void core_registers_zeroize(const core_bus *bus);

#ifdef __cplusplus
}
#endif
#endif
