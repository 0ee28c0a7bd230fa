// A counting backend: see counting.h.
// SPDX-License-Identifier: Apache-2.0
#include "counting.h"

#include <optional>
#include <vector>

#include "harness/kernels/interpose.h"

namespace
{

std::vector<size_t> calls; // of each kernel, by its index

struct Count {
    explicit Count(size_t kernel)
    {
        calls[kernel]++;
    }
};

std::optional<InterposedBackend<Count>> counting;

} // namespace

const lk_backend *count_kernels(const lk_backend &original)
{
    counting.emplace(original);
    forget_calls();
    return &counting->interposed();
}

Names called_kernels()
{
    Names names;
    for (size_t i = 0; i < calls.size(); i++)
        if (calls[i] > 0) names.insert(std::string(counting->names()[i].family) + "." + counting->names()[i].kernel);
    return names;
}

void forget_calls()
{
    calls.assign(counting->names().size(), 0);
}
