/* The clock of bionic. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_ANDROID_TIME_H
#define LATKEM_ANDROID_TIME_H

#define CLOCK_MONOTONIC 1
#define CLOCK_THREAD_CPUTIME_ID 3

typedef long time_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

int clock_gettime(int clock, struct timespec *time);

#endif
