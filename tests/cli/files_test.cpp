// Outputs come complete or not at all: failing disks, signals, files that exist, and two ways to write them: without a name
// and, where a file system has no such files, under a temporary one.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "files.h"
#include "run.h"

namespace
{

using Line = std::vector<std::string>;

const std::string set = "ML-KEM-512";
const char *const no_unnamed = "no unnamed files";

Circumstances with_faults(const char *faults)
{
    Circumstances how;
    how.fault = faults;
    return how;
}

class CliFiles : public CommandTest
{
  protected:
    // Every command that writes a file, with outputs that are there already.
    std::vector<Line> writers() const
    {
        make_keys(set);
        EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--save-seed", "seed", "--force"}).status, 0);
        make_keys(set);
        EXPECT_EQ(run({"seal", set, "--ek", "ek", "--in", "ss", "--out", "sealed"}).status, 0);
        write("out", "old");
        return {{"keygen", set, "--ek", "new", "--dk", "out", "--force"},
                {"keygen", set, "--ek", "new", "--save-seed", "out", "--force"},
                {"keygen", set, "--ek", "out", "--dk", "new", "--force"},
                {"encaps", set, "--ek", "ek", "--ct", "new", "--ss", "out"},
                {"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "out"},
                {"seal", set, "--ek", "ek", "--in", "ss", "--out", "out"},
                {"open", set, "--dk", "dk", "--in", "sealed", "--out", "out"}};
    }
    void expect_nothing_changed(const Line &before) const
    {
        EXPECT_EQ(read("out"), "old");
        EXPECT_EQ(names(), before) << "a new or temporary file was left";
    }
};

TEST_F(CliFiles, EveryWriterReplacesItsOutput)
{
    for (const char *faults : {"none", no_unnamed}) {
        for (const Line &line : writers()) {
            SCOPED_TRACE(testing::PrintToString(line) + " " + faults);
            write("out", "old");
            std::filesystem::remove(path("new"));
            Line after = names();
            EXPECT_EQ(run(line, with_faults(faults)).status, 0);
            EXPECT_NE(read("out"), "old");
            if (exists("new")) after.insert(std::find(after.begin(), after.end(), "out"), "new");
            EXPECT_EQ(names(), after);
        }
        std::filesystem::remove(path("new"));
    }
}

// Shows that the tests with `no_unnamed` reach the second way: a process that is killed leaves its temporary file.
TEST_F(CliFiles, WithoutUnnamedFilesThereAreTemporaryOnes)
{
    const std::string faults = std::string("kill at fsync,") + no_unnamed;
    EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--dk", "dk"}, with_faults(faults.c_str())).status, 1000 + SIGKILL);
    const Line left = names();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].rfind(".latkem-", 0), 0u) << left[0];
}

TEST_F(CliFiles, ModesAreRightWithoutUnnamedFiles)
{
    EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--dk", "dk", "--save-seed", "seed"}, with_faults(no_unnamed)).status,
              0);
    EXPECT_EQ(mode("ek"), 0644u);
    EXPECT_EQ(mode("dk"), 0600u);
    EXPECT_EQ(mode("seed"), 0600u);
}

// Data that is not on the disk may not take the place of data that is.
TEST_F(CliFiles, NothingAppearsBeforeItIsOnTheDisk)
{
    for (const char *faults : {"disk fails at fsync", "disk fails at fsync,no unnamed files"})
        for (const Line &line : writers()) {
            SCOPED_TRACE(testing::PrintToString(line) + " " + faults);
            const Line before = names();
            expect_error(run(line, with_faults(faults)), 1, {"Input/output error"});
            expect_nothing_changed(before);
        }
}

TEST_F(CliFiles, InterruptAtSyncLeavesNothing)
{
    for (const char *faults : {"interrupt at fsync", "interrupt at fsync,no unnamed files"})
        for (const Line &line : writers()) {
            SCOPED_TRACE(testing::PrintToString(line) + " " + faults);
            const Line before = names();
            EXPECT_EQ(run(line, with_faults(faults)).status, 1000 + SIGINT);
            expect_nothing_changed(before);
        }
}

TEST_F(CliFiles, KillAtSyncLeavesNothing)
{
    if (!has_unnamed_files()) GTEST_SKIP() << "skipped: this file system has no files without a name";
    for (const Line &line : writers()) {
        SCOPED_TRACE(testing::PrintToString(line));
        const Line before = names();
        EXPECT_EQ(run(line, with_faults("kill at fsync")).status, 1000 + SIGKILL);
        expect_nothing_changed(before);
    }
}

