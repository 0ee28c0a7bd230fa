/* Bytes and strings in bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_STRING_H
#define LATKEM_ANDROID_STRING_H

#include <stddef.h>

void *memchr(const void *bytes, int c, size_t len);
int memcmp(const void *a, const void *b, size_t len);
void *memcpy(void *out, const void *in, size_t len);
void *memmove(void *out, const void *in, size_t len);
void *memset(void *out, int c, size_t len);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t len);
size_t strlen(const char *text);

#endif
