/* Chooses the backend.
 *
 * The library's only mutable global state is one atomic pointer, filled at first use. A thread that loses the race to fill
 * it takes the winner's value. SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "arch/backend.h"
#include "arch/cpu.h"
#include "arch/portable/table.h"

/* Slowest first. */
static const lk_backend *const backends[] = {
    &lk_backend_portable,
};

static _Atomic(const lk_backend *) current;

const lk_backend *lk_backend_list(size_t index)
{
    const uint32_t features = lk_cpu_features();
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        if ((backends[i]->needs & ~features) != 0) continue;
        if (index-- == 0) return backends[i];
    }
    return NULL;
}

static const lk_backend *fastest(void)
{
    const lk_backend *best = NULL, *next;
    for (size_t i = 0; (next = lk_backend_list(i)); i++) best = next;
    return best;
}

const lk_backend *lk_backend_current(void)
{
    const lk_backend *chosen = atomic_load_explicit(&current, memory_order_acquire);
    if (chosen) return chosen;
    chosen = fastest();
    const lk_backend *none = NULL;
    if (!atomic_compare_exchange_strong_explicit(&current, &none, chosen, memory_order_acq_rel, memory_order_acquire))
        chosen = none;
    return chosen;
}

void lk_backend_force(const lk_backend *backend)
{
    atomic_store_explicit(&current, backend, memory_order_release);
}
