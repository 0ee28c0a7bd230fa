// The sets that the tests of most programs are about; in a file of its own, so that a program may have another list.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"

const latkem_kem *tested_kem_at(size_t index)
{
    return latkem_kem_at(index);
}
