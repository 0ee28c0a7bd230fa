/* The layer between liblatkem-protocol and libcrypto: lkt_NAME counts its calls and jumps to NAME, but for the one call
 * that must fail, which returns lkt_result at once. No prototype is needed: every register stays as it was but r10 and
 * r11, which no argument is in. For x86-64 and ELF. SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

uint64_t lkt_count, lkt_at;
int64_t lkt_result;
const char *lkt_hit;

#define CALL(name, kind)                                                                                               \
    __asm__(".pushsection .text\n"                                                                                     \
            ".globl lkt_" #name "\n"                                                                                   \
            ".type lkt_" #name ", @function\n"                                                                         \
            "lkt_" #name ":\n"                                                                                         \
            "endbr64\n"                                                                                                \
            "incq lkt_count(%rip)\n"                                                                                   \
            "movq lkt_count(%rip), %r11\n"                                                                             \
            "cmpq lkt_at(%rip), %r11\n"                                                                                \
            "jne 1f\n"                                                                                                 \
            "leaq 2f(%rip), %r11\n"                                                                                    \
            "movq %r11, lkt_hit(%rip)\n"                                                                               \
            "movq lkt_result(%rip), %rax\n"                                                                            \
            "ret\n"                                                                                                    \
            "1: jmp *" #name "@GOTPCREL(%rip)\n"                                                                       \
            "2: .string \"" #name "\"\n"                                                                               \
            ".popsection");
#include "calls.inc"
