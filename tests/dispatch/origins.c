/* Prints what each backend runs for each kernel, a line each: backend, kernel, origin.
 * SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <stdio.h>

int main(void)
{
    for (size_t b = 0; latkem_backend_at(b); b++)
        for (size_t k = 0; latkem_kernel_at(k); k++)
            printf("%s %s %s\n", latkem_backend_at(b), latkem_kernel_at(k),
                   latkem_kernel_origin(k, latkem_backend_at(b)));
    return 0;
}
