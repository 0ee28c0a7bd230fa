/* Mutexes of bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_PTHREAD_H
#define LATKEM_ANDROID_PTHREAD_H

#include <stdint.h>

/* Ten words where pointers have 64 bits, one where they have 32; all zero is an unlocked mutex. */
typedef struct {
    int32_t words[sizeof(void *) == 8 ? 10 : 1];
} pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

#endif
