/* The instructions of keccak_permute.inc. Registers are numbers; so are words of the states, w, and distances, n.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX2_KECCAK_INSTRUCTIONS_H
#define LK_ARCH_X86_64_AVX2_KECCAK_INSTRUCTIONS_H

#define REGISTER(n) "%%ymm" #n
#define TWO(name, d, a, b) name " " REGISTER(b) ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define ONE(name, d, a) name " " a ", " REGISTER(d) "\n\t"
#define OF_STATES(w) "32*" #w "(%%rdi)"
#define KEPT "(%%rcx)"

#define XOR(d, a, b) TWO("vpxor", d, a, b)
#define OR(d, a, b) TWO("vpor", d, a, b)
#define AND_NOT(d, y, z) TWO("vpandn", d, y, z) /* d <- ~y & z */
#define TWICE(d, a) TWO("vpaddq", d, a, a)
#define UP(d, a, n) "vpsllq $" #n ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define DOWN(d, a, n) "vpsrlq $" #n ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define BYTES(d, a, n) "vpshufb " PLACES_##n ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define PLACES_8 "(%%rsi)"
#define PLACES_56 "32(%%rsi)"
#define MOVE(d, a) ONE("vmovdqa", d, REGISTER(a))
#define LOAD(d, w) ONE("vmovdqa", d, OF_STATES(w))
#define STORE(a, w) "vmovdqa " REGISTER(a) ", " OF_STATES(w) "\n\t"
#define XOR_WORD(d, a, w) "vpxor " OF_STATES(w) ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define XOR_KEPT(d, a) "vpxor " KEPT ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define KEEP(a) "vmovdqa " REGISTER(a) ", " KEPT "\n\t"
#define CONSTANT(d, n) ONE("vpbroadcastq", d, "8*" #n "(%%rax)")
#define PARITY(c, w0, w1, w2, w3, w4)                                                                                  \
    LOAD(c, w0) XOR_WORD(c, c, w1) XOR_WORD(c, c, w2) XOR_WORD(c, c, w3) XOR_WORD(c, c, w4)

/* clang-format off */
#define EACH_COLUMN(DO)                                                                                                \
    DO(0, 0, 5, 10, 15, 20) DO(1, 1, 6, 11, 16, 21) DO(2, 2, 7, 12, 17, 22)                                            \
    DO(3, 3, 8, 13, 18, 23) DO(4, 4, 9, 14, 19, 24)
/* clang-format on */

#define VECTOR_REGISTERS                                                                                               \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",         \
        "xmm13", "xmm14", "xmm15"

#endif
