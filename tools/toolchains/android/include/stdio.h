/* Formatting in bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_STDIO_H
#define LATKEM_ANDROID_STDIO_H

#include <stddef.h>

int snprintf(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
