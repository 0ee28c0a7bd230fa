/* Types of bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_SYS_TYPES_H
#define LATKEM_ANDROID_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef intptr_t ssize_t;

#endif
