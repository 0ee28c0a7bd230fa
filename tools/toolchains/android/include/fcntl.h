/* Opening files in bionic, with Linux's numbers. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_FCNTL_H
#define LATKEM_ANDROID_FCNTL_H

#define O_RDONLY 0
#define O_CLOEXEC 02000000

int open(const char *path, int flags, ...);

#endif
