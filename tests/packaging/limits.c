/* Prints for each set and operation what it takes on a Cortex-M4 (Arm's MPS2 with the image AN386, in QEMU): stack,
 * instructions, stack with the caller's workspace, the workspace and a hash of the results. limits.sh reads it.
 *
 * The stack is painted before a call. QEMU lets a nanosecond pass with each instruction (-icount shift=0), and the processor's
 * timer counts 25 MHz. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/workspace.h>
#include <string.h>

enum { LARGEST = 4096, PAINTED = 98304, PAINT = 0x5a, INSTRUCTIONS_PER_COUNT = 40, COUNTS = 0xffffff };

int main(void);

extern uint8_t bss_begin[], bss_end[], stack_end[]; /* the linker script's */

/* ---- The board ---- */

static void ask_host(int service, const void *argument)
{
    register int r0 __asm__("r0") = service;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

enum { WRITE = 0x04, EXIT = 0x18, DONE = 0x20026 };

static void stop(void)
{
    ask_host(EXIT, (const void *)DONE);
    for (;;) {
    }
}

static void fault(void)
{
    ask_host(WRITE, "fault\n");
    stop();
}

static void start(void)
{
    memset(bss_begin, 0, (size_t)(bss_end - bss_begin));
    (void)main();
    stop();
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_end, start, fault, fault, fault, fault, fault,
};

static volatile uint32_t *const timer = (volatile uint32_t *)0xe000e010; /* control, reload, value */

/* ---- Operations ---- */

static uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], seed[LARGEST], ours[32], theirs[32], workspace[65536];
static const latkem_kem *kem;

static int keygen(void)
{
    return latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem));
}

static int encaps(void)
{
    return latkem_encaps_derand(kem, ct, theirs, ek, latkem_ek_bytes(kem), seed, latkem_coins_bytes(kem));
}

static int decaps(void)
{
    return latkem_decaps(kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
}

static int keygen_in(void)
{
    return latkem_keypair_derand_in(workspace, sizeof workspace, kem, ek, dk, seed, latkem_seed_bytes(kem));
}

static int encaps_in(void)
{
    return latkem_encaps_derand_in(workspace, sizeof workspace, kem, ct, theirs, ek, latkem_ek_bytes(kem), seed,
                                   latkem_coins_bytes(kem));
}

static int decaps_in(void)
{
    return latkem_decaps_in(workspace, sizeof workspace, kem, ours, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
}

static const struct {
    const char *name;
    int (*on_stack)(void), (*in_workspace)(void);
} operations[] = {{"keygen", keygen, keygen_in}, {"encaps", encaps, encaps_in}, {"decaps", decaps, decaps_in}};

/* ---- Costs ---- */

typedef struct {
    size_t stack;
    uint32_t instructions;
} cost;

static cost cost_of(int (*run)(void))
{
    uint8_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    for (volatile uint8_t *at = sp - PAINTED; at < sp - 32; at++) *at = PAINT;
    timer[1] = COUNTS;
    timer[2] = 0;
    timer[0] = 5; /* on, by the processor's clock */
    const int error = run();
    const uint32_t counts = COUNTS - timer[2];
    const uint8_t *at = sp - PAINTED;
    while (*at == PAINT) at++;
    if (error) ask_host(WRITE, "an operation fails\n");
    return (cost){(size_t)(sp - at), INSTRUCTIONS_PER_COUNT * counts};
}

static uint32_t hash(uint32_t h, const uint8_t *bytes, size_t len)
{
    for (; len > 0; len--) h = (h ^ *bytes++) * 16777619;
    return h;
}

static uint32_t hash_of_results(void)
{
    uint32_t h = hash(hash(0, ek, latkem_ek_bytes(kem)), dk, latkem_dk_bytes(kem));
    h = hash(hash(hash(h, ct, latkem_ct_bytes(kem)), ours, sizeof ours), theirs, sizeof theirs);
    ct[0] ^= 1;
    (void)decaps();
    return hash(h, ours, sizeof ours);
}

/* In place of the C library's, which needs a heap. */
static void print(const char *text, const uint32_t *numbers, size_t count)
{
    ask_host(WRITE, text);
    for (size_t i = 0; i < count; i++) {
        char digits[12], *first = digits + sizeof digits - 1;
        *first = '\0';
        uint32_t rest = numbers[i];
        do *--first = (char)('0' + rest % 10);
        while (rest /= 10);
        *--first = ' ';
        ask_host(WRITE, first);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof seed; i++) seed[i] = (uint8_t)(i * i * 167 + i / 256);
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++) {
        for (size_t j = 0; j < sizeof operations / sizeof *operations; j++) {
            const cost a = cost_of(operations[j].on_stack), b = cost_of(operations[j].in_workspace);
            const uint32_t numbers[] = {(uint32_t)a.stack, a.instructions, (uint32_t)b.stack,
                                        (uint32_t)latkem_workspace_bytes(kem), (uint32_t)latkem_stack_bytes(kem)};
            ask_host(WRITE, latkem_kem_name(kem));
            ask_host(WRITE, " ");
            print(operations[j].name, numbers, 5);
            ask_host(WRITE, "\n");
        }
        const uint32_t h = hash_of_results();
        ask_host(WRITE, latkem_kem_name(kem));
        print(" results", &h, 1);
        ask_host(WRITE, "\n");
    }
    return 0;
}
