/* The functions that every scheme offers to the API. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SCHEME_H
#define LK_SCHEME_SCHEME_H

#include <stddef.h>
#include <stdint.h>

#include "arch/backend.h"
#include "base/families.h"
#include "shared/row.h"
#include "symmetric/job.h"

/* The most operations that one call takes, of any scheme. */
#define LK_GROUP_MAX LK_KECCAK_LANES_MAX

/* The description of a group of operations. LK_ENCAPS1 and LK_ENCAPS2 are encapsulation in two parts, of one alone. */
typedef enum { LK_KEYPAIR, LK_ENCAPS, LK_DECAPS, LK_ENCAPS1, LK_ENCAPS2 } lk_kind;

/* The functions of a scheme named X: lk_X_keypair and so on, declared in its params.h. There is no table of them in the
 * scheme: api/columns.h has one for each operation, so that a linker drops the operations which a program never calls.
 * row.h says what they do. */

/* lk_group returns how many operations of a kind one call takes: as many as it pays to make together on a backend. */
static inline size_t lk_group(const lk_backend *b, const lk_row *row, lk_kind kind)
{
    const size_t lanes = b->symmetric.keccak->lanes;
    if (!LK_IS_SMALL && kind == LK_KEYPAIR && row->key_group) return row->key_group;
    return lanes < row->group ? lanes : row->group;
}

/* lk_total adds up the random requests of an operation. */
static inline size_t lk_total(const size_t requests[LK_REQUESTS_MAX])
{
    size_t total = 0;
    for (size_t i = 0; i < LK_REQUESTS_MAX; i++) total += requests[i];
    return total;
}

#endif
