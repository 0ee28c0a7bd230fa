/* glibc 2.24. SPDX-License-Identifier: Apache-2.0 */
#include_next <features.h>
#undef __GLIBC_MINOR__
#define __GLIBC_MINOR__ 24
