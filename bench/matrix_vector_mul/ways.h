/* The ways to write MatrixVectorMul of the Saber document that the experiment compares. One source, ways.c, and the
 * portable kernels are compiled once for each: with shifts or with divisions by powers of two (CMakeLists.txt), with
 * the library's optimisation or with none. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_BENCH_MATRIX_VECTOR_MUL_WAYS_H
#define LATKEM_BENCH_MATRIX_VECTOR_MUL_WAYS_H

#include "ring/negacyclic/kernels.h"

/* Room for the evaluated secret, one evaluated row and the kernels' scratch memory. */
typedef struct {
    void *secret, *row, *scratch;
} mvm_memory;

/* b = A s or A^T s, unrounded: l polynomials each, A row by row. */
typedef struct {
    const lk_negacyclic_kernels *ring;
    /* As in the reference code: one function, which asks at each place of A whether to transpose. */
    void (*flagged)(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                    int transpose, const mvm_memory *memory);
    /* As in the study: a function for each. */
    void (*product)(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                    const mvm_memory *memory);
    void (*transposed)(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                       const mvm_memory *memory);
} mvm_ways;

extern const mvm_ways mvm_shifts_optimised, mvm_shifts_unoptimised, mvm_divisions_optimised, mvm_divisions_unoptimised;

#endif
