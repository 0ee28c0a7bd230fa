/* Requests to compilers: UNROLL before a loop with constant bounds makes straight code of it. Loops over
 * registers need it: rolled up, they would keep secrets in arrays on the stack. ATOMIC(type) is a pointer or a word
 * that any thread may read and write: it is never seen half written. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_COMPILERS_H
#define LK_ARCH_COMPILERS_H

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 32")
#else
#define UNROLL
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE __forceinline
#endif

/* MSVC has C11's atomics behind a switch only, and reads and writes volatile ones whole. */
#if defined(__STDC_NO_ATOMICS__)
#define ATOMIC(type) type volatile
#else
#define ATOMIC(type) _Atomic(type)
#endif

#endif
