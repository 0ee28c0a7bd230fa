# Runs one instruction on many states: run(states in, states out, count).
#
# A flat image whose places are fixed by .org; x86_64_states.py has the same numbers. The instruction stands at `slot`; what
# follows it is reached by not jumping, `taken` by jumping. The memory that it may use ends at a page that faults. Without
# AVX512, masks and all of the vectors but ymm0 to ymm15 are neither given nor kept. SPDX-License-Identifier: Apache-2.0
    .intel_syntax noprefix
    .set GENERAL, 0
    .set FLAGS, 128
    .set TAKEN, 136
    .set MASKS, 144
    .set VECTORS, 208
    .set MEMORY, 2256
    .set STATE, 2512

    .text
run:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rip + saved_rsp], rsp
    mov [rip + states_in], rdi
    mov [rip + states_out], rsi
    mov [rip + count], rdx
next:
    mov rax, [rip + states_in]
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovdqu ymm0, [rax + MEMORY + 32 * \i]
    vmovdqa [rip + memory + 32 * \i], ymm0
    .endr
    .ifdef AVX512
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 zmm\i, [rax + VECTORS + 64 * \i]
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq k\i, [rax + MASKS + 8 * \i]
    .endr
    .else
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu ymm\i, [rax + VECTORS + 64 * \i]
    .endr
    .endif
    mov byte ptr [rip + was_taken], 0
    lea rsp, [rip + small_stack]
    push qword ptr [rax + FLAGS]
    popfq
    mov rcx, [rax + GENERAL + 8 * 1]
    mov rdx, [rax + GENERAL + 8 * 2]
    mov rbx, [rax + GENERAL + 8 * 3]
    mov rsp, [rax + GENERAL + 8 * 4]
    mov rbp, [rax + GENERAL + 8 * 5]
    mov rsi, [rax + GENERAL + 8 * 6]
    mov rdi, [rax + GENERAL + 8 * 7]
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    mov r\i, [rax + GENERAL + 8 * \i]
    .endr
    mov rax, [rax + GENERAL]
    jmp slot

    .org 0x1000
slot:
    .skip 32

    .org 0x1040
taken:
    mov byte ptr [rip + was_taken], 1
    jmp done

    .org 0x1080
done:
    mov [rip + kept_rax], rax
    mov [rip + kept_rsp], rsp
    mov rax, [rip + states_out]
    lea rsp, [rip + small_stack]
    pushfq
    pop qword ptr [rax + FLAGS]
    cld
    mov [rax + GENERAL + 8 * 1], rcx
    mov [rax + GENERAL + 8 * 2], rdx
    mov [rax + GENERAL + 8 * 3], rbx
    mov [rax + GENERAL + 8 * 5], rbp
    mov [rax + GENERAL + 8 * 6], rsi
    mov [rax + GENERAL + 8 * 7], rdi
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    mov [rax + GENERAL + 8 * \i], r\i
    .endr
    mov rcx, [rip + kept_rax]
    mov [rax + GENERAL], rcx
    mov rcx, [rip + kept_rsp]
    mov [rax + GENERAL + 8 * 4], rcx
    movzx ecx, byte ptr [rip + was_taken]
    mov [rax + TAKEN], rcx
    .ifdef AVX512
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 [rax + VECTORS + 64 * \i], zmm\i
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq [rax + MASKS + 8 * \i], k\i
    .endr
    .else
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu [rax + VECTORS + 64 * \i], ymm\i
    .endr
    .endif
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovdqa ymm0, [rip + memory + 32 * \i]
    vmovdqu [rax + MEMORY + 32 * \i], ymm0
    .endr
    add qword ptr [rip + states_in], STATE
    add qword ptr [rip + states_out], STATE
    dec qword ptr [rip + count]
    jnz next
    mov rsp, [rip + saved_rsp]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    vzeroupper
    ret

    # 0x3000 is a page that nobody may touch
    .org 0x2f00
memory:
    .skip 256

    .org 0x4000
saved_rsp:  .quad 0
states_in:  .quad 0
states_out: .quad 0
count:      .quad 0
kept_rax:   .quad 0
kept_rsp:   .quad 0
was_taken:  .quad 0
    .org 0x4ff0
small_stack:
    .org 0x5000
