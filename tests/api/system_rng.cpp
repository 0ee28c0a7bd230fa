// The operating system's generator in the hands of a test: see system_rng.h.
// SPDX-License-Identifier: Apache-2.0
#include "system_rng.h"

#include <algorithm>
#include <cerrno>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace
{

SystemRng *in_force = nullptr;

} // namespace

SystemRng::SystemRng(Bytes supply) : supply_(std::move(supply))
{
    in_force = this;
}

SystemRng::~SystemRng()
{
    in_force = nullptr;
}

bool SystemRng::fill(uint8_t *out, size_t length, unsigned flags)
{
    requests_.push_back({length, flags});
    if (length > supply_.size() - used_) return false;
    std::copy_n(supply_.begin() + static_cast<std::ptrdiff_t>(used_), length, out);
    used_ += length;
    return true;
}

Bytes SystemRng::given() const
{
    return slice(supply_, 0, used_);
}

#if defined(__linux__)
extern "C" ssize_t getrandom(void *out, size_t size, unsigned flags);
extern "C" ssize_t getrandom(void *out, size_t size, unsigned flags)
{
    if (in_force == nullptr) return static_cast<ssize_t>(syscall(SYS_getrandom, out, size, flags));
    if (in_force->fill(static_cast<uint8_t *>(out), size, flags)) return static_cast<ssize_t>(size);
    errno = EIO;
    return -1;
}
#endif
