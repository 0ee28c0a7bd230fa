/* The instructions of keccak_permute.inc. Registers are numbers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_AVX512_KECCAK_INSTRUCTIONS_H
#define LK_ARCH_X86_64_AVX512_KECCAK_INSTRUCTIONS_H

#define REGISTER(n) "%%" VECTOR #n
#define TERNARY(table, d, a, b) "vpternlogq $" table ", " REGISTER(b) ", " REGISTER(a) ", " REGISTER(d) "\n\t"

#define XOR(d, a) "vpxorq " REGISTER(a) ", " REGISTER(d) ", " REGISTER(d) "\n\t"
#define XOR2(d, a, b) TERNARY("0x96", d, a, b)     /* d ^= a ^ b */
#define CHI(d, y, z) TERNARY("0xD2", d, y, z)      /* d ^= ~y & z */
#define CHI_LAST(x, y, d) TERNARY("0x9C", d, x, y) /* d <- x ^ (~y & d) */
#define COPY(d, a) "vmovdqa64 " REGISTER(a) ", " REGISTER(d) "\n\t"
#define ROTATE(d, a, n) "vprolq $" #n ", " REGISTER(a) ", " REGISTER(d) "\n\t"
#define IOTA(d, n) "vpxorq 8*" #n "(%%rax)" BROADCAST ", " REGISTER(d) ", " REGISTER(d) "\n\t"
#define LOAD(w) "vmovdqa64 64*" #w "(%%rdi), " REGISTER(w) "\n\t"
#define STORE(w) "vmovdqa64 " REGISTER(w) ", 64*" #w "(%%rdi)\n\t"
#define PARITY(c, w0, w1, w2, w3, w4) COPY(c, w0) XOR2(c, w1, w2) XOR2(c, w3, w4)

/* clang-format off */
#define EACH_WORD(DO)                                                                                                  \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12)                                   \
    DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24)
#define EACH_COLUMN(DO)                                                                                                \
    DO(25, 0, 5, 10, 15, 20) DO(26, 1, 6, 11, 16, 21) DO(27, 2, 7, 12, 17, 22)                                         \
    DO(28, 3, 8, 13, 18, 23) DO(29, 4, 9, 14, 19, 24)
/* clang-format on */

#define VECTOR_REGISTERS                                                                                               \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",         \
        "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",    \
        "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"

#endif
