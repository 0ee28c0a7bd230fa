// Standard output and error: checked printing, and the set-up that makes every stream safe to use.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_CONSOLE_H
#define LATKEM_CLI_CONSOLE_H

#include <string>

// open_standard_streams makes sure that descriptors 0 to 2 are taken, so that no file of the command can land on one,
// and that a closed pipe or a file size limit is an error to report instead of a silent death.
void open_standard_streams();

// print writes text to standard output, flush_output what is still buffered; both throw Failure when that fails.
void print(const std::string &text);
void flush_output();

// has_printed says whether print was called.
bool has_printed();

// one_line keeps a text that may hold line feeds and terminal escapes, as a file name can, one harmless line.
std::string one_line(const std::string &text);

// without_keys replaces what may be a key in a message by its length: PEM, and long runs of hex or base64. An argument may
// be a key, as of --dk "$(cat alice.pem)", and messages quote arguments.
std::string without_keys(const std::string &text);

// complain writes one line without keys to standard error.
void complain(const std::string &text);

__attribute__((format(printf, 1, 2))) std::string format(const char *pattern, ...);

// Progress is one line on standard error that overwrites itself; nothing is shown where that is no terminal.
class Progress
{
  public:
    explicit Progress(bool wanted);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    void show(const std::string &line) const;

  private:
    bool shown_;
};

#endif
