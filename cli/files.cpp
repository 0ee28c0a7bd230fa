// The files of one command.
// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <cerrno>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "failure.h"

namespace
{

volatile std::sig_atomic_t ending_signal = 0;

void note_signal(int signal)
{
    ending_signal = signal;
}

std::string output_name(const std::string &path)
{
    return path == "-" ? "standard output" : path;
}

// Whether a system call went well or is to be tried again; throws otherwise.
bool went_well(ssize_t result, const std::string &name)
{
    if (ending_signal != 0) fail(name, "interrupted");
    if (result < 0 && errno != EINTR) fail_errno(name);
    return result >= 0;
}

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

void write_all(int fd, const std::string &name, const uint8_t *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(fd, data + done, size - done);
        if (went_well(n, name)) done += static_cast<size_t>(n);
    }
}

mode_t public_mode()
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// A file under a temporary name beside its target; removed unless it is published.
class Staged : public OutputFile
{
  public:
    Staged(const std::string &path, Privacy privacy) : name_(path), target_(resolve(path)), privacy_(privacy)
    {
        std::error_code ignored;
        if (std::filesystem::is_directory(target_, ignored)) fail(name_, std::generic_category().message(EISDIR));
        temporary_ = target_.parent_path() / ".latkem-XXXXXX";
        file_.emplace(mkstemp(temporary_.data())); // O_EXCL, mode 0600
        if (file_->get() < 0) {
            temporary_.clear();
            fail_errno(name_);
        }
    }
    ~Staged() override
    {
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }
    Staged(const Staged &) = delete;
    Staged &operator=(const Staged &) = delete;

    void write(const uint8_t *data, size_t size) override
    {
        write_all(file_->get(), name_, data, size);
    }
    void complete() const
    {
        if ((privacy_ == Privacy::open && fchmod(file_->get(), public_mode()) != 0) || fsync(file_->get()) != 0)
            fail_errno(name_);
    }
    void publish()
    {
        if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(name_);
        temporary_.clear();
        Descriptor directory(::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        fsync(directory.get()); // best effort: not every file system and permission allows it
    }
    void finish() override
    {
        complete();
        publish();
    }

  private:
    std::string name_;
    std::filesystem::path target_;
    Privacy privacy_;
    std::string temporary_;
    std::optional<Descriptor> file_;
};

// A pipe, device or terminal: there is nothing to replace.
class Stream : public OutputFile
{
  public:
    Stream(const std::string &path, Privacy privacy)
        : name_(output_name(path)),
          file_(path == "-" ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC))
    {
        if (file_.get() < 0) fail_errno(name_);
        if (privacy == Privacy::secret && isatty(file_.get()) == 1)
            misuse(name_, "is a terminal, where no secret is written; name a file or use a pipe");
    }
    void write(const uint8_t *data, size_t size) override
    {
        flush_output();
        write_all(file_.get(), name_, data, size);
    }
    void finish() override
    {
    }

  private:
    std::string name_;
    Descriptor file_;
};

} // namespace

Descriptor::~Descriptor()
{
    if (fd_ > STDERR_FILENO) close(fd_);
}

std::string input_name(const std::string &path)
{
    return path == "-" ? "standard input" : path;
}

InputFile::InputFile(const std::string &path)
    : name_(input_name(path)), file_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC))
{
    if (file_.get() < 0) fail_errno(name_);
}

size_t InputFile::read(uint8_t *out, size_t size) const
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = ::read(file_.get(), out + done, size - done);
        if (n == 0) break;
        if (went_well(n, name_)) done += static_cast<size_t>(n);
    }
    return done;
}

uint64_t InputFile::size() const
{
    struct stat facts;
    return fstat(file_.get(), &facts) == 0 && S_ISREG(facts.st_mode) ? static_cast<uint64_t>(facts.st_size) : 0;
}

OrderlyEnd::OrderlyEnd()
{
    struct sigaction noting = {};
    noting.sa_handler = note_signal;
    for (size_t i = 0; i < std::size(signals_); i++) {
        sigaction(signals_[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(signals_[i], &noting, nullptr);
    }
}

OrderlyEnd::~OrderlyEnd()
{
    for (size_t i = 0; i < std::size(signals_); i++) sigaction(signals_[i], &before_[i], nullptr);
    if (ending_signal != 0) (void)std::raise(ending_signal);
}

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
    const InputFile file = open(path);
    Buffer room(max_bytes + 1);
    const size_t size = file.read(room.data(), room.size());
    if (size > max_bytes) fail(file.name(), format("more than %zu bytes, which no key or ciphertext has", max_bytes));
    return Buffer(room.data(), size);
}

InputFile Files::open(const std::string &path)
{
    claim(path, Use::input);
    return InputFile(path);
}

std::unique_ptr<OutputFile> Files::create(const std::string &path, Privacy privacy)
{
    claim(path, Use::output);
    if (is_regular_or_new(path)) return std::make_unique<Staged>(path, privacy);
    return std::make_unique<Stream>(path, privacy);
}

void Files::save(const std::vector<Output> &outputs)
{
    std::vector<std::unique_ptr<Staged>> staged;
    std::vector<std::pair<std::unique_ptr<Stream>, const Buffer *>> streams;
    for (const Output &output : outputs) {
        claim(output.path, Use::output);
        if (is_regular_or_new(output.path)) {
            staged.push_back(std::make_unique<Staged>(output.path, output.privacy));
            staged.back()->write(output.data->data(), output.data->size());
            staged.back()->complete();
        } else {
            streams.emplace_back(std::make_unique<Stream>(output.path, output.privacy), output.data);
        }
    }
    for (auto &[stream, data] : streams) stream->write(data->data(), data->size());
    for (auto &file : staged) file->publish();
}
