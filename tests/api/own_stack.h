// A stack that the test knows: a thread runs on memory which was painted before and can be read afterwards.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_OWN_STACK_H
#define LATKEM_TESTS_OWN_STACK_H

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LATKEM_INSTRUMENTED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LATKEM_INSTRUMENTED 1
#endif

// Whether the frames of the library are not those that users run.
#if defined(LATKEM_INSTRUMENTED)
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

class OwnStack
{
  public:
    OwnStack() : memory_(size + page)
    {
    }

    void run(const std::function<void()> &body)
    {
        std::memset(base(), fill, size);
        pthread_attr_t attributes;
        pthread_t thread;
        ASSERT_EQ(pthread_attr_init(&attributes), 0);
        ASSERT_EQ(pthread_attr_setstack(&attributes, base(), size), 0);
        ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()> *>(&body)), 0);
        ASSERT_EQ(pthread_join(thread, nullptr), 0);
        pthread_attr_destroy(&attributes);
    }

    // The deepest byte that the last run changed, and how many there are from it to the stack's top.
    const uint8_t *deepest() const
    {
        const uint8_t *begin = base(), *end = begin + size;
        while (end - begin > block && *begin == fill && std::memcmp(begin, begin + 1, block) == 0) begin += block;
        while (begin < end && *begin == fill) begin++;
        return begin;
    }
    size_t depth() const
    {
        return static_cast<size_t>(base() + size - deepest());
    }

  private:
    static constexpr size_t size = size_t{1} << 20;
    static constexpr size_t page = 65536;    // at least a page on every platform
    static constexpr ptrdiff_t block = 4096; // is compared at once
    static constexpr uint8_t fill = 0xa5;

    // The body runs below what the end of a thread writes over, so that the traces of shallow frames last.
    static void *call(void *body)
    {
        volatile uint8_t room[4096];
        room[0] = 0;
        (*static_cast<const std::function<void()> *>(body))();
        room[sizeof room - 1] = 0;
        return nullptr;
    }

    const uint8_t *base() const
    {
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        return memory_.data() + (page - address % page) % page;
    }
    uint8_t *base()
    {
        return const_cast<uint8_t *>(static_cast<const OwnStack *>(this)->base());
    }

    std::vector<uint8_t> memory_;
};

#endif
