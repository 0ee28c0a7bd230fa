// The tests of the API in this program are about the hybrids. SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>

#include "kem_test.h"

const latkem_kem *tested_kem_at(size_t index)
{
    return latkem_hybrid_at(index);
}
