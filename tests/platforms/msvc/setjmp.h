/* See string.h; for the compiler's intrin.h, which only declares functions with it. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_SETJMP_H
#define LK_MSVC_SETJMP_H

typedef struct {
    unsigned long long part[2];
} jmp_buf[16];

#endif
