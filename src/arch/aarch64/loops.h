/* What compilers are asked for in vector code. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_AARCH64_LOOPS_H
#define LK_ARCH_AARCH64_LOOPS_H

/* Before loops over registers: rolled up, they would keep secrets in arrays on the stack. */
#define UNROLLED _Pragma("GCC unroll 16")

#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif
