// libcrypto's heap in the test's hands: its blocks are counted, an allocation can be made to fail, and what is freed can be
// searched for secrets. For one thread at a time. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_LIBCRYPTO_HEAP_H
#define LATKEM_TESTS_PROTOCOL_LIBCRYPTO_HEAP_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace libcrypto_heap
{

// Must come before libcrypto's first allocation; ends the program if it is too late. Again does nothing.
void install();

// Blocks that are allocated now.
size_t live();

// The allocation of that number from now on fails, and no other; 0: none. Says below whether it was reached.
void fail_at(uint64_t number);
bool failed();

// Is shown every block when it is freed, while its bytes are still there. Empty: none.
using Look = std::function<void(const uint8_t *block, size_t size)>;
void look_at_freed(const Look &look);

} // namespace libcrypto_heap

#endif
