/* Files and system calls of bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_UNISTD_H
#define LATKEM_ANDROID_UNISTD_H

#include <sys/types.h>

ssize_t read(int fd, void *out, size_t len);
int close(int fd);
long syscall(long number, ...);

#endif
