// How the command fails.
// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include <cerrno>
#include <cstring>

#include <latkem/latkem.h>

void fail(const std::string &thing, const std::string &fault)
{
    throw Failure(STATUS_FAILED, thing, fault);
}

void misuse(const std::string &thing, const std::string &fault)
{
    throw Failure(STATUS_USAGE, thing, fault);
}

void fail_errno(const std::string &thing)
{
    fail(thing, std::strerror(errno));
}

void require(int result, const std::string &thing)
{
    if (result != LATKEM_OK) fail(result == LATKEM_ERR_RNG ? "random generator" : thing, latkem_strerror(result));
}
