// Times every kernel of every backend's tables, as kernel/<family>/<name>/<backend>.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>

#include "harness/kernels/calls.h"
#include "rounds.h"

namespace
{

using kernel_calls::Pool;

// The pool is a row's own, made when the row is first timed: calls change it, and each kernel within its own bounds.
template <class Call> Row make_row(const std::string &name, const lk_backend *backend, bool zero, Call call)
{
    auto pool = std::make_shared<std::unique_ptr<Pool>>();
    Row row = {name, 1, {}, {}, {}};
    row.prepare = [backend, zero, pool] {
        if (!*pool) *pool = kernel_calls::make_pool(*backend, zero);
    };
    row.run = [pool, call](size_t first, size_t calls) {
        for (size_t i = 0; i < calls; i++) {
            call(**pool, (first + i) % kernel_calls::POOL);
            std::atomic_signal_fence(std::memory_order_seq_cst); // no call is moved or merged
        }
    };
    return row;
}

void add_rows(const lk_backend *backend, std::vector<Row> &rows)
{
    const auto add = [backend, &rows](const std::string &name, bool zero, auto call) {
        rows.push_back(make_row(name, backend, zero, call));
    };
    kernel_calls::for_each_kernel_call(*backend, add, [](const std::string &name) {
        std::cerr << name << ": not timed, the backend does without it\n";
    });
}

std::vector<Row> make_rows(const Options &options)
{
    std::vector<Row> rows;
    for (size_t i = 0; const lk_backend *backend = lk_backend_list(i); i++)
        if (std::count(options.backends.begin(), options.backends.end(), backend->name) > 0) add_rows(backend, rows);
    return rows;
}

} // namespace

int main(int argc, char **argv)
{
    return rounds_main(argc, argv, "Times every kernel of the chosen backends.", make_rows,
                       [](CLI::App &app) { app.remove_option(app.get_option("--set")); });
}
