/* Keccak-f[1600] on the first of two interleaved states, in general registers (FIPS 202 section 3.3).
 *
 *     void lk_keccak_permute_x1_neon(uint64_t *states, const uint64_t *round_constants);
 *
 * The 25 words and theta's five columns take all registers there are: the round constants are copied to the stack and
 * popped, which needs no pointer.
 *
 * A logical instruction can rotate its second operand. Rho's rotations may so wait for chi, which then costs a rotation
 * wherever it combines words that wait for different ones; after Becker and Kannwischer, ePrint 2022/1243. On
 * Cortex-A72 and the like only one of the three integer pipes rotates operands. So two words of each row wait, the
 * others turn at once: theta sees no rotated word, and no pipe is left idle. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

/* Words between rounds. */
a0      .req x0
a1      .req x1
a2      .req x2
a3      .req x3
a4      .req x4
a5      .req x5
a6      .req x6
a7      .req x7
a8      .req x8
a9      .req x9
a10     .req x10
a11     .req x11
a12     .req x12
a13     .req x13
a14     .req x14
a15     .req x15
a16     .req x16
a17     .req x17
a18     .req x19
a19     .req x20
a20     .req x21
a21     .req x22
a22     .req x23
a23     .req x24
a24     .req x25

/* Theta's columns, each of which some D replaces as soon as it is not needed any more. */
c0      .req x26
c1      .req x27
c2      .req x28
c3      .req x29
c4      .req x30
th0     .req c4
th1     .req c3
th2     .req c1
th3     .req c2
th4     .req c3

/* The register that theta leaves free takes B[0, 2], the first word to turn. */
new10     .req c0
t0      .req c1
t1      .req c2
t2      .req c3
t3      .req c4

.macro parity c, a0, a1, a2, a3, a4
        eor \c, \a0, \a1
        eor \c, \c, \a2
        eor \c, \c, \a3
        eor \c, \c, \a4
.endm

/* d <- before ^ (after <<< 1). */
.macro theta d, before, after
        eor \d, \before, \after, ror #63
.endm

.macro add_to a, d
        eor \a, \a, \d
.endm

/* b <- a <<< r. */
.macro turn b, a, r
        ror \b, \a, #(64 - \r)
.endm

/* Theta alone: b waits for its rotation. */
.macro wait b, a, d
        eor \b, \a, \d
.endm

/* t <- z & ~y, where z and y wait for rotations to the left by qz and qy; t waits for qz. */
.macro andnot t, z, y, qz, qy
.if \qz == \qy
        bic \t, \z, \y
.else
        bic \t, \z, \y, ror #((64 + \qz - \qy) % 64)
.endif
.endm

/* e <- x ^ t, where one at least of x and t waits for no rotation; nor does e. */
.macro mix e, x, t, qx, qt
.if \qx != 0
        eor \e, \t, \x, ror #(64 - \qx)
.elseif \qt != 0
        eor \e, \x, \t, ror #(64 - \qt)
.else
        eor \e, \x, \t
.endif
.endm

/* Chi on the row b0 to b4, whose words wait for rotations by q0 to q4: b0 to e0, the others in place. */
.macro chi e0, b0, b1, b2, b3, b4, q0, q1, q2, q3, q4
        andnot t0, \b2, \b1, \q2, \q1
        andnot t1, \b1, \b0, \q1, \q0
        andnot t2, \b3, \b2, \q3, \q2
        mix \b1, \b1, t2, \q1, \q3
        andnot t2, \b4, \b3, \q4, \q3
        mix \b2, \b2, t2, \q2, \q4
        andnot t2, \b0, \b4, \q0, \q4
        mix \b3, \b3, t2, \q3, \q0
        mix \b4, \b4, t1, \q4, \q1
        mix \e0, \b0, t0, \q0, \q2
.endm

