/* The kernels of Z_3329[X]/(X^256 + 1) for CPUs that slow down when they multiply in 512-bit registers.
 *
 * Intel's ask for more current first and run at two thirds of their speed until they have it, for as much as half a
 * millisecond: longer than whoever does a handshake now and then multiplies at all. Permutations, shifts and logic in
 * 512-bit registers cost nothing of the kind. So this table multiplies in AVX-512's 32 registers of 256 bits, and
 * leaves rejection sampling as it is. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/avx512/q3329_rejection.h"
#include "arch/x86_64/q3329_ymm.h"
#include "arch/x86_64/tables.h"

const lk_q3329_kernels lk_q3329_avx512_steady = {
    LK_Q3329_YMM,
    .rej_uniform_vartime = lk_q3329_rej_uniform_vartime_avx512,
    .rej_uniform_lanes_vartime = lk_q3329_rej_uniform_lanes_vartime_avx512,
    .ntt_order = NULL,
};
