// Standard output and error.
// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "failure.h"

void open_standard_streams()
{
    // The replacement has the wrong direction on purpose: using a stream that the caller closed stays an error.
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1) (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    (void)std::signal(SIGPIPE, SIG_IGN);
    (void)std::signal(SIGXFSZ, SIG_IGN);
}

namespace
{

// The end of a run of the digits of base64 in either alphabet, be it in lines.
size_t end_of_run(const std::string &text, size_t from)
{
    const auto is_digit = [](unsigned char c) {
        return std::isalnum(c) || (c != '\0' && std::strchr("+/=_-\n\r\t", c) != nullptr);
    };
    while (from < text.size() && is_digit(static_cast<unsigned char>(text[from]))) from++;
    return from;
}

char class_of(unsigned char c)
{
    return std::isupper(c) ? 'A' : std::islower(c) ? 'a' : std::isdigit(c) ? '0' : '-';
}

bool has_long_hex(std::string_view run)
{
    constexpr size_t fewest = 48; // names of commits are shorter
    size_t digits = 0;
    for (const char c : run) {
        digits = std::isxdigit(static_cast<unsigned char>(c)) ? digits + 1 : 0;
        if (digits == fewest) return true;
    }
    return false;
}

// In base64 of random bytes, more than half of the neighbours differ in being a capital, a small letter or a digit. In a
// path, far fewer than a quarter do.
bool is_like_a_key(std::string_view run)
{
    constexpr size_t fewest = 40; // a seed of 32 bytes has 43
    const auto has = [run](char kind) {
        return std::any_of(run.begin(), run.end(), [kind](unsigned char c) { return class_of(c) == kind; });
    };
    size_t changes = 0;
    for (size_t i = 1; i < run.size(); i++) {
        const char before = class_of(static_cast<unsigned char>(run[i - 1])),
                   now = class_of(static_cast<unsigned char>(run[i]));
        if (before != '-' && now != '-' && before != now) changes++;
    }
    const bool is_mixed = has('A') && has('a') && 4 * changes >= run.size();
    return (run.size() >= fewest && is_mixed) || has_long_hex(run);
}

std::string left_out(size_t size)
{
    return "(" + std::to_string(size) + " characters that may be a key)";
}

bool printed = false;

} // namespace

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

std::string without_keys(const std::string &text)
{
    const size_t pem = std::min(text.find("-----BEGIN"), text.size());
    std::string shown;
    size_t shown_to = 0;
    for (size_t from = 0; from < pem;) {
        const size_t to = std::min(end_of_run(text, from), pem);
        if (!is_like_a_key(std::string_view(text).substr(from, to - from))) {
            from = to + 1;
            continue;
        }
        shown += text.substr(shown_to, from - shown_to) + left_out(to - from);
        from = shown_to = to;
    }
    shown += text.substr(shown_to, pem - shown_to);
    if (pem == text.size()) return shown;
    const size_t end = text.rfind("-----"), behind = text.find("-----END") < end ? end + 5 : text.size();
    return shown + left_out(behind - pem) + text.substr(behind);
}

void complain(const std::string &text)
{
    (void)std::fflush(stdout);
    (void)std::fprintf(stderr, "latkem: %s\n", one_line(without_keys(text)).c_str());
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
