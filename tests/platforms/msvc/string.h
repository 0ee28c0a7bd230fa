/* The part of Microsoft's C library that the library and its known answers use, because its own headers cannot be had.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_STRING_H
#define LK_MSVC_STRING_H

#include <stddef.h>

int memcmp(const void *a, const void *b, size_t len);
void *memcpy(void *out, const void *in, size_t len);
void *memset(void *out, int value, size_t len);
int strcmp(const char *a, const char *b);

#endif
