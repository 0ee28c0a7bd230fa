// The files of one command: inputs read whole or as a stream, outputs written so that an error never loses or halves a
// file.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_FILES_H
#define LATKEM_CLI_FILES_H

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "buffer.h"

enum class Privacy {
    open,  // mode 0666 less the umask
    secret // mode 0600
};

// The permitted treatment of a regular file that an output would replace. keep_keys: it is an error if the file may be
// a private key (may_be_private_key). keep_other_keys: the same, but not of a file that is as long as the output. keep:
// it always is an error. The rule of the command is in existing_for.
enum class Existing { replace, keep_other_keys, keep_keys, keep };

enum class Content { private_key, shared_secret, other };

// existing_for is the one rule for outputs: a private key replaces nothing, and nothing replaces a private key, but
// with --force. A shared secret replaces a file of its own length, because the same command left one there before: no
// length distinguishes such a file from a seed.
inline Existing existing_for(Content content, bool force)
{
    if (force) return Existing::replace;
    if (content == Content::private_key) return Existing::keep;
    return content == Content::shared_secret ? Existing::keep_other_keys : Existing::keep_keys;
}

struct Output {
    std::string path;
    const Buffer *data;
    Privacy privacy;
    Existing existing;
};

// A file that is closed when it goes, but for the standard streams.
class Descriptor
{
  public:
    explicit Descriptor(int fd) : fd_(fd)
    {
    }
    Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1))
    {
    }
    ~Descriptor();
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const
    {
        return fd_;
    }

  private:
    int fd_;
};

// input_name is what messages call an input: its path, or "standard input" for "-".
std::string input_name(const std::string &path);

// leads_to_file says whether a path is of a regular file, and not of an open descriptor as /dev/stdin is.
bool leads_to_file(const std::string &path);

using FileIdentity = std::pair<uint64_t, uint64_t>; // device and inode

// An input of any length.
class InputFile
{
  public:
    explicit InputFile(const std::string &path);
    size_t read(uint8_t *out, size_t size) const; // fewer bytes than size only at the end
    void wait() const;                            // until there is something to read, or a signal ends the program
    uint64_t size() const;                        // 0 where it cannot be known, as of a pipe
    std::optional<FileIdentity> identity() const; // of a regular file
    const std::string &name() const
    {
        return name_;
    }

  private:
    std::string name_;
    Descriptor file_;
};

// An output of any length. A regular file takes its place when it is finished; one that goes before leaves nothing
// behind. If the system has files without a name, the output has none until then, so that not even SIGKILL leaves it. A
// pipe, a device and a file that is open already, as /dev/stdout is, has got what was written. No terminal is written
// to: what an output holds is raw bytes.
class OutputFile
{
  public:
    virtual ~OutputFile() = default;
    virtual void write(const uint8_t *data, size_t size) = 0;
    virtual void finish() = 0;
};

// While one lives, every signal that would end the program makes the next reading or writing fail, so that no half output
// stays and secrets are wiped; it then ends the program by that signal. No core file is written meanwhile. Faults of the
// program itself (SIGSEGV and its kind) and signals that the program must ignore stay as they are.
class OrderlyEnd
{
  public:
    OrderlyEnd();
    ~OrderlyEnd();
    OrderlyEnd(const OrderlyEnd &) = delete;
    OrderlyEnd &operator=(const OrderlyEnd &) = delete;
};

class Stream;

// In every path "-" is standard input or output. A path of an open descriptor, as /dev/fd/3, is read and written through
// that descriptor. All functions throw Failure.
class Files
{
  public:
    // read returns the whole file, which may hold at most max_bytes.
    Buffer read(const std::string &path);

    // The same two as streams.
    InputFile open(const std::string &path);
    std::unique_ptr<OutputFile> create(const std::string &path, Privacy privacy, Existing existing);

    // save writes all outputs or none, as far as a file system can promise that: every regular file is complete before
    // the first takes its place, in the order given; streams and devices are written in between.
    void save(const std::vector<Output> &outputs);

    // holds says whether the path leads to a regular file of exactly these bytes.
    static bool holds(const std::string &path, const Buffer &data);

    static constexpr size_t max_bytes = 65536;

  private:
    enum class Use { input, output };
    void claim(const std::string &path, Use use);
    [[noreturn]] static void refuse_second(const std::string &name);
    std::unique_ptr<Stream> open_stream(const std::string &path) const;

    std::set<std::string> claimed_; // absolute paths: no output may be named twice or overwrite an input
    std::set<FileIdentity> inputs_;
};

#endif
