/* See string.h. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_MSVC_BCRYPT_H
#define LK_MSVC_BCRYPT_H

#define BCRYPT_USE_SYSTEM_PREFERRED_RNG 2

long __stdcall BCryptGenRandom(void *algorithm, unsigned char *out, ULONG len, ULONG flags);

#endif
