// Times every operation of every parameter set on every backend, as op/<tier>/<operation>/<set>/<backend>.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>

#include <map>
#include <memory>

#include "google_meter.h"
#include "workload.h"

namespace
{

// Prepared keys belong to the backend that made them, so each backend has its own inputs. They live until the end,
// because interleaving comes back to each of them many times.
Workload &workload(const latkem_kem *kem, const char *backend)
{
    static std::map<std::pair<const latkem_kem *, std::string>, std::unique_ptr<Workload>> all;
    std::unique_ptr<Workload> &slot = all[{kem, backend}];
    if (!slot) slot = std::make_unique<Workload>(kem);
    return *slot;
}

void time_operation(benchmark::State &state, const Operation &operation, const latkem_kem *kem, const char *backend)
{
    if (const int result = latkem_backend_use(backend); result != LATKEM_OK) {
        fail(state, latkem_strerror(result));
        return;
    }
    Workload &w = workload(kem, backend);
    size_t step = 0;
    int result = LATKEM_OK;
    const Meter meter;
    while (state.KeepRunning()) {
        result = operation.run(w, step++);
        if (result != LATKEM_OK) break;
    }
    meter.report(state, operation.items);
    if (result == LATKEM_OK) result = operation.verify(w, step - 1);
    if (result != LATKEM_OK) fail(state, describe_failure(result));
}

} // namespace

void register_all()
{
    for (const Operation &operation : all_operations)
        for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++)
            for (size_t j = 0; const char *backend = latkem_backend_at(j); j++)
                register_one(std::string("op/") + operation.tier + '/' + operation.name + '/' + latkem_kem_name(kem) +
                                 '/' + backend,
                             [&operation, kem, backend](benchmark::State &state) {
                                 time_operation(state, operation, kem, backend);
                             });
}
