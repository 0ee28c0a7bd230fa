// libcrypto's heap in the test's hands: see libcrypto_heap.h. SPDX-License-Identifier: Apache-2.0
#include "libcrypto_heap.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

// Before each block stands its size.
constexpr size_t header = alignof(std::max_align_t);

size_t blocks;
uint64_t allocations, to_fail;
libcrypto_heap::Look look;

uint8_t *start_of(void *block)
{
    return static_cast<uint8_t *>(block) - header;
}

size_t size_of(void *block)
{
    size_t size;
    std::memcpy(&size, start_of(block), sizeof size);
    return size;
}

void *allocate(size_t size, const char * /*file*/, int /*line*/)
{
    if (size == 0 || ++allocations == to_fail) return nullptr;
    auto *start = static_cast<uint8_t *>(std::calloc(1, size + header)); // else others' bytes would be found in it
    if (!start) return nullptr;
    std::memcpy(start, &size, sizeof size);
    blocks++;
    return start + header;
}

void release(void *block, const char * /*file*/, int /*line*/)
{
    if (!block) return;
    if (look) look(static_cast<const uint8_t *>(block), size_of(block));
    blocks--;
    std::free(start_of(block));
}

// Always moves, so that the place that is left is looked at.
void *reallocate(void *block, size_t size, const char *file, int line)
{
    if (!block) return allocate(size, file, line);
    if (size == 0) {
        release(block, file, line);
        return nullptr;
    }
    void *moved = allocate(size, file, line);
    if (!moved) return nullptr;
    std::memcpy(moved, block, std::min(size, size_of(block)));
    release(block, file, line);
    return moved;
}

} // namespace

void libcrypto_heap::install()
{
    static const int installed = CRYPTO_set_mem_functions(allocate, reallocate, release);
    if (installed == 1) return;
    std::fputs("libcrypto has allocated memory before the test could watch it\n", stderr);
    std::abort();
}

size_t libcrypto_heap::live()
{
    return blocks;
}

void libcrypto_heap::fail_at(uint64_t number)
{
    allocations = 0;
    to_fail = number;
}

bool libcrypto_heap::failed()
{
    return to_fail != 0 && allocations >= to_fail;
}

void libcrypto_heap::look_at_freed(const Look &wanted)
{
    look = wanted;
}
