// Passphrases of private keys.
// SPDX-License-Identifier: Apache-2.0
#include "passphrase.h"

#include <algorithm>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "console.h"
#include "failure.h"

namespace
{

constexpr size_t most_bytes = 1024;

// The first line of an input, without its end; no more is read.
Buffer read_line(const InputFile &input)
{
    Buffer line(most_bytes + 1);
    size_t size = 0;
    while (size <= most_bytes && input.read(line.data() + size, 1) == 1 && line[size] != '\n') size++;
    if (size > most_bytes) fail(input.name(), format("has a passphrase of more than %zu bytes", most_bytes));
    if (size > 0 && line[size - 1] == '\r') size--;
    if (size == 0) fail(input.name(), "has no passphrase: its first line is empty");
    return Buffer(line.data(), size);
}

// The terminal of this process, silent while one lives.
class Terminal
{
  public:
    explicit Terminal(const std::string &name) : input_(path), fd_(::open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC))
    {
        if (tcgetattr(fd_.get(), &before_) != 0) fail(name, "no terminal to ask for the passphrase");
        termios silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        silent.c_lflag |= ICANON;
        if (tcsetattr(fd_.get(), TCSAFLUSH, &silent) != 0) fail_errno(path);
    }
    ~Terminal()
    {
        (void)tcsetattr(fd_.get(), TCSAFLUSH, &before_);
    }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;
    Buffer ask(const std::string &question) const
    {
        say(one_line(question) + ": ");
        input_.wait();
        Buffer line = read_line(input_);
        say("\n");
        return line;
    }

    static constexpr const char *path = "/dev/tty";

  private:
    void say(const std::string &text) const
    {
        (void)!::write(fd_.get(), text.data(), text.size());
    }

    InputFile input_;
    Descriptor fd_;
    termios before_{};
};

bool has_terminal()
{
    return Descriptor(::open(Terminal::path, O_RDWR | O_NOCTTY | O_CLOEXEC)).get() >= 0;
}

// The path of the source; "" if the terminal is it.
std::string path_of(const PassphraseSource &source)
{
    if (source.fd.empty()) return source.file;
    const bool is_number = source.fd.size() < 10 && source.fd.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) misuse("--passphrase-fd", "is the number of a descriptor");
    return "/dev/fd/" + source.fd;
}

} // namespace

bool can_ask(const PassphraseSource &source)
{
    return source.is_given() || has_terminal();
}

Buffer read_passphrase(Files &files, const PassphraseSource &source, const std::string &name)
{
    const std::string path = path_of(source);
    if (!path.empty()) return read_line(files.open(path));
    return Terminal(name).ask("Passphrase of " + name);
}

Buffer choose_passphrase(Files &files, const PassphraseSource &source, const std::string &name)
{
    const std::string path = path_of(source);
    if (!path.empty()) return read_line(files.open(path));
    if (!has_terminal())
        fail(name, "there is no terminal to ask for a passphrase; --passphrase-file or --passphrase-fd gives it");
    const Terminal terminal(name);
    Buffer first = terminal.ask("New passphrase of " + name);
    if (terminal.ask("The same again") != first) fail(name, "the two passphrases differ");
    return first;
}
