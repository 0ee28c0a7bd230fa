/* Errors of bionic, with Linux's numbers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_ERRNO_H
#define LATKEM_ANDROID_ERRNO_H

#define EINTR 4
#define ENOMEM 12
#define EINVAL 22
#define ENOSYS 38

int *__errno(void) __attribute__((const));
#define errno (*__errno())

#endif
