// The files of one command.
// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "failure.h"
#include "keys.h"

namespace
{

using Path = std::filesystem::path;

volatile std::sig_atomic_t ending_signal = 0;

void note_signal(int signal)
{
    ending_signal = signal;
}

std::string output_name(const std::string &path)
{
    return path == "-" ? "standard output" : path;
}

// Whether reading or writing a descriptor went well or must be tried again, once it is ready; throws otherwise.
bool went_well(ssize_t result, const std::string &name, pollfd descriptor)
{
    if (ending_signal != 0) fail(name, "interrupted");
    if (result < 0 && errno == EAGAIN) // another process has made it non-blocking
        (void)poll(&descriptor, 1, -1);
    else if (result < 0 && errno != EINTR)
        fail_errno(name);
    return result >= 0;
}

// The file that a path leads to through symbolic links, which may not exist yet, as an absolute path.
Path resolve(const std::string &path)
{
    std::error_code error;
    Path target = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    while (!error && std::filesystem::is_symlink(target, error)) // it leads to a file that does not exist yet
        target = std::filesystem::weakly_canonical(target.parent_path() / std::filesystem::read_symlink(target, error),
                                                   error);
    if (error && error != std::errc::no_such_file_or_directory) fail(path, error.message());
    return target;
}

// The folder of this process's descriptors, under all of its names.
bool is_descriptor_folder(const Path &folder)
{
    if (folder == "/dev/fd" || folder == "/proc/self/fd" || folder == "/proc/thread-self/fd") return true;
    std::error_code ignored;
    return std::filesystem::equivalent(folder, "/proc/self/fd", ignored);
}

// The number that a path gives to a descriptor of this process; -1 if it is no such path.
int number_of(const Path &path)
{
    const std::string name = path.filename();
    if (path == "/dev/stdin") return STDIN_FILENO;
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    const bool is_number = !name.empty() && name.size() < 10 &&
                           name.find_first_not_of("0123456789") == std::string::npos;
    return is_number && is_descriptor_folder(path.parent_path()) ? std::stoi(name) : -1;
}

// Whether a path is in a folder of the processes' files, as /proc/1/fd/1 is.
bool is_of_process(const Path &path)
{
    std::error_code ignored;
    return std::filesystem::canonical(path.parent_path(), ignored).string().rfind("/proc/", 0) == 0;
}

// The end of a path through links, up to an open descriptor of a process: its link would lead on to the file.
Path followed(const std::string &path)
{
    constexpr int most_links = 40;
    std::error_code error;
    Path place = std::filesystem::absolute(path, error).lexically_normal();
    for (int links = 0; links < most_links; links++) {
        if (number_of(place) >= 0 || is_of_process(place) || !std::filesystem::is_symlink(place, error)) break;
        place = (place.parent_path() / std::filesystem::read_symlink(place, error)).lexically_normal();
    }
    return place;
}

// The open descriptor that a path leads to, as /dev/stdout does; -1 if it leads to a file.
int descriptor_of(const std::string &path, int standard)
{
    return path == "-" ? standard : number_of(followed(path));
}

// A descriptor that this program got from its caller. Its own, which exec would close, are nobody's to name.
int inherited(int fd, const std::string &name)
{
    const int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0) fail(name, std::generic_category().message(EBADF));
    return fd;
}

// A file or a folder, or nothing yet: what is no pipe, device or socket, nor an open file of any process.
bool is_regular_or_new(const std::string &path)
{
    struct stat facts;
    if (descriptor_of(path, STDOUT_FILENO) >= 0) return false;
    if (stat(path.c_str(), &facts) != 0) return true;
    return !is_of_process(followed(path)) && (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
}

// Which file an open one is; nothing of a pipe or device.
std::optional<FileIdentity> identity_of(int fd)
{
    struct stat facts;
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
    return FileIdentity(facts.st_dev, facts.st_ino);
}

bool is_fifo(const std::string &path)
{
    struct stat facts;
    return stat(path.c_str(), &facts) == 0 && S_ISFIFO(facts.st_mode);
}

void write_all(int fd, const std::string &name, const uint8_t *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(fd, data + done, size - done);
        if (went_well(n, name, {fd, POLLOUT, 0})) done += static_cast<size_t>(n);
    }
}

