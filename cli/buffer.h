// Buffer: bytes on the heap that are wiped when they go. Every key, seed and secret of the command lives in one.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_BUFFER_H
#define LATKEM_CLI_BUFFER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

class Buffer
{
  public:
    explicit Buffer(size_t size = 0, uint8_t fill = 0) : bytes_(new uint8_t[size]), size_(size)
    {
        std::fill_n(data(), size, fill);
    }
    Buffer(const uint8_t *from, size_t size) : Buffer(size)
    {
        std::copy_n(from, size, data());
    }
    Buffer(Buffer &&other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0))
    {
    }
    Buffer &operator=(Buffer &&other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer()
    {
        wipe();
    }

    uint8_t *data()
    {
        return bytes_.get();
    }
    const uint8_t *data() const
    {
        return bytes_.get();
    }
    size_t size() const
    {
        return size_;
    }
    bool empty() const
    {
        return size_ == 0;
    }
    uint8_t &operator[](size_t i)
    {
        return bytes_[i];
    }
    uint8_t operator[](size_t i) const
    {
        return bytes_[i];
    }
    const uint8_t *begin() const
    {
        return data();
    }
    const uint8_t *end() const
    {
        return data() + size_;
    }

    friend bool operator==(const Buffer &a, const Buffer &b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend bool operator!=(const Buffer &a, const Buffer &b)
    {
        return !(a == b);
    }

  private:
    // volatile: the compiler may not know what is called, and so may not drop it although the memory is freed next.
    void wipe()
    {
        static void *(*const volatile set)(void *, int, size_t) = std::memset;
        if (size_ > 0) set(bytes_.get(), 0, size_);
    }

    std::unique_ptr<uint8_t[]> bytes_;
    size_t size_;
};

inline std::string_view text_of(const Buffer &bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

#endif
