/* Cores whose SHA-3 instructions do not pay.
 *
 * `eor3`, `rax1`, `xar` and `bcax` have one pipe on these cores, which takes one of them a cycle; the plain instructions
 * have all pipes for vectors, and Keccak is faster with them (docs/performance.md). A system may have cores of several
 * kinds, and a thread moves among them. So the table is closed: cores that stand in one system have one answer, that of
 * the fastest among them, and it does not matter which of them the library asks. Cortex-A510, which gains from the SHA-3
 * instructions, stands beside Cortex-A710, A715, X2 and X3, hence is here; Cortex-A520 and A720 stand beside Cortex-X4,
 * hence are not. A core that is not here is trusted to have the instructions because they pay.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_CORES_H
#define LK_ARCH_AARCH64_CORES_H

#include <stddef.h>
#include <stdint.h>

/* The fields of MIDR_EL1 (Arm Architecture Reference Manual) that name a core. */
typedef struct {
    uint8_t implementer;
    uint16_t part;
} lk_core;

static const lk_core lk_cores_with_slow_sha3[] = {
    {0x41, 0xD40}, /* Neoverse V1: Graviton 3 */
    {0x41, 0xD46}, /* Cortex-A510 */
    {0x41, 0xD47}, /* Cortex-A710 */
    {0x41, 0xD48}, /* Cortex-X2 */
    {0x41, 0xD49}, /* Neoverse N2 */
    {0x41, 0xD4D}, /* Cortex-A715 */
    {0x41, 0xD4E}, /* Cortex-X3 */
    {0x41, 0xD4F}, /* Neoverse V2: Graviton 4, Grace, Axion */
    {0x6D, 0xD49}, /* Neoverse N2 as Microsoft names it: Cobalt 100 */
};

/* lk_core_has_slow_sha3 looks up the core that MIDR_EL1 names. */
static inline int lk_core_has_slow_sha3(uint64_t midr)
{
    for (size_t i = 0; i < sizeof lk_cores_with_slow_sha3 / sizeof lk_cores_with_slow_sha3[0]; i++) {
        const lk_core *core = &lk_cores_with_slow_sha3[i];
        if ((midr >> 24 & 0xFF) == core->implementer && (midr >> 4 & 0xFFF) == core->part) return 1;
    }
    return 0;
}

#endif
