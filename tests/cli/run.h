// Runs the command in a folder of its own, under the circumstances that a test asks for.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_CLI_RUN_H
#define LATKEM_TESTS_CLI_RUN_H

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <latkem/latkem.h>

struct Result {
    int status; // exit status, or 1000 + the signal that ended the program
    std::string out, err;
};

enum class Stdout { file, full_device, closed_pipe, terminal, none };

struct Circumstances {
    std::string input;           // what standard input holds
    Stdout out = Stdout::file;   // terminal: out of the result is what it shows
    size_t file_limit = 0;       // RLIMIT_FSIZE, if not 0
    size_t address_space = 0;    // RLIMIT_AS, if not 0
    int closed = -1;             // this descriptor, if not -1
    bool obey_modes = false;     // even root may not read what the file mode forbids
    const char *fault = nullptr; // run the broken command with these faults
};

class CommandTest : public testing::Test
{
  protected:
    CommandTest();
    ~CommandTest() override;

    Result run(const std::vector<std::string> &arguments, const Circumstances &circumstances = {}) const;

    // The same in two steps, one command at a time.
    void start(const std::vector<std::string> &arguments, const Circumstances &circumstances = {});
    void send(int signal) const;
    Result finish();

    std::string path(const std::string &name) const
    {
        return folder_ + "/work/" + name;
    }
    void write(const std::string &name, const std::string &bytes) const;
    std::string read(const std::string &name) const; // fails the test if there is no such file
    bool exists(const std::string &name) const;
    unsigned mode(const std::string &name) const;
    std::vector<std::string> names() const; // every file in the folder, sorted

    // full_device returns a device on which every write fails for lack of space, or "" if there is none to use. Root gets
    // a node of the test's own: a command that replaced its output instead of writing to it would destroy /dev/full.
    std::string full_device() const;

    // has_unnamed_files says whether the folder's file system has files without a name (O_TMPFILE).
    bool has_unnamed_files() const;

    // make_keys writes the files ek, dk, ct and ss of a set in place of older ones.
    void make_keys(const std::string &set) const;

  private:
    struct Running {
        int child, master; // master: the other end of its terminal, or -1
    };
    Running launch(const std::vector<std::string> &arguments, const Circumstances &circumstances) const;
    Result wait_for(const Running &running) const;

    std::string folder_;
    Running running_ = {-1, -1};
};

std::vector<std::string> all_sets();  // with the hybrids
std::vector<std::string> core_sets(); // without

// The command failed with this status, wrote nothing to standard output, and one line that contains each fragment.
void expect_error(const Result &result, int status, const std::vector<std::string> &fragments);

#endif
