/* See string.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_WINDOWS_H
#define LK_MSVC_WINDOWS_H

typedef unsigned long ULONG;

#endif
