/* Records what an operation does, instruction by instruction, on any backend and any CPU: a child process runs the
 * operation, this one steps through it with ptrace and writes the program counter and the general registers before each
 * instruction. Two runs differ in their secrets alone, and every object is at the same address in both;
 * compare_traces.py holds their traces against each other.
 *
 * Usage: trace BACKEND SET OPERATION (SECRET FILE)... SECRET is a number that an operation's secrets are made from.
 * Operations: keypair, encaps, decaps, encaps_prepared, decaps_prepared; leak-branch, leak-index and leak-gather are
 * planted leaks. Exit status 3: this CPU does not run BACKEND. SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <latkem/backend.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>
#include <latkem/prepared.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGEST 4096
#define LARGEST_PREPARED 131072
#define NO_BACKEND 3

static uint8_t ek[LARGEST], dk[LARGEST], ct[LARGEST], ss[64], seed[64], coins[64];
static _Alignas(max_align_t) uint8_t prepared[LARGEST_PREPARED];

/* Random-looking bytes that depend on number. */
static void fill(uint8_t *out, size_t len, uint32_t number)
{
    uint32_t state = number * 2654435761U + 12345;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        out[i] = (uint8_t)(state >> 24);
    }
}

static void check(int rc)
{
    if (rc == 0) return;
    fprintf(stderr, "trace: %s\n", latkem_strerror(rc));
    exit(EXIT_FAILURE);
}

/* A key pair and a ciphertext that are the same in every run, then the secrets of this one. In decapsulation these are
 * the s and z of dk = s || ek || H(ek) || z, so that the decrypted message, and whether it is accepted, differ too. */
static void prepare(const latkem_kem *kem, uint32_t secret, const char *operation)
{
    const size_t ek_len = latkem_ek_bytes(kem), dk_len = latkem_dk_bytes(kem);
    fill(seed, sizeof seed, 0);
    fill(coins, sizeof coins, 0);
    check(latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem)));
    check(latkem_encaps_derand(kem, ct, ss, ek, ek_len, coins, latkem_coins_bytes(kem)));
    fill(seed, sizeof seed, secret);
    fill(coins, sizeof coins, secret);
    if (secret != 0) {
        fill(dk, dk_len - ek_len - 64, secret);
        fill(dk + dk_len - 32, 32, secret);
    }
    if (strcmp(operation, "encaps_prepared") == 0) check(latkem_prepare_ek(kem, prepared, ek, ek_len));
    if (strcmp(operation, "decaps_prepared") == 0) check(latkem_prepare_dk(kem, prepared, dk, dk_len));
}

static volatile uint8_t table[1024], sink;

static int leak(const char *operation)
{
    if (strcmp(operation, "leak-branch") == 0) {
        for (size_t i = 0; i < sizeof coins; i++)
            if (coins[i] & 1) sink = 1;
    } else if (strcmp(operation, "leak-index") == 0) {
        sink = table[coins[0]];
    } else if (strcmp(operation, "leak-gather") == 0) {
        const __m128i indices = _mm_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)coins));
        sink = (uint8_t)_mm_cvtsi128_si32(_mm_i32gather_epi32((const int *)table, indices, 1));
    } else {
        return -1;
    }
    return 0;
}

static int run(const latkem_kem *kem, const char *operation)
{
    if (strcmp(operation, "keypair") == 0) return latkem_keypair_derand(kem, ek, dk, seed, latkem_seed_bytes(kem));
    if (strcmp(operation, "encaps") == 0)
        return latkem_encaps_derand(kem, ct, ss, ek, latkem_ek_bytes(kem), coins, latkem_coins_bytes(kem));
    if (strcmp(operation, "encaps_prepared") == 0) return latkem_encaps_prepared(kem, ct, ss, prepared);
    if (strcmp(operation, "decaps") == 0)
        return latkem_decaps(kem, ss, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
    if (strcmp(operation, "decaps_prepared") == 0)
        return latkem_decaps_prepared(kem, ss, ct, latkem_ct_bytes(kem), prepared);
    return leak(operation);
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

static int trace(const latkem_kem *kem, const char *operation, const char *secret, const char *file)
{
    prepare(kem, (uint32_t)strtoul(secret, NULL, 10), operation);
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        const int rc = run(kem, operation);
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
