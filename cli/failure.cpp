// How the command fails.
// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include <cerrno>
#include <cstdio>
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

// A file name may hold line feeds and terminal escapes; the report stays one harmless line.
static std::string one_line(const char *text)
{
    std::string line(text);
    for (char &c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return line;
}

int report(const Failure &failure)
{
    (void)std::fflush(stdout);
    (void)std::fprintf(stderr, "latkem: %s\n", one_line(failure.what()).c_str());
    return failure.status();
}
