/* The families in this build. A build that leaves out parameter sets (LATKEM_SETS) leaves out the kernels that none of
 * the others needs: the build then defines LATKEM_WITHOUT_..., does not compile their files, and their place in a
 * backend is NULL. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_BASE_FAMILIES_H
#define LK_BASE_FAMILIES_H

#include <stddef.h>

#if defined(LATKEM_WITHOUT_MLKEM)
#define LK_HAS_MLKEM 0
#else
#define LK_HAS_MLKEM 1
#endif

/* Kyber round 3, with SHA-3 or 90s. */
#if defined(LATKEM_WITHOUT_KYBER)
#define LK_HAS_KYBER 0
#else
#define LK_HAS_KYBER 1
#endif

/* Kernels that only some ranks of ML-KEM and Kyber need: noise with eta = 3 is of rank 2, compression to 11 and 5 bits of
 * rank 4, to 10 and 4 of the others. */
#if defined(LATKEM_WITHOUT_ETA3)
#define LK_HAS_ETA3 0
#else
#define LK_HAS_ETA3 1
#endif
#if defined(LATKEM_WITHOUT_D10_D4)
#define LK_HAS_D10_D4 0
#else
#define LK_HAS_D10_D4 1
#endif
#if defined(LATKEM_WITHOUT_D11_D5)
#define LK_HAS_D11_D5 0
#else
#define LK_HAS_D11_D5 1
#endif

/* Kyber-90s alone hashes with SHA-2 and AES. */
#if defined(LATKEM_WITHOUT_90S)
#define LK_HAS_90S 0
#else
#define LK_HAS_90S 1
#endif

#if defined(LATKEM_WITHOUT_SABER)
#define LK_HAS_SABER 0
#else
#define LK_HAS_SABER 1
#endif

#if defined(LATKEM_WITHOUT_NTRU)
#define LK_HAS_NTRU 0
#else
#define LK_HAS_NTRU 1
#endif

/* NTRU's randomness is a key stream of AES. */
#if defined(LATKEM_WITHOUT_90S) && defined(LATKEM_WITHOUT_NTRU)
#define LK_HAS_AES 0
#else
#define LK_HAS_AES 1
#endif

/* The build with LATKEM_SMALL, for little memory: operations go one after the other. */
#if defined(LATKEM_SMALL)
#define LK_IS_SMALL 1
#else
#define LK_IS_SMALL 0
#endif

/* LK_IF is the place of something in a table: its address or name, or NULL where `has`, one of the above, is 0. */
#define LK_IF(has, thing) LK_IF_VALUE(has, thing)
#define LK_IF_VALUE(has, thing) LK_IF_##has(thing)
#define LK_IF_0(thing) NULL
#define LK_IF_1(thing) thing

/* LK_USED is the same for a function of the table's own file, which compilers drop where `has` is 0. */
#define LK_USED(has, function) ((has) ? (function) : NULL)

#endif
