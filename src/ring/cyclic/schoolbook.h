/* Multiplication in the small build, for the table in portable.c (schoolbook.c). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_RING_CYCLIC_SCHOOLBOOK_H
#define LK_RING_CYCLIC_SCHOOLBOOK_H

#include "ring/cyclic/kernels.h"

/* Bytes for each unit of an evaluated polynomial, which is the polynomial. */
enum { LK_CYCLIC_PLAIN_UNIT = 2 * LK_CYCLIC_UNIT };

/* The kernels of these names. */
void lk_cyclic_evaluate_plain(void *e, const lk_cyclic_poly *f, size_t n, void *scratch);
void lk_cyclic_product_plain(lk_cyclic_poly *h, const void *f, const void *g, size_t n, void *scratch);

#endif
