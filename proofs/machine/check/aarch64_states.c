/* Executes instructions of AArch64 on given states, one at a time, to compare the interpreter of proofs/machine with.
 *
 *     aarch64_states STATES < JOBS > RESULTS
 *
 * It writes a byte when it has read the states.
 * A job is one instruction word and a range of the states; for each a state is written as the instruction left it. The
 * instruction lies between code that loads every register from the state and code that stores them, and one general
 * register that it does not use points to the state. An instruction that branches goes 8 bytes forward if it does.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WINDOW UINT64_C(0x20000000) /* the memory of a state */

typedef struct {
    uint64_t x[32]; /* the last is sp */
    uint64_t nzcv, taken, v[64], memory[32];
} state;

typedef struct {
    uint32_t word;  /* the instruction */
    uint32_t free;  /* which of the registers below it does not use: 0 to 4 */
    uint32_t first; /* the range of states */
    uint32_t count;
    uint32_t given; /* how many registers have values of their own: addresses */
    uint32_t index[3];
    uint64_t value[3];
} job;

/* x19 to x30, sp, d8 to d15 of the caller */
uint64_t saved[22];

#define UP_TO_30 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30"

__asm__(".macro frame free\n"
        "    .global run_x\\free, slot_x\\free\n"
        "run_x\\free:\n"
        "    adrp x1, saved\n    add x1, x1, :lo12:saved\n"
        "    stp x19, x20, [x1]\n    stp x21, x22, [x1, #16]\n    stp x23, x24, [x1, #32]\n"
        "    stp x25, x26, [x1, #48]\n    stp x27, x28, [x1, #64]\n    stp x29, x30, [x1, #80]\n"
        "    mov x2, sp\n    str x2, [x1, #96]\n"
        "    stp d8, d9, [x1, #104]\n    stp d10, d11, [x1, #120]\n"
        "    stp d12, d13, [x1, #136]\n    stp d14, d15, [x1, #152]\n"
        "    mov x\\free, x0\n"
        "    ldr x0, [x\\free, #8 * 31]\n    mov sp, x0\n"
        "    ldr x0, [x\\free, #8 * 32]\n    msr nzcv, x0\n"
        "    .irp i, " UP_TO_30 ", 31\n    ldr q\\i, [x\\free, #8 * 34 + 16 * \\i]\n    .endr\n"
        "    .irp i, " UP_TO_30 "\n    .if \\i - \\free\n    ldr x\\i, [x\\free, #8 * \\i]\n    .endif\n    .endr\n"
        "slot_x\\free:\n"
        "    nop\n"
        "    str xzr, [x\\free, #8 * 33]\n" /* a branch that is taken leaves this out */
        "    .irp i, " UP_TO_30 "\n    .if \\i - \\free\n    str x\\i, [x\\free, #8 * \\i]\n    .endif\n    .endr\n"
        "    .irp i, " UP_TO_30 ", 31\n    str q\\i, [x\\free, #8 * 34 + 16 * \\i]\n    .endr\n"
        "    mov x0, sp\n    str x0, [x\\free, #8 * 31]\n"
        "    mrs x0, nzcv\n    str x0, [x\\free, #8 * 32]\n"
        "    adrp x1, saved\n    add x1, x1, :lo12:saved\n"
        "    ldp x19, x20, [x1]\n    ldp x21, x22, [x1, #16]\n    ldp x23, x24, [x1, #32]\n"
        "    ldp x25, x26, [x1, #48]\n    ldp x27, x28, [x1, #64]\n    ldp x29, x30, [x1, #80]\n"
        "    ldr x2, [x1, #96]\n    mov sp, x2\n"
        "    ldp d8, d9, [x1, #104]\n    ldp d10, d11, [x1, #120]\n"
        "    ldp d12, d13, [x1, #136]\n    ldp d14, d15, [x1, #152]\n"
        "    ret\n"
        ".endm\n"
        ".pushsection .slots, \"awx\", @progbits\n"
        "frame 3\nframe 9\nframe 17\nframe 22\nframe 27\n"
        ".popsection\n");

#define DECLARE(n)                                                                                                     \
    void run_x##n(state *);                                                                                            \
    extern uint32_t slot_x##n;
DECLARE(3)
DECLARE(9)
DECLARE(17)
DECLARE(22)
DECLARE(27)

static const struct {
    void (*run)(state *);
    uint32_t *slot;
} frames[] = {{run_x3, &slot_x3}, {run_x9, &slot_x9}, {run_x17, &slot_x17}, {run_x22, &slot_x22}, {run_x27, &slot_x27}};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static state *read_states(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    state *states = malloc(size);
    if (!states || fread(states, 1, size, file) != size) fail(path);
    fclose(file);
    return states;
}

static void execute(const job *j, const state *given)
{
    state s = *given;
    for (uint32_t i = 0; i < j->given; i++) s.x[j->index[i]] = j->value[i];
    s.taken = 1;
    memcpy((void *)WINDOW, s.memory, sizeof s.memory);
    frames[j->free].run(&s);
    memcpy(s.memory, (const void *)WINDOW, sizeof s.memory);
    fwrite(&s, sizeof s, 1, stdout);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    const state *states = read_states(argv[1]);
    void *window = mmap((void *)WINDOW, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (window == MAP_FAILED) fail("window");
    putchar('.');
    fflush(stdout);
    for (job j; fread(&j, sizeof j, 1, stdin) == 1; fflush(stdout)) {
        uint32_t *slot = frames[j.free].slot;
        *slot = j.word;
        __builtin___clear_cache((char *)slot, (char *)(slot + 1));
        for (uint32_t i = 0; i < j.count; i++) execute(&j, &states[j.first + i]);
    }
    return 0;
}
