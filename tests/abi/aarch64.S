/* Calls with known values in the registers that a function must keep, and functions that keep all but one of them.
 * See abi_test.cpp. SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/assembly.inc"

#define FRAME 176
#define STATE 160 /* where the frame keeps the third argument */

/* uint64_t abi_call(const void *called, const uint64_t arguments[8], uint64_t state[19]): state is what x19 to x29 and
 * d8 to d15 hold before the call, then what they hold after it. */
function abi_call
        sub sp, sp, #FRAME
        stp x29, x30, [sp]
        stp x27, x28, [sp, #16]
        stp x25, x26, [sp, #32]
        stp x23, x24, [sp, #48]
        stp x21, x22, [sp, #64]
        stp x19, x20, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        str x2, [sp, #STATE]

        ldp x19, x20, [x2]
        ldp x21, x22, [x2, #16]
        ldp x23, x24, [x2, #32]
        ldp x25, x26, [x2, #48]
        ldp x27, x28, [x2, #64]
        ldr x29, [x2, #80]
        ldp d8, d9, [x2, #88]
        ldp d10, d11, [x2, #104]
        ldp d12, d13, [x2, #120]
        ldp d14, d15, [x2, #136]

        mov x16, x0
        mov x17, x1
        ldp x0, x1, [x17]
        ldp x2, x3, [x17, #16]
        ldp x4, x5, [x17, #32]
        ldp x6, x7, [x17, #48]
        blr x16

        ldr x17, [sp, #STATE]
        stp x19, x20, [x17]
        stp x21, x22, [x17, #16]
        stp x23, x24, [x17, #32]
        stp x25, x26, [x17, #48]
        stp x27, x28, [x17, #64]
        str x29, [x17, #80]
        stp d8, d9, [x17, #88]
        stp d10, d11, [x17, #104]
        stp d12, d13, [x17, #120]
        stp d14, d15, [x17, #136]

        ldp d14, d15, [sp, #144]
        ldp d12, d13, [sp, #128]
        ldp d10, d11, [sp, #112]
        ldp d8, d9, [sp, #96]
        ldp x19, x20, [sp, #80]
        ldp x21, x22, [sp, #64]
        ldp x23, x24, [sp, #48]
        ldp x25, x26, [sp, #32]
        ldp x27, x28, [sp, #16]
        ldp x29, x30, [sp]
        add sp, sp, #FRAME
        ret
end_function abi_call

/* Nineteen functions of 16 bytes; each changes the register at its place in state. */
function abi_changes_one
.irp number, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
        .p2align 4
        hint #34
        eor x\number, x\number, #0x100
        ret
.endr
.irp number, 8, 9, 10, 11, 12, 13, 14, 15
        .p2align 4
        hint #34
        fneg d\number, d\number
        ret
.endr
end_function abi_changes_one
