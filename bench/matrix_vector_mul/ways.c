/* MatrixVectorMul with a flag and without: see ways.h. SPDX-License-Identifier: Apache-2.0 */
#include "ways.h"

static void evaluate_secret(const lk_negacyclic_poly *s, size_t l, const mvm_memory *memory)
{
    const lk_negacyclic_kernels *ring = &lk_negacyclic_portable;
    for (size_t j = 0; j < l; j++)
        ring->evaluate_small((uint8_t *)memory->secret + ring->evaluated_bytes * j, &s[j], memory->scratch);
}

/* Place j of the row that is multiplied. */
static void evaluate(const lk_negacyclic_poly *f, size_t j, const mvm_memory *memory)
{
    const lk_negacyclic_kernels *ring = &lk_negacyclic_portable;
    ring->evaluate((uint8_t *)memory->row + ring->evaluated_bytes * j, f, memory->scratch);
}

static void multiply_row(lk_negacyclic_poly *h, size_t l, const mvm_memory *memory)
{
    lk_negacyclic_portable.inner_product(h, memory->row, memory->secret, l, memory->scratch);
}

static void flagged(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                    int transpose, const mvm_memory *memory)
{
    evaluate_secret(s, l, memory);
    for (size_t i = 0; i < l; i++) {
        for (size_t j = 0; j < l; j++) {
            if (transpose == 1)
                evaluate(&a[l * j + i], j, memory);
            else
                evaluate(&a[l * i + j], j, memory);
        }
        multiply_row(&b[i], l, memory);
    }
}

static void product(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                    const mvm_memory *memory)
{
    evaluate_secret(s, l, memory);
    for (size_t i = 0; i < l; i++) {
        for (size_t j = 0; j < l; j++) evaluate(&a[l * i + j], j, memory);
        multiply_row(&b[i], l, memory);
    }
}

static void transposed(lk_negacyclic_poly *b, const lk_negacyclic_poly *a, const lk_negacyclic_poly *s, size_t l,
                       const mvm_memory *memory)
{
    evaluate_secret(s, l, memory);
    for (size_t i = 0; i < l; i++) {
        for (size_t j = 0; j < l; j++) evaluate(&a[l * j + i], j, memory);
        multiply_row(&b[i], l, memory);
    }
}

const mvm_ways MVM_WAYS = {&lk_negacyclic_portable, flagged, product, transposed};
