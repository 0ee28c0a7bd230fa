/* See string.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_STDLIB_H
#define LK_MSVC_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void exit(int status);
void abort(void);
void free(void *memory);
void *malloc(size_t size);

#endif
