// libcrypto's heap in the test's hands: its blocks are counted, an allocation can be made to fail, and two runs can be
// compared in what they free and keep. For one thread at a time. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_LIBCRYPTO_HEAP_H
#define LATKEM_TESTS_PROTOCOL_LIBCRYPTO_HEAP_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/model/hex.h"

namespace libcrypto_heap
{

// Must come before libcrypto's first allocation; ends the program if it is too late. Again does nothing.
void install();

// Blocks that are allocated now.
size_t live();

// The content of a block.
Bytes content(const void *block);

// The allocation of that number from now on fails, and no other; 0: none. Only those are counted that are asked for in
// files with that text in their path. Says below whether it was reached.
void fail_at(uint64_t number, const char *in_files = "");
bool failed();

// The events on the heap. Blocks have the same addresses in the next run, if none is lost, so that runs can be
// compared.
struct Trace {
    std::vector<Bytes> freed; // in their order, as they were when they were freed
    std::vector<Bytes> live;  // at the end
    long lost;                // how many more are live than before
};
Trace watch(const std::function<void()> &body);

} // namespace libcrypto_heap

#endif
