/* The kernels that pack and unpack 11, 12 and 13 bits a coefficient, by functions for any number d of bits: the file
 * that includes this has defined pack(out, f, n, d) and unpack(f, in, n, d). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_X86_64_CYCLIC_PACKING_H
#define LK_ARCH_X86_64_CYCLIC_PACKING_H

#include "ring/cyclic/kernels.h"

static void pack_d11(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 11);
}

static void pack_d12(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 12);
}

static void pack_d13(uint8_t *out, const lk_cyclic_poly *f, size_t n)
{
    pack(out, f, n, 13);
}

static void unpack_d11(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 11);
}

static void unpack_d12(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 12);
}

static void unpack_d13(lk_cyclic_poly *f, const uint8_t *in, size_t n)
{
    unpack(f, in, n, 13);
}

/* Their places in a table. */
#define LK_CYCLIC_PACKING                                                                                              \
    .pack_d11 = pack_d11, .pack_d12 = pack_d12, .pack_d13 = pack_d13, .unpack_d11 = unpack_d11,                        \
    .unpack_d12 = unpack_d12, .unpack_d13 = unpack_d13

#endif
