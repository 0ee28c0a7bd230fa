/* The parts that a program for a microcontroller needs to run as a Linux program in QEMU's user mode, on an A-profile
 * CPU, which knows the M profile's instructions (QEMU 7.2 does not start M-profile CPUs in user mode): its start, and
 * the functions below newlib as system calls. SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers of the ARM EABI. */
enum { EXIT = 1, WRITE = 4 };

int main(int argc, char **argv);

static long call(long number, long a, const void *b, size_t c)
{
    register long r7 __asm__("r7") = number;
    register long r0 __asm__("r0") = a;
    register const void *r1 __asm__("r1") = b;
    register size_t r2 __asm__("r2") = c;
    __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}

void _exit(int status);
void _exit(int status)
{
    for (;;) call(EXIT, status, NULL, 0);
}

int _write(int file, const void *bytes, size_t len);
int _write(int file, const void *bytes, size_t len)
{
    return (int)call(WRITE, file, bytes, len);
}

/* For the buffers of stdio. */
void *_sbrk(ptrdiff_t more);
void *_sbrk(ptrdiff_t more)
{
    static uint8_t heap[16384];
    static ptrdiff_t used;
    if (more > (ptrdiff_t)sizeof heap - used) return (void *)-1;
    used += more;
    return heap + used - more;
}

__attribute__((noreturn)) void start_bare(long *stack);
void start_bare(long *stack)
{
    _exit(main((int)stack[0], (char **)(stack + 1)));
    for (;;) {
    }
}

/* The system starts a program with its arguments on the stack. */
__attribute__((naked, noreturn)) void _start(void);
void _start(void)
{
    __asm__("mov r0, sp\n"
            "bl start_bare");
}
