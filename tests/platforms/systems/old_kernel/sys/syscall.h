/* Headers of a kernel before 3.17. SPDX-License-Identifier: Apache-2.0 */
#include_next <sys/syscall.h>
#undef SYS_getrandom
