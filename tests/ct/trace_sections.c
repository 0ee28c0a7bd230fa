/* Runs an operation with several secrets, each run between the two markers of harness/qemu/plugin.c, which writes down
 * what is executed there; after keypair another run, prepare_ek on its key. Prints the secret of each run, as a section's
 * name.
 *
 * Usage: trace_sections BACKEND SET OPERATION SECRET... (traced.h). SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traced.h"

void latkem_section_begin(void);
void latkem_section_end(void);

__attribute__((noinline)) void latkem_section_begin(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void latkem_section_end(void)
{
    __asm__ volatile("" ::: "memory");
}

static int run(const latkem_kem *kem, const char *operation, const char *secret)
{
    puts(secret);
    latkem_section_begin();
    const int rc = traced_run(kem, operation);
    latkem_section_end();
    return rc;
}

static int trace(const latkem_kem *kem, const char *operation, const char *secret)
{
    traced_prepare(kem, (uint32_t)strtoul(secret, NULL, 10), operation);
    const int rc = run(kem, operation, secret);
    return rc == 0 && strcmp(operation, "keypair") == 0 ? run(kem, "prepare_ek", secret) : rc;
}

int main(int argc, char **argv)
{
    const latkem_kem *kem = argc >= 5 ? latkem_kem_find(argv[2]) : NULL;
    if (!kem || latkem_backend_use(argv[1]) != 0) {
        fprintf(stderr, "usage: trace_sections BACKEND SET OPERATION SECRET...\n");
        return 2;
    }
    for (int i = 4; i < argc; i++)
        if (trace(kem, argv[3], argv[i]) != 0) return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
