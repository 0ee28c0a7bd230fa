/* See string.h; for the compiler's mm_malloc.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_MALLOC_H
#define LK_MSVC_MALLOC_H

#include <stddef.h>

void _aligned_free(void *memory);
void *_aligned_malloc(size_t size, size_t alignment);

#endif
