// Runs the command in a folder of its own.
// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <linux/capability.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sets.h"

namespace
{

std::string read_file(const std::string &name)
{
    std::ifstream file(name, std::ios::binary);
    EXPECT_TRUE(file) << "cannot read " << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_file(const std::string &name, const std::string &bytes)
{
    std::ofstream file(name, std::ios::binary);
    file << bytes;
    ASSERT_TRUE(file.flush()) << "cannot write " << name;
}

// The descriptor that becomes standard output; for a terminal, the other end goes to *master.
int open_stdout(Stdout kind, const std::string &file, int *master)
{
    int ends[2] = {-1, -1};
    switch (kind) {
    case Stdout::file: return open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    case Stdout::full_device: return open("/dev/full", O_WRONLY);
    case Stdout::closed_pipe:
        if (pipe(ends) == 0) close(ends[0]);
        return ends[1];
    case Stdout::terminal: return openpty(master, &ends[1], nullptr, nullptr, nullptr) == 0 ? ends[1] : -1;
    case Stdout::none: break;
    }
    return -1;
}

std::vector<std::string> command_line(const std::vector<std::string> &arguments, const char *fault)
{
    std::vector<std::string> line;
    std::istringstream emulator(LATKEM_EMULATOR);
    for (std::string word; std::getline(emulator, word, ';');) line.push_back(word);
    line.emplace_back(fault ? LATKEM_BROKEN_COMMAND : LATKEM_COMMAND);
    line.insert(line.end(), arguments.begin(), arguments.end());
    return line;
}

[[noreturn]] void run_child(const std::string &folder, std::vector<std::string> line, const Circumstances &how, int out)
{
    dup2(open((folder + "/stdin").c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open((folder + "/stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    else
        close(STDOUT_FILENO);
    closefrom(STDERR_FILENO + 1);
    setsid(); // no terminal is asked for a passphrase
    if (how.closed >= 0) close(how.closed);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // Ignored signals are inherited: a shell lets its background jobs ignore SIGINT, and nohup SIGHUP.
    for (int signal = 1; signal < NSIG; signal++) (void)std::signal(signal, SIG_DFL);
    umask(022);
    for (auto [resource, most] : {std::pair(RLIMIT_FSIZE, how.file_limit), std::pair(RLIMIT_AS, how.address_space)}) {
        const rlimit limit = {most, most};
        if (most > 0) setrlimit(resource, &limit);
    }
    if (how.obey_modes)
        for (int capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH})
            prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); // takes effect at exec
    if (how.fault) setenv("LATKEM_BREAK", how.fault, 1);
    std::vector<char *> argv;
    argv.reserve(line.size() + 1);
    for (std::string &word : line) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (chdir((folder + "/work").c_str()) == 0) execvp(argv[0], argv.data());
    _exit(127);
}

std::string drain(int master)
{
    std::string shown;
    char buffer[4096];
    for (ssize_t n; (n = ::read(master, buffer, sizeof buffer)) > 0;) // ends with EIO: the other end is closed
        shown.append(buffer, static_cast<size_t>(n));
    close(master);
    return shown;
}

} // namespace

CommandTest::CommandTest() : folder_((std::filesystem::temp_directory_path() / "latkem-test-XXXXXX").string())
{
    if (mkdtemp(folder_.data()) == nullptr || mkdir((folder_ + "/work").c_str(), 0755) != 0)
        ADD_FAILURE() << "no folder for the test";
}

CommandTest::~CommandTest()
{
    std::filesystem::remove_all(folder_);
}

CommandTest::Running CommandTest::launch(const std::vector<std::string> &arguments, const Circumstances &how) const
{
    write_file(folder_ + "/stdin", how.input);
    write_file(folder_ + "/stdout", "");
    int master = -1;
    const int out = open_stdout(how.out, folder_ + "/stdout", &master);
    const auto line = command_line(arguments, how.fault);
    const pid_t child = fork();
    if (child == 0) run_child(folder_, line, how, out);
    if (out >= 0) close(out);
    return {child, master};
}

Result CommandTest::wait_for(const Running &running) const
{
    int wait_status = 0;
    waitpid(running.child, &wait_status, 0);
    const int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 1000 + WTERMSIG(wait_status);
    return {status, running.master >= 0 ? drain(running.master) : read_file(folder_ + "/stdout"),
            read_file(folder_ + "/stderr")};
}

Result CommandTest::run(const std::vector<std::string> &arguments, const Circumstances &how) const
{
    return wait_for(launch(arguments, how));
}

void CommandTest::start(const std::vector<std::string> &arguments, const Circumstances &how)
{
    running_ = launch(arguments, how);
}

void CommandTest::send(int signal) const
{
    EXPECT_EQ(kill(running_.child, signal), 0);
}

Result CommandTest::finish()
{
    return wait_for(running_);
}

void CommandTest::write(const std::string &name, const std::string &bytes) const
{
    write_file(path(name), bytes);
}

std::string CommandTest::read(const std::string &name) const
{
    return read_file(path(name));
}

bool CommandTest::exists(const std::string &name) const
{
    return std::filesystem::exists(path(name));
}

unsigned CommandTest::mode(const std::string &name) const
{
    struct stat facts = {};
    EXPECT_EQ(stat(path(name).c_str(), &facts), 0) << name;
    return facts.st_mode & 07777;
}

std::vector<std::string> CommandTest::names() const
{
    std::vector<std::string> all;
    for (const auto &entry : std::filesystem::directory_iterator(path(""))) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
}

std::string CommandTest::full_device() const
{
    if (geteuid() != 0) return "/dev/full";
    const std::string node = path("full");
    if (mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) return "";
    const int fd = open(node.c_str(), O_WRONLY); // fails where the file system allows no devices
    if (fd < 0) return "";
    close(fd);
    return "full";
}

bool CommandTest::has_unnamed_files() const
{
    const int fd = open(path("").c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

void CommandTest::make_keys(const std::string &set) const
{
    EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--dk", "dk", "--force"}).status, 0);
    EXPECT_EQ(run({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"}).status, 0);
}

std::vector<std::string> all_sets()
{
    std::vector<std::string> sets;
    for (size_t i = 0; set_at(i); i++) sets.emplace_back(latkem_kem_name(set_at(i)));
    return sets;
}

std::vector<std::string> core_sets()
{
    std::vector<std::string> sets;
    for (size_t i = 0; latkem_kem_at(i); i++) sets.emplace_back(latkem_kem_name(latkem_kem_at(i)));
    return sets;
}

void expect_error(const Result &result, int status, const std::vector<std::string> &fragments)
{
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.substr(0, 8), "latkem: ") << result.err;
    EXPECT_EQ(result.err.find('\n') + 1, result.err.size()) << "not one line: " << result.err;
    for (const std::string &fragment : fragments)
        EXPECT_NE(result.err.find(fragment), std::string::npos) << fragment << " is not in: " << result.err;
}