// A pipe that stays open holds `open` up in the middle of its work: the end is more than a pipe's 64 KiB behind.
class CliSignals : public CliFiles
{
  protected:
    void expect_end(int signal, const char *faults)
    {
        SCOPED_TRACE(std::string(strsignal(signal)) + " " + (faults ? faults : ""));
        const Line before = names();
        start({"open", set, "--dk", "dk", "--in", "pipe", "--out", "out"}, with_faults(faults));
        const int pipe = ::open(path("pipe").c_str(), O_WRONLY); // returns when the command has opened it too
        const std::string bytes = read("sealed");
        const size_t most = bytes.size() - 100;
        EXPECT_EQ(::write(pipe, bytes.data(), most), static_cast<ssize_t>(most));
        send(signal);
        EXPECT_EQ(finish().status, 1000 + signal);
        close(pipe);
        expect_nothing_changed(before);
    }
    void prepare()
    {
        make_keys(set);
        write("plain", std::string(5 * 65536, 'x'));
        write("out", "old");
        ASSERT_EQ(run({"seal", set, "--ek", "ek", "--in", "plain", "--out", "sealed"}).status, 0);
        ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    }
};

TEST_F(CliSignals, EveryOneLeavesNoTemporaryFile)
{
    prepare();
    for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
                       SIGPOLL, SIGRTMIN, SIGRTMAX}) {
        expect_end(signal, nullptr);
        expect_end(signal, no_unnamed);
    }
}

TEST_F(CliSignals, NotEvenSigkillLeavesASecret)
{
    if (!has_unnamed_files()) GTEST_SKIP() << "skipped: this file system has no files without a name";
    prepare();
    expect_end(SIGKILL, nullptr);
}

using CliFilesApart = CommandTest;

TEST_F(CliFilesApart, UnfinishedOutputVanishes)
{
    write("old", "old");
    const Buffer data(100, 0x5a);
    {
        Files files;
        const auto output = files.create(path("old"), Privacy::secret, Existing::replace);
        output->write(data.data(), data.size());
        EXPECT_EQ(names().size(), has_unnamed_files() ? 1u : 2u);
    }
    EXPECT_EQ(names(), std::vector<std::string>{"old"});
    EXPECT_EQ(read("old"), "old");
}

void set_disposition(int signal, void (*handler)(int))
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    (void)std::signal(signal, handler);
}

// The child begins with the signal's default, whatever this program was started with.
TEST_F(CliFilesApart, SignalsLeaveNoTemporaryFile)
{
    const Buffer data(100, 0x5a);
    for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU}) {
        EXPECT_EXIT(
            {
                set_disposition(signal, SIG_DFL);
                const OrderlyEnd orderly_end;
                Files files;
                const auto output = files.create(path("new"), Privacy::secret, Existing::replace);
                output->write(data.data(), data.size());
                raise(signal);
                try {
                    output->write(data.data(), data.size());
                    _exit(2);
                } catch (const Failure &) {
                }
            },
            testing::KilledBySignal(signal), "");
        EXPECT_TRUE(names().empty()) << signal;
    }
}

TEST_F(CliFilesApart, IgnoredSignalsStayIgnored)
{
    EXPECT_EXIT(
        {
            set_disposition(SIGINT, SIG_IGN);
            set_disposition(SIGHUP, SIG_IGN);
            const Buffer data(100, 0x5a);
            const OrderlyEnd orderly_end;
            Files files;
            const auto output = files.create(path("new"), Privacy::secret, Existing::replace);
            raise(SIGINT);
            raise(SIGHUP);
            output->write(data.data(), data.size());
            output->finish();
            _exit(read("new").size() == 100 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

// A core file would hold the secrets of the moment.
TEST_F(CliFilesApart, NoCoreFileWhileSecretsAreAround)
{
    rlimit before = {}, now = {};
    ASSERT_EQ(getrlimit(RLIMIT_CORE, &before), 0);
    if (before.rlim_max == 0) GTEST_SKIP() << "skipped: core files are forbidden here anyway";
    const rlimit allowed = {before.rlim_max, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_CORE, &allowed), 0);
    {
        const OrderlyEnd orderly_end;
        EXPECT_EQ(getrlimit(RLIMIT_CORE, &now), 0);
        EXPECT_EQ(now.rlim_cur, 0u);
    }
    EXPECT_EQ(getrlimit(RLIMIT_CORE, &now), 0);
    EXPECT_EQ(now.rlim_cur, allowed.rlim_cur);
    EXPECT_EQ(setrlimit(RLIMIT_CORE, &before), 0);
}

} // namespace
