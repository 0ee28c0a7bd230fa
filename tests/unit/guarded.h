// Memory for a kernel's arguments: between red zones that must not be written, and, for inputs, checked to stay as it is.
// In turn it lies at a chosen alignment or ends where a page begins that cannot be read, which finds what assembly reads
// too far. Under AddressSanitizer the red zones may not be read, and there is no such page.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_GUARDED_H
#define LATKEM_TESTS_GUARDED_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATKEM_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LATKEM_ASAN 1
#endif

#if defined(LATKEM_ASAN)
#include <sanitizer/asan_interface.h>
constexpr bool closed_pages = false;
#else
constexpr bool closed_pages = true;
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

// Polynomials and the like: the least alignment that the contracts promise, and not more.
constexpr size_t least_alignment = alignof(std::max_align_t);

// map_pages returns size bytes of pages of their own, those from `closed` on not to be read or written (pages.cpp).
void *map_pages(size_t size, size_t closed);
void unmap_pages(void *memory, size_t size);

// Memory in front of a page that cannot be read or written. It is kept for the next who asks: mapping it takes long.
class ClosedPages
{
  public:
    static constexpr size_t size = 1 << 16; // a multiple of every page size

    static std::unique_ptr<ClosedPages> take()
    {
        if (kept().empty()) return std::make_unique<ClosedPages>();
        auto pages = std::move(kept().back());
        kept().pop_back();
        return pages;
    }

    static void give_back(std::unique_ptr<ClosedPages> pages)
    {
        kept().push_back(std::move(pages));
    }

    ClosedPages() : memory_(map_pages(2 * size, size))
    {
    }

    ClosedPages(const ClosedPages &) = delete;
    ClosedPages &operator=(const ClosedPages &) = delete;

    ~ClosedPages()
    {
        unmap_pages(memory_, 2 * size);
    }

    uint8_t *end()
    {
        return static_cast<uint8_t *>(memory_) + size;
    }

  private:
    static std::vector<std::unique_ptr<ClosedPages>> &kept()
    {
        static std::vector<std::unique_ptr<ClosedPages>> list;
        return list;
    }

    void *memory_;
};

template <class T> class Guarded
{
  public:
    // Room for count elements, offset bytes behind a 64-byte boundary or up to a closed page.
    explicit Guarded(size_t count, size_t offset) : size_(count * sizeof(T))
    {
        if (closed_pages && zone + size_ <= ClosedPages::size && size_ % least_alignment_of_elements() == 0 &&
            next_turn() % 2 == 0)
            place_before_closed_page();
        else
            place_at(offset);
        std::memset(begin_, 0x5b, size_);
        ASAN_POISON_MEMORY_REGION(begin_ - zone, zone);
        ASAN_POISON_MEMORY_REGION(begin_ + size_, tail());
    }

    Guarded(const T *from, size_t count, size_t offset) : Guarded(count, offset)
    {
        if (size_ > 0) std::memcpy(begin_, from, size_);
    }

    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;

    ~Guarded()
    {
        if (!pages_) ASAN_UNPOISON_MEMORY_REGION(memory_.data(), memory_.size());
        const uint8_t *end = begin_ + size_;
        EXPECT_TRUE(std::all_of(begin_ - zone, begin_, is_mark)) << "written before its begin";
        EXPECT_TRUE(std::all_of(end, end + tail(), is_mark)) << "written behind its end";
        EXPECT_TRUE(!is_input_ || std::equal(begin_, begin_ + size_, before_.begin())) << "an input was changed";
        if (pages_) ClosedPages::give_back(std::move(pages_));
    }

    T *out()
    {
        return reinterpret_cast<T *>(begin_);
    }

    // The content as an input of the call under test, which must not change from now on.
    const T *in()
    {
        if (!is_input_) before_.assign(begin_, begin_ + size_);
        is_input_ = true;
        return out();
    }

  private:
    static constexpr size_t zone = 64;
    static constexpr uint8_t mark = 0xa5;
    static bool is_mark(uint8_t byte)
    {
        return byte == mark;
    }
    size_t tail() const
    {
        return pages_ ? 0 : static_cast<size_t>(memory_.data() + memory_.size() - (begin_ + size_));
    }

    void place_at(size_t offset)
    {
        memory_.assign(3 * zone + offset + size_, mark);
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        begin_ = memory_.data() + (zone - address % zone) % zone + zone + offset;
    }

    void place_before_closed_page()
    {
        pages_ = ClosedPages::take();
        begin_ = pages_->end() - size_;
        std::memset(begin_ - zone, mark, zone);
    }

    static constexpr size_t least_alignment_of_elements()
    {
        return sizeof(T) == 1 ? 1 : least_alignment;
    }

    // Without a pattern in which the arguments of a kernel could fall.
    static uint32_t next_turn()
    {
        static std::minstd_rand turns;
        return static_cast<uint32_t>(turns() >> 8);
    }

    size_t size_;
    std::vector<uint8_t> memory_, before_;
    std::unique_ptr<ClosedPages> pages_;
    uint8_t *begin_;
    bool is_input_ = false;
};

// Alignments in turn, so that every kernel meets all of them: of polynomials 64 bytes and the least, of bytes any.
inline size_t next_poly_offset()
{
    static size_t turn = 0;
    return turn++ % 2 * least_alignment;
}

inline size_t next_byte_offset()
{
    static size_t turn = 0;
    return ++turn % 16;
}

#endif
