// How the command fails: one exception that carries the exit status and the one line for standard error.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_FAILURE_H
#define LATKEM_CLI_FAILURE_H

#include <exception>
#include <string>

enum ExitStatus {
    STATUS_OK = 0,
    STATUS_FAILED = 1, // a key, ciphertext, file or self-test failed
    STATUS_USAGE = 2   // wrong use
};

class Failure : public std::exception
{
  public:
    Failure(ExitStatus status, const std::string &thing, const std::string &fault)
        : status_(status), line_(thing + ": " + fault)
    {
    }
    const char *what() const noexcept override
    {
        return line_.c_str();
    }
    ExitStatus status() const
    {
        return status_;
    }

  private:
    ExitStatus status_;
    std::string line_;
};

// thing is what the line is about, mostly a file; fault says what is wrong with it.
[[noreturn]] void fail(const std::string &thing, const std::string &fault);
[[noreturn]] void misuse(const std::string &thing, const std::string &fault);
[[noreturn]] void fail_errno(const std::string &thing);

// require turns an error code of the library into a Failure about thing; a failing RNG is never thing's fault.
void require(int result, const std::string &thing);

#endif
