// Times every operation of every parameter set on every backend, and the key exchanges, as
// op/<tier>/<operation>/<set>/<backend>.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>
#include <latkem/kex.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "rounds.h"
#include "workload.h"

namespace
{

// Prepared keys belong to the backend that made them, so each backend has its own inputs. They live until the end,
// because each round comes back to each of them many times.
Workload &workload(const latkem_kem *kem, const std::string &backend)
{
    static std::map<std::pair<const latkem_kem *, std::string>, std::unique_ptr<Workload>> all;
    std::unique_ptr<Workload> &slot = all[{kem, backend}];
    if (!slot) slot = std::make_unique<Workload>(kem);
    return *slot;
}

void require(int result)
{
    if (result != LATKEM_OK) throw std::runtime_error(describe_failure(result));
}

Row make_row(const Operation &operation, const latkem_kem *kem, const std::string &backend)
{
    const std::string place = std::string(operation.tier) + '/' + operation.name;
    Row row = {"op/" + place + '/' + latkem_kem_name(kem) + '/' + backend, operation.items, {}, {}, {}};
    row.prepare = [backend] { require(latkem_backend_use(backend.c_str())); };
    row.run = [&operation, kem, backend](size_t first, size_t calls) {
        Workload &w = workload(kem, backend);
        for (size_t i = 0; i < calls; i++) require(operation.run(w, first + i));
    };
    row.verify = [&operation, kem, backend](size_t last) { require(operation.verify(workload(kem, backend), last)); };
    return row;
}

void add_rows(std::vector<Row> &rows, const Operation &operation, const latkem_kem *kem, const Options &options)
{
    for (const std::string &backend : options.backends) rows.push_back(make_row(operation, kem, backend));
}

std::vector<Row> make_rows(const Options &options)
{
    std::vector<Row> rows;
    for (const Operation &operation : all_operations)
        for (const latkem_kem *kem : options.sets) add_rows(rows, operation, kem, options);
    for (const Operation &operation : exchange_operations)
        for (const latkem_kem *kem : options.sets)
            if (latkem_kex_state_bytes(kem) > 0) add_rows(rows, operation, kem, options);
    return rows;
}

} // namespace

int main(int argc, char **argv)
{
    return rounds_main(argc, argv, "Times every operation of the chosen sets on the chosen backends.", make_rows);
}
