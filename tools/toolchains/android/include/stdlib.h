/* Memory and sorting in bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_STDLIB_H
#define LATKEM_ANDROID_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t size);
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b));
void abort(void) __attribute__((noreturn));

#endif
