/* Runs operations with many secrets and compares what they do, on any backend and any CPU: every block that is executed and
 * every address that is accessed, which code compiled by instrument.py logs. This program is not compiled so, the library
 * and traced.c are. All objects are at the same address in every run.
 *
 * Key pairs from other seeds have other matrices. Sampling these is public and may take more blocks. So only key pairs
 * are compared with encapsulation keys that take the same steps to prepare, as the most do. Usage: trace BACKEND SET
 * OPERATION... (traced.h). Exit status 1: an operation depends on its secrets; 3: this CPU does not run BACKEND.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "traced.h"

enum { NO_BACKEND = 3, LOG_BYTES = 1 << 30 };

/* The log that is written to, and a gather or scatter that was executed: its addresses are in vector registers. */
uint64_t *lk_trace_next, lk_trace_gathered;

/* They keep all registers and flags. A block is logged as where the call returns to, an address as it is in rax. */
__asm__(".text\n"
        ".globl lk_trace_block, lk_trace_access, lk_trace_gather\n"
        "lk_trace_block:\n"
        "    pushq %rax\n"
        "    movq 8(%rsp), %rax\n"
        "    call lk_trace_access\n"
        "    popq %rax\n"
        "    ret\n"
        "lk_trace_access:\n"
        "    pushq %rcx\n"
        "    movq lk_trace_next(%rip), %rcx\n"
        "    movq %rax, (%rcx)\n"
        "    leaq 8(%rcx), %rcx\n"
        "    movq %rcx, lk_trace_next(%rip)\n"
        "    popq %rcx\n"
        "    ret\n"
        "lk_trace_gather:\n"
        "    pushq %rax\n"
        "    movq 8(%rsp), %rax\n"
        "    movq %rax, lk_trace_gathered(%rip)\n"
        "    popq %rax\n"
        "    ret\n");

/* Replaces the C library's: where it stops depends on what it compares. */
int lk_trace_memcmp(const void *a, const void *b, size_t len);
int lk_trace_memcmp(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    size_t i = 0;
    while (i < len && x[i] == y[i]) i++;
    *lk_trace_next++ = i;
    return i < len ? x[i] - y[i] : 0;
}

typedef struct {
    uint64_t *words;
    size_t count;
} trace_log;

static trace_log new_log(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *words = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (words == MAP_FAILED) {
        perror("trace");
        exit(EXIT_FAILURE);
    }
    return (trace_log){words, 0};
}

static void record(trace_log *log, const latkem_kem *kem, const char *operation)
{
    lk_trace_next = log->words;
    const int rc = traced_run(kem, operation);
    log->count = (size_t)(lk_trace_next - log->words);
    if (rc == 0) return;
    fprintf(stderr, "trace: %s fails: %d\n", operation, rc);
    exit(EXIT_FAILURE);
}

/* A number for what preparing the last encapsulation key did (FNV-1a by words). */
static uint64_t public_work(trace_log *log, const latkem_kem *kem)
{
    uint64_t hash = 0xCBF29CE484222325;
    record(log, kem, "prepare_ek");
    for (size_t i = 0; i < log->count; i++) hash = (hash ^ log->words[i]) * 0x100000001B3;
    return hash;
}

/* Marks the secrets with the most frequent public work. */
static void choose(int chosen[TRACED_SECRETS], const uint64_t work[TRACED_SECRETS])
{
    int most = 0;
    for (size_t i = 0; i < TRACED_SECRETS; i++) {
        int same[TRACED_SECRETS], count = 0;
        for (size_t j = 0; j < TRACED_SECRETS; j++) count += same[j] = work[i] == work[j];
        if (count <= most) continue;
        most = count;
        memcpy(chosen, same, sizeof same);
    }
}

static void choose_seeds(int chosen[TRACED_SECRETS], trace_log *log, const latkem_kem *kem)
{
    uint64_t work[TRACED_SECRETS];
    for (uint32_t i = 0; i < TRACED_SECRETS; i++) {
        lk_trace_next = log->words;
        traced_prepare(kem, i, "keypair");
        record(log, kem, "keypair");
        work[i] = public_work(log, kem);
    }
    choose(chosen, work);
}

extern const char __executable_start, etext; /* the linker's */

static int is_code(uint64_t word)
{
    return word >= (uintptr_t)&__executable_start && word < (uintptr_t)&etext;
}

static void print_difference(const trace_log *a, const trace_log *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && a->words[i] == b->words[i]) i++;
    const int address = i < a->count && i < b->count && !is_code(a->words[i]) && !is_code(b->words[i]);
    while (i > 0 && !is_code(a->words[i - 1])) i--;
    printf("DEPENDS ON A SECRET: %s after %#llx\n", address ? "an address" : "a branch",
           i > 0 ? (unsigned long long)a->words[i - 1] : 0);
}

/* Returns 1 if the operation does the same with all chosen secrets; these must be half at least. */
static int compare(trace_log logs[2], const latkem_kem *kem, const char *operation, const int chosen[TRACED_SECRETS])
{
    size_t compared = 0;
    for (uint32_t i = 0; i < TRACED_SECRETS; i++) {
        trace_log *log = &logs[compared > 0];
        if (!chosen[i]) continue;
        lk_trace_next = log->words;
        traced_prepare(kem, i, operation);
        record(log, kem, operation);
        if (compared++ == 0) continue;
        if (log->count != logs->count || memcmp(log->words, logs->words, log->count * sizeof *log->words) != 0) {
            print_difference(logs, log);
            return 0;
        }
    }
    if (lk_trace_gathered != 0) {
        printf("DEPENDS ON A SECRET: a gather or scatter after %#llx\n", (unsigned long long)lk_trace_gathered);
        return 0;
    }
    printf("%zu blocks and addresses are the same for %zu secrets\n", logs->count, compared);
    return logs->count > 0 && compared >= TRACED_SECRETS / 2;
}

static int check(trace_log logs[2], const latkem_kem *kem, const char *operation)
{
    int chosen[TRACED_SECRETS];
    for (size_t i = 0; i < TRACED_SECRETS; i++) chosen[i] = 1;
    lk_trace_gathered = 0;
    if (strcmp(operation, "keypair") == 0 || strcmp(operation, "uake_start") == 0) choose_seeds(chosen, &logs[0], kem);
    printf("%s on %s, %s: ", latkem_kem_name(kem), latkem_backend_name(), operation);
    return compare(logs, kem, operation, chosen);
}

int main(int argc, char **argv)
{
    trace_log logs[2] = {new_log(), new_log()};
    lk_trace_next = logs->words; /* the library logs from here on */
    const latkem_kem *kem = argc > 3 ? latkem_kem_find(argv[2]) : NULL;
    int status = EXIT_SUCCESS;
    if (!kem) {
        fprintf(stderr, "usage: trace BACKEND SET OPERATION...\n");
        return 2;
    }
    if (latkem_backend_use(argv[1]) != 0) return NO_BACKEND;
    for (int i = 3; i < argc; i++)
        if (!check(logs, kem, argv[i])) status = EXIT_FAILURE;
    return status;
}
