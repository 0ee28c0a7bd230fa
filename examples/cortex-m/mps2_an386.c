/* Start-up, UART, randomness and exit on Arm's MPS2 with the image AN386 (Cortex-M4), as `qemu-system-arm -M mps2-an386`
 * emulates it. SPDX-License-Identifier: Apache-2.0 */
#include "board.h"
#include <string.h>

/* These are the linker script's. */
extern uint32_t stack_begin[], stack_end[], data_begin[], data_end[], data_from[], bss_begin[], bss_end[];

int main(void);

enum { PAINT = 0x5a5a5a5a };

/* Armv7-M's memory protection. On a real board no memory is below the stack; in QEMU a device is, which ignores writes. */
typedef struct {
    volatile uint32_t type, control, region, base, attributes;
} protection;

static void protect_below_stack(void)
{
    enum { ENABLE = 1, ELSE_AS_BEFORE = 4, SIZE_16_MIB = 23 << 1, NO_ACCESS = 0 };
    protection *const mpu = (protection *)0xe000ed90;
    mpu->region = 0;
    mpu->base = 0x1f000000;
    mpu->attributes = NO_ACCESS | SIZE_16_MIB | ENABLE;
    mpu->control = ELSE_AS_BEFORE | ENABLE;
    __asm__ volatile("dsb\n isb" ::: "memory");
}

void board_start(void);
void board_start(void)
{
    protect_below_stack();
    board_stack_paint();
    memcpy(data_begin, data_from, (size_t)((uint8_t *)data_end - (uint8_t *)data_begin));
    memset(bss_begin, 0, (size_t)((uint8_t *)bss_end - (uint8_t *)bss_begin));
    board_exit(main());
}

__attribute__((used)) static void stopped(void)
{
    board_print("a fault of the processor, such as the stack's end\n");
    board_exit(1);
}

/* The fault may be the stack's, so the handler begins a new one. */
__attribute__((naked)) static void fault(void)
{
    __asm__("ldr r0, =stack_end\n"
            "mov sp, r0\n"
            "bl stopped\n");
}

/* The processor's table: the stack's end, the start, the handlers of NMI and of faults. */
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_end, board_start, fault, fault, fault, fault, fault,
};

/* The UART of Arm's Cortex-M System Design Kit. */
typedef struct {
    volatile uint32_t data, state, control, interrupt, divisor;
} uart;

static uart *const uart0 = (uart *)0x40004000;
enum { TRANSMIT = 1, FULL = 1, CLOCK_HZ = 25000000, BAUD = 115200 };

void board_print(const char *text)
{
    uart0->divisor = CLOCK_HZ / BAUD;
    uart0->control = TRANSMIT;
    for (; *text; text++) {
        while (uart0->state & FULL) {
        }
        uart0->data = (uint8_t)*text;
    }
}

/* Asks the debugger, or QEMU, for a service (Arm's semihosting). Without one the processor faults here. */
static int ask_host(int service, const void *argument)
{
    register int r0 __asm__("r0") = service;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

enum { OPEN = 0x01, CLOSE = 0x02, READ = 0x06, EXIT = 0x18, BINARY = 1 };

/* The board has no random generator. Its bytes are therefore the host's, which is for emulators alone. */
int board_random(uint8_t *out, size_t len)
{
    static const char source[] = "/dev/urandom";
    const uintptr_t open[3] = {(uintptr_t)source, BINARY, sizeof source - 1};
    const uintptr_t file = (uintptr_t)ask_host(OPEN, open);
    const uintptr_t read[3] = {file, (uintptr_t)out, len};
    if (file == (uintptr_t)-1) return -1;
    const int missing = ask_host(READ, read);
    ask_host(CLOSE, &file);
    return missing;
}

void board_exit(int status)
{
    enum { DONE = 0x20026, FAILED = 0x20023 };
    ask_host(EXIT, (const void *)(status ? FAILED : DONE));
    for (;;) {
    }
}

size_t board_stack_bytes(void)
{
    return (size_t)((uint8_t *)stack_end - (uint8_t *)stack_begin);
}

void board_stack_paint(void)
{
    for (volatile uint32_t *word = stack_begin; word < (uint32_t *)__builtin_frame_address(0); word++) *word = PAINT;
}

size_t board_stack_used(void)
{
    const volatile uint32_t *word = stack_begin;
    while (*word == PAINT) word++;
    return (size_t)((const volatile uint8_t *)stack_end - (const volatile uint8_t *)word);
}
