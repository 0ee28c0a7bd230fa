// The files of one command.
// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "failure.h"

namespace
{

class Descriptor
{
  public:
    explicit Descriptor(int fd) : fd_(fd)
    {
    }
    ~Descriptor()
    {
        if (fd_ > STDERR_FILENO) close(fd_);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const
    {
        return fd_;
    }

  private:
    int fd_;
};

// The file that a path leads to through symbolic links, which may not exist yet, as an absolute path.
std::filesystem::path resolve(const std::string &path)
{
    std::error_code error;
    auto target = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    if (error) fail(path, error.message());
    return target;
}

bool is_regular_or_new(const std::string &path)
{
    struct stat facts;
    return path != "-" && (stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
}

void write_all(int fd, const std::string &name, const Buffer &data)
{
    for (size_t done = 0; done < data.size();) {
        ssize_t n = write(fd, data.data() + done, data.size() - done);
        if (n < 0 && errno != EINTR) fail_errno(name);
        done += n > 0 ? static_cast<size_t>(n) : 0;
    }
}

mode_t public_mode()
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// A complete file under a temporary name beside its target; removed unless it is published.
class Staged
{
  public:
    explicit Staged(const Output &output) : name_(output.path), target_(resolve(name_))
    {
        std::error_code ignored;
        if (std::filesystem::is_directory(target_, ignored)) fail(name_, std::generic_category().message(EISDIR));
        temporary_ = target_.parent_path() / ".latkem-XXXXXX";
        Descriptor file(mkstemp(temporary_.data())); // O_EXCL, mode 0600
        if (file.get() < 0) {
            temporary_.clear();
            fail_errno(name_);
        }
        try {
            fill(file.get(), output);
        } catch (...) {
            remove();
            throw;
        }
    }
    ~Staged()
    {
        remove();
    }
    Staged(const Staged &) = delete;
    Staged &operator=(const Staged &) = delete;

    void publish()
    {
        if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(name_);
        temporary_.clear();
        Descriptor directory(open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        fsync(directory.get()); // best effort: not every file system and permission allows it
    }

  private:
    void fill(int fd, const Output &output) const
    {
        write_all(fd, name_, *output.data);
        if ((output.privacy == Privacy::open && fchmod(fd, public_mode()) != 0) || fsync(fd) != 0) fail_errno(name_);
    }
    void remove() const
    {
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }

    std::string name_;
    std::filesystem::path target_;
    std::string temporary_;
};

// A pipe, device or terminal: there is nothing to replace.
class Stream
{
  public:
    explicit Stream(const Output &output)
        : name_(output.path == "-" ? "standard output" : output.path), data_(output.data),
          file_(output.path == "-" ? STDOUT_FILENO : open(output.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC))
    {
        if (file_.get() < 0) fail_errno(name_);
        if (output.privacy == Privacy::secret && isatty(file_.get()) == 1)
            misuse(name_, "is a terminal, where no secret is written; name a file or use a pipe");
    }
    void publish() const
    {
        flush_output();
        write_all(file_.get(), name_, *data_);
    }

  private:
    std::string name_;
    const Buffer *data_;
    Descriptor file_;
};

} // namespace

void Files::claim(const std::string &path, Use use)
{
    const bool is_stream = path == "-";
    if (!is_stream && !is_regular_or_new(path)) return; // devices may be named as often as one likes
    const std::string stream = use == Use::input ? "standard input" : "standard output";
    const bool is_new = claimed_.insert(is_stream ? stream : resolve(path).string()).second;
    if (!is_new && (is_stream || use == Use::output))
        misuse(is_stream ? stream : path, "is named for two things; each needs a file of its own");
}

Buffer Files::read(const std::string &path)
{
    claim(path, Use::input);
    const std::string name = path == "-" ? "standard input" : path;
    Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
    if (file.get() < 0) fail_errno(name);
    Buffer room(max_bytes + 1);
    size_t size = 0;
    while (size < room.size()) {
        ssize_t n = ::read(file.get(), room.data() + size, room.size() - size);
        if (n < 0 && errno != EINTR) fail_errno(name);
        if (n == 0) return Buffer(room.data(), size);
        size += n > 0 ? static_cast<size_t>(n) : 0;
    }
    fail(name, format("more than %zu bytes, which no key or ciphertext has", max_bytes));
}

void Files::save(const std::vector<Output> &outputs)
{
    std::vector<std::unique_ptr<Staged>> staged;
    std::vector<std::unique_ptr<Stream>> streams;
    for (const Output &output : outputs) {
        claim(output.path, Use::output);
        if (is_regular_or_new(output.path))
            staged.push_back(std::make_unique<Staged>(output));
        else
            streams.push_back(std::make_unique<Stream>(output));
    }
    for (auto &stream : streams) stream->publish();
    for (auto &file : staged) file->publish();
}
