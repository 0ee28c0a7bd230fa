// A libcrypto that leaves the secrets it is given on the stack, while an object of this class lives. Real ones differ by
// version and by CPU, and some leave nothing. Without effect where the linker has no --wrap.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_LEAVING_LIBCRYPTO_H
#define LATKEM_TESTS_LEAVING_LIBCRYPTO_H

class LeavingLibcrypto
{
  public:
    LeavingLibcrypto()
    {
        leaves = true;
    }
    ~LeavingLibcrypto()
    {
        leaves = false;
    }
    LeavingLibcrypto(const LeavingLibcrypto &) = delete;
    LeavingLibcrypto &operator=(const LeavingLibcrypto &) = delete;

    static inline bool leaves = false;
};

#endif
