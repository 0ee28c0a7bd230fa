/* Records what an operation does, instruction by instruction, on any backend and any CPU: a child process runs the
 * operation, this one steps through it with ptrace and writes the program counter and the general registers before each
 * instruction. Two runs differ in their secrets alone, and every object is at the same address in both;
 * compare_traces.py holds their traces against each other.
 *
 * Usage: trace BACKEND SET OPERATION (SECRET FILE)... SECRET is a number that an operation's secrets are made from.
 * Operations are those of traced.h, and leak-gather, another planted leak. Exit status 3: this CPU does not run BACKEND.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <latkem/backend.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

#define NO_BACKEND 3

static volatile int sink;

static int gather(uint32_t secret)
{
    static const int table[64];
    const __m128i indices = _mm_and_si128(_mm_set1_epi32((int)secret), _mm_set1_epi32(63));
    sink = _mm_cvtsi128_si32(_mm_i32gather_epi32(table, indices, 4));
    return 0;
}

static int run(const latkem_kem *kem, const char *operation, uint32_t secret)
{
    return strcmp(operation, "leak-gather") == 0 ? gather(secret) : traced_run(kem, operation);
}

/* Writes the registers before each instruction between the child's two stops. */
static int follow(pid_t child, FILE *out)
{
    int status;
    struct user_regs_struct r;
    waitpid(child, &status, 0);
    while (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0 && waitpid(child, &status, 0) == child) {
        if (!WIFSTOPPED(status)) break;
        if (WSTOPSIG(status) == SIGSTOP) {
            ptrace(PTRACE_CONT, child, NULL, NULL);
            waitpid(child, &status, 0);
            break;
        }
        if (ptrace(PTRACE_GETREGS, child, NULL, &r) != 0) return EXIT_FAILURE;
        const uint64_t row[17] = {r.rip, r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi,
                                  r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
        fwrite(row, sizeof row, 1, out);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int trace(const latkem_kem *kem, const char *operation, const char *number, const char *file)
{
    const uint32_t secret = (uint32_t)strtoul(number, NULL, 10);
    traced_prepare(kem, secret, operation);
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        const int rc = run(kem, operation, secret);
        raise(SIGSTOP);
        _exit(rc != 0);
    }
    FILE *out = fopen(file, "wb");
    if (!out) return EXIT_FAILURE;
    const int result = follow(child, out);
    return fclose(out) == 0 ? result : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const latkem_kem *kem = argc >= 6 && argc % 2 == 0 ? latkem_kem_find(argv[2]) : NULL;
    if (!kem) {
        fprintf(stderr, "usage: trace BACKEND SET OPERATION (SECRET FILE)...\n");
        return 2;
    }
    if (latkem_backend_use(argv[1]) != 0) return NO_BACKEND;
    for (int i = 4; i < argc; i += 2) {
        const int result = trace(kem, argv[3], argv[i], argv[i + 1]);
        if (result != EXIT_SUCCESS) return result;
    }
    return EXIT_SUCCESS;
}
