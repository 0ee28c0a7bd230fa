/* Stack and instructions of every operation on a Cortex-M4: a line for each set and operation, which measure.py reads.
 *
 * The board's first timer counts a clock of 25 MHz. QEMU lets a nanosecond pass with each instruction (-icount shift=0), so
 * that a count is 40 instructions. SPDX-License-Identifier: Apache-2.0 */
#include "board.h"
#include <latkem/derand.h>
#include <latkem/workspace.h>
#include <string.h>

enum { LARGEST = 4096, OPERATIONS = 3, INSTRUCTIONS_PER_COUNT = 40 };

typedef struct {
    volatile uint32_t control, value, reload;
} timer;

static timer *const timer0 = (timer *)0x40000000;
extern uint8_t stack_end[]; /* the linker script's */

static uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], seed[LARGEST], ours[32], theirs[32], workspace[65536];

typedef int operation(const latkem_kem *kem);

static int nothing(const latkem_kem *kem)
{
    (void)kem;
    return 0;
}

static int keygen(const latkem_kem *kem)
{
    return latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem));
}

static int encaps(const latkem_kem *kem)
{
    return latkem_encaps_derand(kem, ct, theirs, ek, latkem_ek_bytes(kem), seed, latkem_coins_bytes(kem));
}

static int decaps(const latkem_kem *kem)
{
    return latkem_decaps(kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
}

static int keygen_in(const latkem_kem *kem)
{
    return latkem_keypair_derand_in(workspace, sizeof workspace, kem, ek, dk, seed, latkem_seed_bytes(kem));
}

static int encaps_in(const latkem_kem *kem)
{
    return latkem_encaps_derand_in(workspace, sizeof workspace, kem, ct, theirs, ek, latkem_ek_bytes(kem), seed,
                                   latkem_coins_bytes(kem));
}

static int decaps_in(const latkem_kem *kem)
{
    return latkem_decaps_in(workspace, sizeof workspace, kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
}

static const struct {
    const char *name;
    operation *on_stack, *in_workspace;
} operations[OPERATIONS] = {
    {"keygen", keygen, keygen_in},
    {"encaps", encaps, encaps_in},
    {"decaps", decaps, decaps_in},
};

typedef struct {
    size_t stack;
    uint32_t instructions;
    int error;
} cost;

/* The call's own frame and those below it, and the instructions between two readings of the timer. */
static cost cost_of(operation *run, const latkem_kem *kem)
{
    uint8_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    board_stack_paint();
    const uint32_t before = timer0->value;
    const int error = run(kem);
    const uint32_t counts = before - timer0->value;
    return (cost){board_stack_used() - (size_t)(stack_end - sp), counts * INSTRUCTIONS_PER_COUNT, error};
}

static void print_number(size_t number)
{
    char digits[12], *first = digits + sizeof digits - 1;
    *first = '\0';
    do *--first = (char)('0' + number % 10);
    while (number /= 10);
    board_print(" ");
    board_print(first);
}

static void print_costs(const latkem_kem *kem, uint32_t overhead)
{
    for (size_t i = 0; i < OPERATIONS; i++) {
        const cost on_stack = cost_of(operations[i].on_stack, kem),
                   in_workspace = cost_of(operations[i].in_workspace, kem);
        if (on_stack.error || in_workspace.error) board_print("an operation fails\n");
        board_print(latkem_kem_name(kem));
        board_print(" ");
        board_print(operations[i].name);
        print_number(on_stack.stack);
        print_number(on_stack.instructions - overhead);
        print_number(in_workspace.stack);
        print_number(latkem_workspace_bytes(kem));
        print_number(latkem_stack_bytes(kem));
        board_print("\n");
    }
    if (memcmp(ours, theirs, sizeof ours) != 0) board_print("the secrets differ\n");
}

int main(void)
{
    timer0->value = timer0->reload = 0xffffffff;
    timer0->control = 1;
    for (size_t i = 0; i < sizeof seed; i++) seed[i] = (uint8_t)(i * i);
    const uint32_t overhead = cost_of(nothing, NULL).instructions;
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++) print_costs(kem, overhead);
    board_print("complete\n");
    return 0;
}
