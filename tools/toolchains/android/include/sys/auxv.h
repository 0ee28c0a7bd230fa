/* The auxiliary vector in bionic, since API 18. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_SYS_AUXV_H
#define LATKEM_ANDROID_SYS_AUXV_H

#define AT_HWCAP 16

unsigned long getauxval(unsigned long type);

#endif
