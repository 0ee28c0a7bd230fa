/* See string.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_STDIO_H
#define LK_MSVC_STDIO_H

int printf(const char *format, ...);

#endif
