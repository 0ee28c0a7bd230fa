/* Multiplication in the small build, for the table in portable.c (schoolbook.c). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_NEGACYCLIC_SCHOOLBOOK_H
#define LK_RING_NEGACYCLIC_SCHOOLBOOK_H

#include "ring/negacyclic/kernels.h"

/* Bytes of a left-hand factor, which is the polynomial, and of a right-hand one. */
enum { LK_NEGACYCLIC_PLAIN_BYTES = 2 * LK_NEGACYCLIC_N, LK_NEGACYCLIC_PLAIN_SMALL_BYTES = LK_NEGACYCLIC_N };

/* The kernels of these names, for polynomials in the order of the exponents. */
void lk_negacyclic_evaluate_plain(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_evaluate_small_plain(void *e, const lk_negacyclic_poly *f, void *scratch);
void lk_negacyclic_inner_product_plain(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch);
void lk_negacyclic_add_product(lk_negacyclic_poly *h, const lk_negacyclic_poly *f, const void *g);

#endif
