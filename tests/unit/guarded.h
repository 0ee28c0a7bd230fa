// Memory for a kernel's arguments: at a chosen alignment, between red zones that must not be written, and, for inputs,
// checked to stay as it is. Under AddressSanitizer the red zones may not be read either.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_GUARDED_H
#define LATKEM_TESTS_GUARDED_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

// Polynomials and the like: the least alignment that the contracts promise, and not more.
constexpr size_t least_alignment = alignof(std::max_align_t);

template <class T> class Guarded
{
  public:
    // Room for count elements, offset bytes behind a 64-byte boundary.
    explicit Guarded(size_t count, size_t offset) : size_(count * sizeof(T)), memory_(3 * zone + offset + size_, mark)
    {
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        begin_ = memory_.data() + (zone - address % zone) % zone + zone + offset;
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
        ASAN_UNPOISON_MEMORY_REGION(memory_.data(), memory_.size());
        const uint8_t *end = begin_ + size_;
        EXPECT_TRUE(std::all_of(begin_ - zone, begin_, is_mark)) << "written before its begin";
        EXPECT_TRUE(std::all_of(end, end + tail(), is_mark)) << "written behind its end";
        EXPECT_TRUE(!is_input_ || std::equal(begin_, begin_ + size_, before_.begin())) << "an input was changed";
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
        return static_cast<size_t>(memory_.data() + memory_.size() - (begin_ + size_));
    }

    size_t size_;
    std::vector<uint8_t> memory_, before_;
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
