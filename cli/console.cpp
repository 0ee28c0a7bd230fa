// Standard output and error.
// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include <csignal>
#include <cstdarg>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "failure.h"

void open_standard_streams()
{
    // The stand-in has the wrong direction on purpose: using a stream that the caller closed stays an error.
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1) (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    (void)std::signal(SIGPIPE, SIG_IGN);
    (void)std::signal(SIGXFSZ, SIG_IGN);
}

static bool printed = false;

void print(const std::string &text)
{
    printed = true;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_errno("standard output");
}

void flush_output()
{
    if (std::fflush(stdout) != 0) fail_errno("standard output");
}

bool has_printed()
{
    return printed;
}

std::string one_line(const std::string &text)
{
    std::string line = text;
    for (char &c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return line;
}

void complain(const std::string &text)
{
    (void)std::fflush(stdout);
    (void)std::fprintf(stderr, "latkem: %s\n", one_line(text).c_str());
}

// The attribute in the header makes the compiler check the arguments. NOLINTNEXTLINE(cert-dcl50-cpp)
std::string format(const char *pattern, ...)
{
    va_list arguments, again;
    va_start(arguments, pattern);
    va_copy(again, arguments);
    std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, pattern, arguments)), '\0');
    (void)std::vsnprintf(text.data(), text.size() + 1, pattern, again);
    va_end(again);
    va_end(arguments);
    return text;
}

Progress::Progress(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) == 1)
{
}

Progress::~Progress()
{
    show("");
}

void Progress::show(const std::string &line) const
{
    if (shown_) (void)std::fprintf(stderr, "\r\033[K%s", line.c_str());
}
