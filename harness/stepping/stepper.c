/* Runs a program on this machine and writes down every instruction that it executes between two markers, which are
 * functions of the program: the counterpart of harness/qemu/plugin.c for x86-64, because QEMU has no AVX-512.
 *
 * stepper BEGIN END FILE PROGRAM [ARGUMENT]... with the markers' addresses in hexadecimal. A breakpoint stops the program
 * at the first marker; from there Linux executes one instruction at a time up to the second. FILE is a sequence of 64-bit
 * words of the host: the address of each executed instruction, and all ones at the end of each section. An instruction
 * that repeats itself (rep movsb) is written once. For programs of one thread at fixed addresses. The exit status is the
 * program's. SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECTION_END UINT64_MAX
#define BREAKPOINT 0xCC

enum { ARGUMENT_BEGIN = 1, ARGUMENT_END, ARGUMENT_FILE, ARGUMENT_PROGRAM };

static FILE *out;

static void stop_with(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void put(uint64_t word)
{
    if (fwrite(&word, sizeof word, 1, out) != 1) stop_with("stepper");
}

/* Returns whether the program goes on, after a trap; its end ends this program too. */
static void wait_for_trap(pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child) stop_with("waitpid");
    if (WIFEXITED(status)) {
        if (fclose(out) != 0) stop_with("stepper");
        exit(WEXITSTATUS(status));
    }
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
        (void)fprintf(stderr, "stepper: the program was ended or stopped by a signal\n");
        exit(EXIT_FAILURE);
    }
}

static void resume(enum __ptrace_request how, pid_t child)
{
    if (ptrace(how, child, NULL, NULL) != 0) stop_with("ptrace");
    wait_for_trap(child);
}

static uint64_t position(pid_t child)
{
    errno = 0;
    const long at = ptrace(PTRACE_PEEKUSER, child, (void *)offsetof(struct user_regs_struct, rip), NULL);
    if (errno) stop_with("ptrace");
    return (uint64_t)at;
}

static long read_code(pid_t child, uint64_t address)
{
    errno = 0;
    const long code = ptrace(PTRACE_PEEKTEXT, child, (void *)address, NULL);
    if (errno) stop_with("ptrace");
    return code;
}

static void write_code(pid_t child, uint64_t address, long code)
{
    if (ptrace(PTRACE_POKETEXT, child, (void *)address, (void *)code) != 0) stop_with("ptrace");
}

static void go_back_to(pid_t child, uint64_t address)
{
    void *rip = (void *)offsetof(struct user_regs_struct, rip);
    if (ptrace(PTRACE_POKEUSER, child, rip, (void *)address) != 0) stop_with("ptrace");
}

static void step_through(pid_t child, uint64_t begin, uint64_t end)
{
    uint64_t last = begin;
    for (uint64_t at = begin; at != end; last = at, at = position(child)) {
        if (at != last) put(at);
        resume(PTRACE_SINGLESTEP, child);
    }
    put(SECTION_END);
}

static void record(pid_t child, uint64_t begin, uint64_t end)
{
    const long code = read_code(child, begin);
    for (;;) {
        write_code(child, begin, (long)(((unsigned long)code & ~0xFFul) | BREAKPOINT));
        resume(PTRACE_CONT, child);
        write_code(child, begin, code);
        go_back_to(child, begin);
        step_through(child, begin, end);
    }
}

/* Neither the environment nor the program's place in memory reach it, so that every run is the same. */
static void become(char **command)
{
    char *const no_environment[] = {NULL};
    if (personality(ADDR_NO_RANDOMIZE) == -1 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) stop_with("stepper");
    (void)execve(command[0], command, no_environment);
    stop_with(command[0]);
}

/* One core for both: the one waits while the other runs. */
static void share_a_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) stop_with("sched_setaffinity");
}

int main(int argc, char **argv)
{
    if (argc <= ARGUMENT_PROGRAM) {
        (void)fprintf(stderr, "usage: stepper BEGIN END FILE PROGRAM [ARGUMENT]...\n");
        return 2;
    }
    out = fopen(argv[ARGUMENT_FILE], "wb");
    if (!out) stop_with(argv[ARGUMENT_FILE]);
    share_a_core();
    const pid_t child = fork();
    if (child < 0) stop_with("fork");
    if (child == 0) become(argv + ARGUMENT_PROGRAM);
    wait_for_trap(child);
    record(child, strtoull(argv[ARGUMENT_BEGIN], NULL, 16), strtoull(argv[ARGUMENT_END], NULL, 16));
}
