// The files of one command: inputs read whole, outputs written so that an error never loses or halves a file.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_FILES_H
#define LATKEM_CLI_FILES_H

#include <set>
#include <string>
#include <vector>

#include "buffer.h"

enum class Privacy {
    open,  // mode 0666 less the umask
    secret // mode 0600, and never to a terminal
};

struct Output {
    std::string path;
    const Buffer *data;
    Privacy privacy;
};

// In every path "-" is standard input or output. All functions throw Failure.
class Files
{
  public:
    // read returns the whole file, which may hold at most max_bytes.
    Buffer read(const std::string &path);

    // save writes all outputs or none, as far as a file system can promise that: every regular file is complete under a
    // temporary name before the first takes its place; streams and devices are written in between.
    void save(const std::vector<Output> &outputs);

    static constexpr size_t max_bytes = 65536;

  private:
    enum class Use { input, output };
    void claim(const std::string &path, Use use);

    std::set<std::string> claimed_; // absolute paths: no output may be named twice or overwrite an input
};

#endif
