/* The rows (Saber round 3, table of parameter sets). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/saber/params.h"

/* clang-format off */
/*                                      l  mu et */
const lk_saber_params lk_lightsaber =  {2, 10, 3};
const lk_saber_params lk_saber_3 =     {3, 8, 4};
const lk_saber_params lk_firesaber =   {4, 6, 6};
/* clang-format on */
