// libcrypto's heap in the test's hands: see libcrypto_heap.h. SPDX-License-Identifier: Apache-2.0
#include "libcrypto_heap.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

// Before each block. The blocks that are allocated form a ring, in the order of their allocation.
struct alignas(std::max_align_t) Header {
    size_t size;
    Header *before, *behind;
};

Header ring = {0, &ring, &ring};
size_t blocks;
uint64_t allocations, to_fail;
const char *counted = "";

// The memory of blocks while something is watched: one behind the other, no place used twice.
alignas(std::max_align_t) uint8_t room[1 << 20];
size_t room_used;
libcrypto_heap::Trace *watching;

Header *header_of(void *block)
{
    return static_cast<Header *>(block) - 1;
}

bool is_in_room(const void *start)
{
    const auto at = reinterpret_cast<uintptr_t>(start), first = reinterpret_cast<uintptr_t>(room);
    return at >= first && at < first + sizeof room;
}

// Zeroed, else others' bytes would be found in it.
Header *take(size_t size)
{
    if (!watching) return static_cast<Header *>(std::calloc(1, sizeof(Header) + size));
    constexpr size_t unit = sizeof(Header);
    const size_t taken = sizeof(Header) + (size + unit - 1) / unit * unit;
    if (taken > sizeof room - room_used) return nullptr;
    void *start = std::memset(room + room_used, 0, taken);
    room_used += taken;
    return static_cast<Header *>(start);
}

void *allocate(size_t size, const char *file, int /*line*/)
{
    if (size == 0) return nullptr;
    if (std::strstr(file ? file : "", counted) && ++allocations == to_fail) return nullptr;
    Header *header = take(size);
    if (!header) return nullptr;
    *header = {size, ring.before, &ring};
    header->before->behind = header->behind->before = header;
    blocks++;
    return header + 1;
}

void release(void *block, const char * /*file*/, int /*line*/)
{
    if (!block) return;
    Header *header = header_of(block);
#ifdef OPENSSL_IS_AWSLC
    std::memset(block, 0, header->size); // as AWS-LC does before it frees, and leaves to functions that replace its own
#endif
    if (watching) watching->freed.push_back(libcrypto_heap::content(block));
    header->before->behind = header->behind;
    header->behind->before = header->before;
    blocks--;
    if (!is_in_room(header)) std::free(header);
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
    std::memcpy(moved, block, std::min(size, header_of(block)->size));
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

Bytes libcrypto_heap::content(const void *block)
{
    const auto *bytes = static_cast<const uint8_t *>(block);
    return Bytes(bytes, bytes + (static_cast<const Header *>(block) - 1)->size);
}

void libcrypto_heap::fail_at(uint64_t number, const char *in_files)
{
    counted = in_files;
    allocations = 0;
    to_fail = number;
}

bool libcrypto_heap::failed()
{
    return to_fail != 0 && allocations >= to_fail;
}

libcrypto_heap::Trace libcrypto_heap::watch(const std::function<void()> &body)
{
    Trace trace;
    const size_t before = blocks, room_before = room_used;
    watching = &trace;
    body();
    watching = nullptr;
    trace.lost = static_cast<long>(blocks) - static_cast<long>(before);
    bool room_is_free = true;
    for (const Header *header = ring.behind; header != &ring; header = header->behind) {
        trace.live.push_back(content(header + 1));
        room_is_free &= !is_in_room(header);
    }
    if (room_is_free) room_used = room_before;
    return trace;
}
