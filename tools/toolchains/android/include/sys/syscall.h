/* Numbers of Linux's system calls. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_SYS_SYSCALL_H
#define LATKEM_ANDROID_SYS_SYSCALL_H

#if defined(__aarch64__)
#define SYS_getrandom 278
#elif defined(__x86_64__)
#define SYS_getrandom 318
#elif defined(__arm__)
#define SYS_getrandom 384
#endif

#endif