// Reads fewer bytes than size only at the end.
size_t read_all(int fd, const std::string &name, uint8_t *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = read(fd, out + done, size - done);
        if (n == 0) break;
        if (went_well(n, name, {fd, POLLIN, 0})) done += static_cast<size_t>(n);
    }
    return done;
}

mode_t public_mode()
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// All signals are held back while one lives.
class SignalsHeld
{
  public:
    SignalsHeld()
    {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsHeld()
    {
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsHeld(const SignalsHeld &) = delete;
    SignalsHeld &operator=(const SignalsHeld &) = delete;
    // Lets them through until there is something to read.
    void wait_to_read(int fd) const
    {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(fd, &readable);
        if (ending_signal == 0) (void)pselect(fd + 1, &readable, nullptr, nullptr, nullptr, &before_);
    }

  private:
    sigset_t before_;
};

// The path by which linkat finds an open file that has no name.
std::string path_of(int fd)
{
    return "/proc/self/fd/" + std::to_string(fd);
}

// A new file without a name in the folder, with mode 0600; -1 where the file system or the system has none.
int open_unnamed(const std::filesystem::path &folder)
{
#ifdef O_TMPFILE
    const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 || access(path_of(fd).c_str(), F_OK) == 0) return fd;
    close(fd);
#else
    (void)folder;
#endif
    return -1;
}

// A file that is not at its target yet: without a name or, where that cannot be, under a temporary one beside the target.
// It is gone if it is not published.
class Staged : public OutputFile
{
  public:
    // size: of the data to write, if that is known.
    Staged(const std::string &path, Privacy privacy, Existing existing, std::optional<size_t> size = std::nullopt)
        : name_(path), target_(resolve(path)), privacy_(privacy), existing_(existing)
    {
        std::error_code ignored;
        if (std::filesystem::is_directory(target_, ignored)) fail(name_, std::generic_category().message(EISDIR));
        if (existing == Existing::keep &&
            (std::filesystem::exists(target_, ignored) || std::filesystem::is_symlink(path, ignored)))
            refuse_existing();
        if (existing == Existing::keep_keys) refuse_key(std::nullopt);
        if (existing == Existing::keep_other_keys) refuse_key(size);
        file_.emplace(open_unnamed(target_.parent_path()));
        if (file_->get() < 0) open_temporary();
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
        if (ending_signal != 0) fail(name_, "interrupted");
    }
    void publish()
    {
        {
            const SignalsHeld held; // between two names, the file would stay
            temporary_.empty() ? publish_unnamed() : publish_temporary();
        }
        Descriptor directory(::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        fsync(directory.get()); // best effort: not every file system and permission allows it
    }
    void finish() override
    {
        complete();
        publish();
    }

  private:
    [[noreturn]] void refuse_existing() const
    {
        fail(name_, "exists already; --force replaces it");
    }
    // A file of the allowed size is none.
    void refuse_key(std::optional<size_t> allowed) const
    {
        const Descriptor old(::open(target_.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
        if (old.get() < 0 && errno == ENOENT) return;
        if (old.get() < 0) fail(name_, "exists, and whether it is a private key cannot be read; --force replaces it");
        struct stat facts {
        };
        const bool is_shared = fstat(old.get(), &facts) == 0 && (facts.st_mode & (S_IRGRP | S_IROTH)) != 0;
        Buffer room(Files::max_bytes);
        const size_t size = read_all(old.get(), name_, room.data(), room.size());
        if (size != allowed && may_be_private_key(Buffer(room.data(), size), is_shared))
            fail(name_, "holds what may be a private key; --force replaces it");
    }
    void open_temporary()
    {
        std::string path = target_.parent_path() / ".latkem-XXXXXX";
        file_.emplace(mkostemp(path.data(), O_CLOEXEC)); // O_EXCL, mode 0600
        if (file_->get() < 0) fail_errno(name_);
        temporary_ = path;
    }
    // Whether the file that is at path got one more name, new_path; false if that is taken.
    bool link_to(const std::string &path, const std::string &new_path) const
    {
        if (linkat(AT_FDCWD, path.c_str(), AT_FDCWD, new_path.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST) fail_errno(name_);
        return false;
    }
    // A link cannot replace a file. To replace one, a temporary name exists for the blink between link and rename.
    void publish_unnamed()
    {
        const std::string unnamed = path_of(file_->get());
        if (link_to(unnamed, target_)) return;
        if (existing_ == Existing::keep) refuse_existing();
        std::string path;
        for (unsigned i = 0; path.empty() || !link_to(unnamed, path); i++)
            path = target_.parent_path() / (".latkem-" + std::to_string(getpid()) + "-" + std::to_string(i));
        temporary_ = path;
        rename_temporary();
    }
    void publish_temporary()
    {
        if (existing_ == Existing::keep) {
#ifdef RENAME_NOREPLACE
            if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0)
                return temporary_.clear();
#endif
            std::error_code ignored; // not every system and file system can check and rename in one step
            if (std::filesystem::exists(target_, ignored)) refuse_existing();
        }
        rename_temporary();
    }
    void rename_temporary()
    {
        if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(name_);
        temporary_.clear();
    }

    std::string name_;
    std::filesystem::path target_;
    Privacy privacy_;
    Existing existing_;
    std::string temporary_; // "" while the file has none
    std::optional<Descriptor> file_;
};

} // namespace

// A pipe, a device, or a file that is open already: what is written comes behind what it holds.
class Stream : public OutputFile
{
  public:
    explicit Stream(const std::string &path) : path_(path), name_(output_name(path))
    {
        // Its reader may wait for another output first.
        if (descriptor_of(path, STDOUT_FILENO) >= 0 || !is_fifo(path)) open();
    }
    void write(const uint8_t *data, size_t size) override
    {
        if (!file_) open();
        flush_output();
        write_all(file_->get(), name_, data, size);
    }
    void finish() override
    {
        if (!file_) open();
    }
    std::optional<FileIdentity> identity() const
    {
        return file_ ? identity_of(file_->get()) : std::nullopt;
    }

  private:
    void open()
    {
        const int fd = descriptor_of(path_, STDOUT_FILENO);
        file_.emplace(fd >= 0 ? inherited(fd, name_)
                              : ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
        if (file_->get() < 0) fail_errno(name_);
        if (isatty(file_->get()) == 1)
            misuse(name_, "is a terminal, where no raw bytes are written; name a file or use a pipe");
    }

    std::string path_, name_;
    std::optional<Descriptor> file_;
};

Descriptor::~Descriptor()
{
    if (fd_ > STDERR_FILENO) close(fd_);
}

std::string input_name(const std::string &path)
{
    return path == "-" ? "standard input" : path;
}

static int open_input(const std::string &path)
{
    const int fd = descriptor_of(path, STDIN_FILENO);
    return fd >= 0 ? inherited(fd, input_name(path)) : ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

InputFile::InputFile(const std::string &path) : name_(input_name(path)), file_(open_input(path))
{
    if (file_.get() < 0) fail_errno(name_);
}

size_t InputFile::read(uint8_t *out, size_t size) const
{
    return read_all(file_.get(), name_, out, size);
}

void InputFile::wait() const
{
    {
        const SignalsHeld held; // one that came between a look and a read would not end the read
        held.wait_to_read(file_.get());
    }
    if (ending_signal != 0) fail(name_, "interrupted");
}

std::optional<FileIdentity> InputFile::identity() const
{
    return identity_of(file_.get());
}

uint64_t InputFile::size() const
{
    struct stat facts;
    static_assert(sizeof facts.st_size >= 8, "a file of more than 2 GiB needs _FILE_OFFSET_BITS=64");
    return fstat(file_.get(), &facts) == 0 && S_ISREG(facts.st_mode) ? static_cast<uint64_t>(facts.st_size) : 0;
}

namespace
{

std::array<bool, NSIG> noted{};
rlimit core_limit{};

// Signals of a fault in the program itself, and those that end nothing.
bool is_left_alone(int signal)
{
    constexpr std::array left = {SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV, SIGSYS,  SIGCHLD,
                                 SIGCONT, SIGURG,  SIGTSTP, SIGTTIN, SIGTTOU, SIGKILL, SIGSTOP, SIGWINCH};
    return std::find(left.begin(), left.end(), signal) != left.end();
}

} // namespace

OrderlyEnd::OrderlyEnd()
{
    getrlimit(RLIMIT_CORE, &core_limit);
    const rlimit none = {0, core_limit.rlim_max};
    setrlimit(RLIMIT_CORE, &none);
    struct sigaction noting = {};
    noting.sa_handler = note_signal;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction now = {};
        if (is_left_alone(signal) || sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        noted[static_cast<size_t>(signal)] = sigaction(signal, &noting, nullptr) == 0;
    }
}

OrderlyEnd::~OrderlyEnd()
{
    for (int signal = 1; signal < NSIG; signal++)
        if (std::exchange(noted[static_cast<size_t>(signal)], false)) (void)std::signal(signal, SIG_DFL);
    if (ending_signal != 0) (void)std::raise(ending_signal);
    setrlimit(RLIMIT_CORE, &core_limit);
}

bool leads_to_file(const std::string &path)
{
    std::error_code ignored;
    return descriptor_of(path, STDOUT_FILENO) < 0 && std::filesystem::is_regular_file(path, ignored);
}

void Files::claim(const std::string &path, Use use)
{
    const int fd = descriptor_of(path, use == Use::input ? STDIN_FILENO : STDOUT_FILENO);
    if (fd < 0 && !is_regular_or_new(path)) return; // devices may be named as often as one likes
    const bool is_new = claimed_.insert(fd >= 0 ? "descriptor " + std::to_string(fd) : resolve(path).string()).second;
    if (!is_new && (fd >= 0 || use == Use::output))
        refuse_second(use == Use::input ? input_name(path) : output_name(path));
}

void Files::refuse_second(const std::string &name)
{
    misuse(name, "is named for two things; each needs a file of its own");
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
    InputFile file(path);
    if (const auto identity = file.identity()) inputs_.insert(*identity);
    return file;
}

// A stream into a file that is read would feed itself.
std::unique_ptr<Stream> Files::open_stream(const std::string &path) const
{
    auto stream = std::make_unique<Stream>(path);
    const auto identity = stream->identity();
    if (identity && inputs_.count(*identity) > 0) refuse_second(output_name(path));
    return stream;
}

std::unique_ptr<OutputFile> Files::create(const std::string &path, Privacy privacy, Existing existing)
{
    claim(path, Use::output);
    if (is_regular_or_new(path)) return std::make_unique<Staged>(path, privacy, existing);
    return open_stream(path);
}

void Files::save(const std::vector<Output> &outputs)
{
    std::vector<std::unique_ptr<Staged>> staged;
    std::vector<std::pair<std::unique_ptr<Stream>, const Buffer *>> streams;
    for (const Output &output : outputs) {
        claim(output.path, Use::output);
        if (is_regular_or_new(output.path)) {
            staged.push_back(
                std::make_unique<Staged>(output.path, output.privacy, output.existing, output.data->size()));
            staged.back()->write(output.data->data(), output.data->size());
            staged.back()->complete();
        } else {
            streams.emplace_back(open_stream(output.path), output.data);
        }
    }
    for (auto &[stream, data] : streams) {
        stream->write(data->data(), data->size());
        stream.reset(); // the reader of a pipe sees its end
    }
    for (auto &file : staged) file->publish();
}

bool Files::holds(const std::string &path, const Buffer &data)
{
    if (!leads_to_file(path)) return false;
    const InputFile file(path);
    Buffer room(data.size() + 1);
    const size_t size = file.read(room.data(), room.size());
    return Buffer(room.data(), size) == data;
}
