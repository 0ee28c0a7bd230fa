# The ROM with which the emulator Bochs starts: into 64-bit mode with AVX-512, runs the driver of x86_64_states.S on the
# states of each job, and writes what became of each state to port 0xe9: a bit for each word that changed, the least
# first, and the changed words. bochs.py puts page tables, jobs, driver and states where they are expected here.
# SPDX-License-Identifier: Apache-2.0
    .intel_syntax noprefix
    .set ROM, 0xffff0000
    .set TABLES, 0x100000
    .set JOBS, 0x180000         # how many, and where states are to be written; then the jobs
    .set CHANGED, 0x1e0000
    .set STACK, 0x1ff000
    .set DRIVER, 0x200000
    .set SLOT, 0x201000
    .set MEMORY_BLOCK, 0x20000
    .set MEMORY_BLOCKS, 400
    .set STATE_BLOCKS, 40       # of 8 words; the last one reaches into the next state
    .set STATE, 2512

    .text
    .code16
real:
    cli
    lgdtd cs:[table_of_segments - real]
    mov eax, cr4
    or eax, 0x40620             # PAE, OSFXSR, OSXMMEXCPT, OSXSAVE
    mov cr4, eax
    mov eax, TABLES
    mov cr3, eax
    mov ecx, 0xc0000080         # EFER
    rdmsr
    or eax, 0x100               # LME
    wrmsr
    mov eax, 0x80000011         # paging and protection
    mov cr0, eax
    .byte 0x66, 0xea            # jmp 8:long
    .long ROM + (long - real)
    .word 8

    .code64
long:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov esp, STACK
    xor ecx, ecx
    xor edx, edx
    mov eax, 0xe7               # x87, SSE, AVX, AVX-512
    xsetbv
    mov esi, TABLES             # the emulator gives each block its place when it is first touched, but has loaded all
    mov ecx, MEMORY_BLOCKS      # of the file as if in a row
touch:
    mov al, [rsi]
    add esi, MEMORY_BLOCK
    loop touch
    mov dx, 0xe9
    lea rsi, [rip + mark]
    mov ecx, shutdown - mark
    rep outsb
    mov r12d, JOBS
    mov r13, [r12]
job:
    add r12, 64                 # its instruction, the states, their number
    mov rsi, r12
    mov edi, SLOT
    mov ecx, 48
    rep movsb
    mov rdi, [r12 + 48]
    mov rsi, [JOBS + 8]
    mov rdx, [r12 + 56]
    mov eax, DRIVER
    call rax
    mov rbx, [r12 + 48]
    mov rsi, [JOBS + 8]
    mov r8, [r12 + 56]
    mov dx, 0xe9
report:
    xor ecx, ecx
    mov r9, rsi
    mov edi, CHANGED
changes:
    vmovdqu64 zmm0, [rbx]
    vpcmpneqq k1, zmm0, [rsi]
    kmovb eax, k1
    inc ecx
    cmp ecx, STATE_BLOCKS
    jne whole
    and eax, (1 << (STATE / 8 % 8)) - 1
    kmovb k1, eax
whole:
    out dx, al
    vmovdqu64 zmm0, [rsi]
    vpcompressq zmm1{k1}{z}, zmm0
    vmovdqu64 [rdi], zmm1
    popcnt eax, eax
    lea rdi, [rdi + 8 * rax]
    add rbx, 64
    add rsi, 64
    cmp ecx, STATE_BLOCKS
    jne changes
    mov ecx, edi
    sub ecx, CHANGED
    mov esi, CHANGED
    rep outsb
    sub rbx, 64 * STATE_BLOCKS - STATE
    lea rsi, [r9 + STATE]
    dec r8
    jnz report
    dec r13
    jnz job
    mov dx, 0x8900              # the emulator ends when it reads this word there
    lea rsi, [rip + shutdown]
    mov ecx, 8
    rep outsb
    hlt
mark:                           # from here on the standard output is ours
    .ascii "\351states\351"
shutdown:
    .ascii "Shutdown"

    .balign 8
segments:
    .quad 0, 0x00af9b000000ffff, 0x00cf93000000ffff
table_of_segments:
    .word 23
    .long ROM + (segments - real)

    .org 0xfff0
    .code16
    jmp real
    .org 0x10000
