// Pages of memory from the operating system. SPDX-License-Identifier: Apache-2.0
#include "guarded.h"

#if defined(_WIN32)

#include <windows.h>

void *map_pages(size_t size, size_t closed)
{
    auto *memory = static_cast<uint8_t *>(VirtualAlloc(nullptr, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE));
    DWORD before;
    if (!memory || !VirtualProtect(memory + closed, size - closed, PAGE_NOACCESS, &before)) throw std::bad_alloc();
    return memory;
}

void unmap_pages(void *memory, size_t)
{
    VirtualFree(memory, 0, MEM_RELEASE);
}

#else

#include <sys/mman.h>

void *map_pages(size_t size, size_t closed)
{
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(static_cast<uint8_t *>(memory) + closed, size - closed, PROT_NONE) != 0)
        throw std::bad_alloc();
    return memory;
}

void unmap_pages(void *memory, size_t size)
{
    munmap(memory, size);
}

#endif
