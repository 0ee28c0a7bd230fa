/* The planted leaks. Unless memcheck reports them, its silence says nothing. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_TESTS_CT_LEAK_H
#define LATKEM_TESTS_CT_LEAK_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile uint8_t leak_table[256], leak_sink;

/* leak_of branches on a secret byte, or reads from where it says. */
static int leak_of(uint8_t secret, const char *kind)
{
    if (strcmp(kind, "leak-branch") == 0) {
        if (secret & 1) leak_sink = 1;
        return EXIT_SUCCESS;
    }
    leak_sink = leak_table[secret];
    return EXIT_SUCCESS;
}

#endif