/* A round up to iota. */
.macro round
        parity c0, a0, a5, a10, a15, a20
        parity c2, a2, a7, a12, a17, a22
        parity c1, a1, a6, a11, a16, a21
        theta th1, c0, c2
        add_to a1, th1
        add_to a6, th1
        add_to a11, th1
        add_to a16, th1
        add_to a21, th1
        parity c4, a4, a9, a14, a19, a24
        parity c3, a3, a8, a13, a18, a23
        theta th3, c2, c4
        theta th0, c4, c1
        theta th2, c1, c3
        theta th4, c3, c0
        add_to a0, th0
        add_to a10, th0
        add_to a15, th0
        add_to a20, th0
        add_to a12, th2
        add_to a17, th2
        add_to a22, th2
        add_to a23, th3
        add_to a14, th4
        add_to a19, th4
        turn new10, a1, 1
        turn a1, a6, 44
        wait a6, a9, th4 // 20
        turn a9, a22, 61
        turn a22, a14, 39
        turn a14, a20, 18
        wait a20, a2, th2 // 62
        turn a2, a12, 43
        wait a12, a13, th3 // 25
        turn a13, a19, 8
        turn a19, a23, 56
        turn a23, a15, 41
        wait a15, a4, th4 // 27
        wait a4, a24, th4 // 14
        turn a24, a21, 2
        wait a21, a8, th3 // 55
        turn a8, a16, 45
        wait a16, a5, th0 // 36
        wait a5, a3, th3 // 28
        wait a3, a18, th3 // 21
        turn a18, a17, 15
        turn a17, a11, 10
        wait a11, a7, th2 // 6
        turn a7, a10, 3
        chi a0, a0, a1, a2, a3, a4, 0, 0, 0, 21, 14
        chi a5, a5, a6, a7, a8, a9, 28, 20, 0, 0, 0
        chi a10, new10, a11, a12, a13, a14, 0, 6, 25, 0, 0
        chi a15, a15, a16, a17, a18, a19, 27, 36, 0, 0, 0
        chi a20, a20, a21, a22, a23, a24, 62, 55, 0, 0, 0
.endm

/* op: ldr or str, for words 1 to 24. */
.macro all_but_first op, from
        \op a1, [\from, #16]
        \op a2, [\from, #32]
        \op a3, [\from, #48]
        \op a4, [\from, #64]
        \op a5, [\from, #80]
        \op a6, [\from, #96]
        \op a7, [\from, #112]
        \op a8, [\from, #128]
        \op a9, [\from, #144]
        \op a10, [\from, #160]
        \op a11, [\from, #176]
        \op a12, [\from, #192]
        \op a13, [\from, #208]
        \op a14, [\from, #224]
        \op a15, [\from, #240]
        \op a16, [\from, #256]
        \op a17, [\from, #272]
        \op a18, [\from, #288]
        \op a19, [\from, #304]
        \op a20, [\from, #320]
        \op a21, [\from, #336]
        \op a22, [\from, #352]
        \op a23, [\from, #368]
        \op a24, [\from, #384]
.endm

/* On the stack: the constants not used yet, a zero behind them, states, x19 to x30. */
function lk_keccak_permute_x1_neon
        stp x19, x20, [sp, #-96]!
        stp x21, x22, [sp, #16]
        stp x23, x24, [sp, #32]
        stp x25, x26, [sp, #48]
        stp x27, x28, [sp, #64]
        stp x29, x30, [sp, #80]
        ldp q0, q1, [x1]
        ldp q2, q3, [x1, #32]
        ldp q4, q5, [x1, #64]
        ldp q6, q7, [x1, #96]
        ldp q16, q17, [x1, #128]
        ldp q18, q19, [x1, #160]
        stp xzr, x0, [sp, #-16]!
        stp q18, q19, [sp, #-32]!
        stp q16, q17, [sp, #-32]!
        stp q6, q7, [sp, #-32]!
        stp q4, q5, [sp, #-32]!
        stp q2, q3, [sp, #-32]!
        stp q0, q1, [sp, #-32]!
        all_but_first ldr, x0
        ldr a0, [x0]
1:      round
        ldr t0, [sp]
        eor a0, a0, t0
        round
        ldr t0, [sp, #8]
        ldr t1, [sp, #16]!
        eor a0, a0, t0
        cbnz t1, 1b
        ldr t0, [sp, #8]
        str a0, [t0]
        all_but_first str, t0
        ldp x21, x22, [sp, #32]
        ldp x23, x24, [sp, #48]
        ldp x25, x26, [sp, #64]
        ldp x27, x28, [sp, #80]
        ldp x29, x30, [sp, #96]
        ldp x19, x20, [sp, #16]
        add sp, sp, #112
        ret
end_function lk_keccak_permute_x1_neon
