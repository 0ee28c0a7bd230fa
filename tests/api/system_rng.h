// The operating system's generator in the hands of a test. On Linux this program's getrandom comes before the C
// library's; elsewhere nothing does, and tests that need it are skipped. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_SYSTEM_RNG_H
#define LATKEM_TESTS_SYSTEM_RNG_H

#include <vector>

#include "harness/model/hex.h"

// While it lives, getrandom hands out the supply, in its order and without a break, and fails when that is used up. One
// at a time.
class SystemRng
{
  public:
#if defined(__linux__)
    static constexpr bool stands_in = true;
#else
    static constexpr bool stands_in = false;
#endif

    struct Request {
        size_t length;
        unsigned flags;
    };

    explicit SystemRng(Bytes supply);
    ~SystemRng();
    SystemRng(const SystemRng &) = delete;
    SystemRng &operator=(const SystemRng &) = delete;

    bool fill(uint8_t *out, size_t length, unsigned flags);

    // The bytes that were handed out.
    Bytes given() const;
    const std::vector<Request> &requests() const
    {
        return requests_;
    }

  private:
    Bytes supply_;
    size_t used_ = 0;
    std::vector<Request> requests_;
};

#define LATKEM_NEEDS_SYSTEM_RNG()                                                                                      \
    if (!SystemRng::stands_in) GTEST_SKIP() << "skipped: what the system's generator gives is known on Linux alone"

#endif
