// Times every kernel of every backend's tables, as kernel/<family>/<name>/<backend>.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "google_meter.h"
#include "harness/kernels/calls.h"

namespace
{

using kernel_calls::Pool;

template <class Call> void measure(benchmark::State &state, Call &&call)
{
    size_t step = 0;
    const Meter meter;
    for (auto _ : state) {
        call(step++);
        benchmark::ClobberMemory();
    }
    meter.report(state, 1);
}

void register_backend(const lk_backend &backend)
{
    const auto add = [&backend](const std::string &name, bool zero, auto call) {
        register_one(name, [&backend, zero, call](benchmark::State &state) {
            const std::unique_ptr<Pool> pool = kernel_calls::make_pool(backend, zero);
            measure(state, [&](size_t step) { call(*pool, step % kernel_calls::POOL); });
        });
    };
    kernel_calls::for_each_kernel_call(backend, add, [](const std::string &name) {
        std::cerr << name << ": not timed, the backend does without it\n";
    });
}

} // namespace

void register_all()
{
    for (size_t i = 0; const lk_backend *backend = lk_backend_list(i); i++) register_backend(*backend);
}
