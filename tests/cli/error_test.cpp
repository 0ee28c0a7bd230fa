// Everything that can go wrong around the command: one clear line, the right status, nothing lost.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include <fcntl.h>
#include <pty.h>
#include <sys/stat.h>
#include <unistd.h>

#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "run.h"

namespace
{

using nlohmann::json;
using CliErrors = CommandTest;
using Line = std::vector<std::string>;

const std::string set = "ML-KEM-512"; // ek 800, dk 1632, ct 768, ss 32, seed 64

Circumstances with_stdout(Stdout out)
{
    Circumstances how;
    how.out = out;
    return how;
}

TEST_F(CliErrors, WrongUse)
{
    make_keys(set);
    const std::pair<Line, Line> uses[] = {
        {{}, {"no command"}},
        {{"keygne"}, {"keygne: no such command; did you mean keygen?"}},
        {{"frobnicate"}, {"frobnicate: no such command; see 'latkem help'"}},
        {{"help", "sael"}, {"sael: no such command; did you mean seal?"}},
        {{"help", "list", "kat"}, {"help: ", "kat"}},
        {{"version", "2"}, {"version: ", "2"}},
        {{"--foo"}, {"--foo: no such option"}},
        {{"list", "--foo"}, {"list: ", "--foo"}},
        {{"list", "extra"}, {"list: ", "extra"}},
        {{"list", "list"}, {"list: "}},
        {{"kat"}, {"kat: SET is required"}},
        {{"kat", "ML-KEM-2048"}, {"ML-KEM-2048: unknown parameter set", "latkem list"}},
        {{"kat", "mlkem768"}, {"mlkem768: ", "did you mean ML-KEM-768?"}},
        {{"kat", "ML-KEM-786"}, {"ML-KEM-786: ", "did you mean ML-KEM-768?"}},
        {{"kat", ""}, {"SET: the value is empty"}},
        {{"kat", set, "--count", "0"}, {"--count"}},
        {{"kat", set, "--count", "-1"}, {"--count"}},
        {{"kat", set, "--count", "many"}, {"--count", "many"}},
        {{"kat", set, "--count"}, {"--count takes one value"}},
        {{"kat", set, "--count", "1", "--count", "2"}, {"--count"}},
        {{"selftest", set, "nonesuch"}, {"nonesuch: unknown parameter set"}},
        {{"speed", set, "--seconds", "0"}, {"--seconds"}},
        {{"keygen", set, "--dk", "new"}, {"keygen: --ek is required"}},
        {{"keygen", set, "--ek", "new"}, {"keygen: the private key needs a file"}},
        {{"keygen", set, "--ek", "new", "--dk", ""}, {"--dk: the value is empty"}},
        {{"keygen", set, "--ek", "new", "--dk", "new"}, {"new: is named for two things"}},
        {{"keygen", set, "--ek", "./new", "--dk", "new"}, {"./new: is named for two things"}},
        {{"keygen", set, "--ek", "-", "--dk", "-"}, {"standard output: is named for two things"}},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", "0g"}, {"--seed-hex: character 2"}},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", "000"}, {"--seed-hex: an odd number"}},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", "00"}, {"--seed-hex: 1 bytes", "64"}},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", ""}, {"--seed-hex: the value is empty"}},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", "00", "--seed-file", "ek"}, {"excludes"}},
        {{"encaps", set, "--ek", "ek", "--ct", "new"}, {"encaps: --ss is required"}},
        {{"encaps", set, "--ek", "ek", "--ct", "new", "--ss", "ek"}, {"ek: is named for two things"}},
        {{"decaps", set, "--ct", "ct", "--ss", "new"}, {"decaps: the private key is missing"}},
        {{"decaps", set, "--dk", "dk", "--seed-file", "ss", "--ct", "ct", "--ss", "new"}, {"excludes"}},
        {{"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "dk"}, {"dk: is named for two things"}},
        {{"decaps", set, "--dk", "-", "--ct", "-", "--ss", "new"}, {"standard input: is named for two things"}},
        {{"seal", set, "--ek", "ek", "--out", "new"}, {"seal: --in is required"}},
        {{"seal", set, "--ek", "ek", "--in", "ss"}, {"seal: --out is required"}},
        {{"seal", set, "--in", "ss", "--out", "new"}, {"seal: --ek is required"}},
        {{"seal", "ML-KEM", "--ek", "ek", "--in", "ss", "--out", "new"}, {"ML-KEM: unknown parameter set"}},
        {{"seal", set, "--ek", "ek", "--in", "ss", "--out", "ss"}, {"ss: is named for two things"}},
        {{"seal", set, "--ek", "ek", "--in", "ss", "--out", "./ek"}, {"./ek: is named for two things"}},
        {{"seal", set, "--ek", "ek", "--in", "ss", "--out", "new", "--cipher", "rot13"},
         {"rot13: unknown cipher", "aes-256-gcm", "chacha20-poly1305"}},
        {{"open", set, "--dk", "dk", "--out", "new"}, {"open: --in is required"}},
        {{"open", set, "--in", "ss", "--out", "new"}, {"open: the private key is missing"}},
        {{"open", set, "--dk", "dk", "--seed-file", "ss", "--in", "ss", "--out", "new"}, {"excludes"}},
        {{"open", set, "--dk", "dk", "--in", "ss", "--out", "dk"}, {"dk: is named for two things"}},
        {{"open", set, "--dk", "-", "--in", "-", "--out", "new"}, {"standard input: is named for two things"}},
        {{"check", set}, {"check: nothing to check"}},
    };
    const Line before = names();
    for (const auto &[line, fragments] : uses) {
        SCOPED_TRACE(testing::PrintToString(line));
        Circumstances how;
        how.input = read("dk");
        expect_error(run(line, how), 2, fragments);
        EXPECT_EQ(names(), before);
    }
}

TEST_F(CliErrors, UnknownBackend)
{
    make_keys(set);
    const Line commands[] = {{"list"},
                             {"keygen", set, "--ek", "new", "--dk", "new2"},
                             {"encaps", set, "--ek", "ek", "--ct", "new", "--ss", "new2"},
                             {"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "new"},
                             {"seal", set, "--ek", "ek", "--in", "ss", "--out", "new"},
                             {"open", set, "--dk", "dk", "--in", "ss", "--out", "new"},
                             {"check", set, "--ek", "ek"},
                             {"kex", "uake", "start", "Kyber512", "--ek", "ek", "--message1", "new", "--state", "new2"},
                             {"kat", set},
                             {"selftest", set},
                             {"speed", set}};
    for (Line line : commands) {
        line.insert(line.end(), {"--backend", "abacus"});
        expect_error(run(line), 2, {"abacus: unknown backend", "portable"});
    }
    EXPECT_FALSE(exists("new"));
}

// Each input of each command with every kind of wrong length.
TEST_F(CliErrors, WrongLengths)
{
    make_keys(set);
    write("seed", std::string(64, 's'));
    const std::pair<Line, std::string> inputs[] = {
        {{"encaps", set, "--ct", "new", "--ss", "new2", "--ek"}, "ek"},
        {{"decaps", set, "--ct", "ct", "--ss", "new", "--dk"}, "dk"},
        {{"decaps", set, "--dk", "dk", "--ss", "new", "--ct"}, "ct"},
        {{"decaps", set, "--ct", "ct", "--ss", "new", "--seed-file"}, "seed"},
        {{"keygen", set, "--ek", "new", "--dk", "new2", "--seed-file"}, "seed"},
        {{"seal", set, "--in", "ct", "--out", "new", "--ek"}, "ek"},
        {{"open", set, "--in", "ct", "--out", "new", "--dk"}, "dk"},
        {{"open", set, "--in", "ct", "--out", "new", "--seed-file"}, "seed"},
        {{"check", set, "--ek"}, "ek"},
        {{"check", set, "--dk"}, "dk"},
    };
    for (auto [line, object] : inputs) {
        const std::string right = read(object);
        line.emplace_back("bad");
        for (size_t size : {size_t{0}, size_t{1}, right.size() - 1, right.size() + 1, size_t{65536}}) {
            SCOPED_TRACE(testing::PrintToString(line) + " " + std::to_string(size));
            std::string bad = right;
            bad.resize(size, 'x');
            write("bad", bad);
            expect_error(run(line), 1,
                         {"bad: " + std::to_string(size) + " bytes, but the " + object + " of " + set + " has " +
                          std::to_string(right.size())});
            EXPECT_FALSE(exists("new") || exists("new2"));
        }
    }
}

TEST_F(CliErrors, WrongLengthHints)
{
    make_keys(set);
    EXPECT_EQ(run({"check", set, "--ek", "dk"}).err,
              "latkem: dk: 1632 bytes, but the ek of ML-KEM-512 has 800 (it may be the dk)\n");
    EXPECT_EQ(run({"check", "ML-KEM-768", "--ek", "ek"}).err,
              "latkem: ek: 800 bytes, but the ek of ML-KEM-768 has 1184 (it may be of ML-KEM-512)\n");
    write("pem", "-----BEGIN CIPHERTEXT-----\n");
    expect_error(run({"decaps", set, "--dk", "dk", "--ct", "pem", "--ss", "new"}), 1,
                 {"pem: 27 bytes", "looks like PEM, which is for keys alone"});
    write("hex", std::string(1600, 'a') + "\n");
    expect_error(run({"check", set, "--ek", "hex"}), 1, {"hex: 1601 bytes", "looks like hex"});
}

TEST_F(CliErrors, UnreadableInputs)
{
    make_keys(set);
    ASSERT_EQ(mkdir(path("folder").c_str(), 0755), 0);
    write("big", std::string(65537, 'x'));
    const std::pair<std::string, std::string> inputs[] = {
        {"missing", "missing: No such file or directory"}, {"folder", "folder: Is a directory"},
        {"ek/below", "ek/below: Not a directory"},         {"big", "big: more than 65536 bytes"},
        {"/dev/zero", "/dev/zero: more than 65536 bytes"},
    };
    for (const auto &[name, line] : inputs) {
        expect_error(run({"encaps", set, "--ek", name, "--ct", "new", "--ss", "new2"}), 1, {line});
        expect_error(run({"decaps", set, "--dk", name, "--ct", "ct", "--ss", "new"}), 1, {line});
        expect_error(run({"decaps", set, "--dk", "dk", "--ct", name, "--ss", "new"}), 1, {line});
        expect_error(run({"keygen", set, "--ek", "new", "--dk", "new2", "--seed-file", name}), 1, {line});
        expect_error(run({"check", set, "--ek", name}), 1, {line});
        expect_error(run({"seal", set, "--ek", name, "--in", "ss", "--out", "new"}), 1, {line});
        expect_error(run({"open", set, "--dk", name, "--in", "ss", "--out", "new"}), 1, {line});
    }
    for (size_t i = 0; i < 3; i++) { // the others are fine to seal
        const auto &[name, line] = inputs[i];
        expect_error(run({"seal", set, "--ek", "ek", "--in", name, "--out", "new"}), 1, {line});
        expect_error(run({"open", set, "--dk", "dk", "--in", name, "--out", "new"}), 1, {line});
    }
    EXPECT_FALSE(exists("new") || exists("new2"));
}

TEST_F(CliErrors, ForbiddenFilesAndFolders)
{
    make_keys(set);
    ASSERT_EQ(mkdir(path("closed").c_str(), 0755), 0);
    write("closed/ek", read("ek"));
    ASSERT_EQ(chmod(path("ek").c_str(), 0), 0);
    ASSERT_EQ(chmod(path("closed").c_str(), 0), 0);
    Circumstances how;
    how.obey_modes = true;
    for (const char *name : {"ek", "closed/ek"})
        expect_error(run({"check", set, "--ek", name}, how), 1, {std::string(name) + ": Permission denied"});
    expect_error(run({"keygen", set, "--ek", "new", "--dk", "closed/dk"}, how), 1, {"closed/dk: Permission denied"});
    EXPECT_FALSE(exists("new"));
    ASSERT_EQ(chmod(path("closed").c_str(), 0755), 0);
}

// Every output of every command in turn is the one that cannot be written.
class CliOutputErrors : public CommandTest
{
  protected:
    void expect_all_kept(const std::string &name, const std::string &line)
    {
        make_keys(set);
        ASSERT_EQ(run({"seal", set, "--ek", "ek", "--in", "ss", "--out", "sealed"}).status, 0);
        const std::string ek = read("ek"), dk = read("dk"), ct = read("ct"), ss = read("ss");
        const Line before = names();
        expect_error(run({"seal", set, "--ek", "ek", "--in", "ss", "--out", name}), 1, {line});
        expect_error(run({"open", set, "--dk", "dk", "--in", "sealed", "--out", name}), 1, {line});
        expect_error(run({"keygen", set, "--force", "--ek", "ek", "--dk", name}), 1, {line});
        expect_error(run({"keygen", set, "--force", "--ek", name, "--dk", "dk"}), 1, {line});
        expect_error(run({"keygen", set, "--force", "--ek", "ek", "--dk", "dk", "--save-seed", name}), 1, {line});
        expect_error(run({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", name}), 1, {line});
        expect_error(run({"encaps", set, "--force", "--ek", "ek", "--ct", name, "--ss", "ss"}), 1, {line});
        expect_error(run({"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", name}), 1, {line});
        EXPECT_TRUE(read("ek") == ek && read("dk") == dk && read("ct") == ct && read("ss") == ss);
        EXPECT_EQ(names(), before);
    }
};

TEST_F(CliOutputErrors, MissingFolder)
{
    expect_all_kept("nowhere/file", "nowhere/file: No such file or directory");
}

TEST_F(CliOutputErrors, FolderInPlaceOfAFile)
{
    ASSERT_EQ(mkdir(path("folder").c_str(), 0755), 0);
    expect_all_kept("folder", "folder: Is a directory");
}

TEST_F(CliOutputErrors, FullDevice)
{
    const std::string device = full_device();
    if (device.empty()) GTEST_SKIP() << "skipped: root may make no device node here";
    expect_all_kept(device, device + ": No space left on device");
}

// The disk is full in the middle of the second file: dk has 1632 bytes, 1000 fit.
TEST_F(CliErrors, HalfWrittenFileNeverAppears)
{
    make_keys(set);
    const std::string ek = read("ek"), dk = read("dk");
    const Line before = names();
    Circumstances how;
    how.file_limit = 1000;
    expect_error(run({"keygen", set, "--force", "--ek", "ek", "--dk", "dk"}, how), 1, {"dk: File too large"});
    expect_error(run({"keygen", set, "--force", "--ek", "ek", "--dk", "new"}, how), 1, {"new: File too large"});
    EXPECT_TRUE(read("ek") == ek && read("dk") == dk);
    EXPECT_EQ(names(), before);
}

TEST_F(CliErrors, FullStandardOutput)
{
    make_keys(set);
    ASSERT_EQ(run({"seal", set, "--ek", "ek", "--in", "ss", "--out", "sealed"}).status, 0);
    const Line commands[] = {{"--help"},
                             {"--version"},
                             {"keygen", "--help"},
                             {"list"},
                             {"list", "--json"},
                             {"check", set, "--ek", "ek"},
                             {"kat", set},
                             {"kat", set, "--count", "1"},
                             {"selftest", set, "--rounds", "1"},
                             {"speed", set, "--seconds", "0.01"},
                             {"encaps", set, "--force", "--ek", "ek", "--ct", "-", "--ss", "ss"},
                             {"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "-"},
                             {"seal", set, "--ek", "ek", "--in", "ss", "--out", "-"},
                             {"open", set, "--dk", "dk", "--in", "sealed", "--out", "-"}};
    const std::string ss = read("ss");
    for (const Line &line : commands) {
        SCOPED_TRACE(testing::PrintToString(line));
        expect_error(run(line, with_stdout(Stdout::full_device)), 1, {"standard output: No space left on device"});
        expect_error(run(line, with_stdout(Stdout::closed_pipe)), 1, {"standard output: Broken pipe"});
        expect_error(run(line, with_stdout(Stdout::none)), 1, {"standard output: Bad file descriptor"});
        EXPECT_EQ(read("ss"), ss) << "ss was replaced although the ct is lost";
    }
}

// With descriptor 1 closed, the first file opened must not become standard output.
TEST_F(CliErrors, ClosedStandardOutputHarmsNoFile)
{
    EXPECT_EQ(run({"keygen", set, "--force", "--ek", "ek", "--dk", "dk"}, with_stdout(Stdout::none)).status, 0);
    EXPECT_EQ(read("ek").size(), 800u);
    EXPECT_EQ(read("dk").size(), 1632u);
    Circumstances how = with_stdout(Stdout::none);
    how.input = read("ek");
    expect_error(run({"encaps", set, "--ek", "-", "--ct", "-", "--ss", "ss"}, how), 1,
                 {"standard output: Bad file descriptor"});
    EXPECT_FALSE(exists("ss"));
}

// 64 digits of hex have the length of ML-KEM's seed.
TEST_F(CliErrors, HexIsNoSeed)
{
    write("seed", std::string(64, 'a'));
    expect_error(run({"keygen", set, "--seed-file", "seed", "--ek", "ek", "--dk", "dk"}), 1,
                 {"seed: is hex; latkem reads raw bytes"});
    EXPECT_FALSE(exists("ek"));
}

// Nor is a closed descriptor 0 a file without bytes.
TEST_F(CliErrors, ClosedStandardInputIsAnError)
{
    make_keys(set);
    Circumstances how;
    how.closed = STDIN_FILENO;
    expect_error(run({"encaps", set, "--ek", "-", "--ct", "ct2", "--ss", "ss2"}, how), 1,
                 {"standard input: Bad file descriptor"});
    EXPECT_FALSE(exists("ct2"));
}

TEST_F(CliErrors, NoRawBytesOnTerminals)
{
    make_keys(set);
    ASSERT_EQ(run({"seal", set, "--ek", "ek", "--in", "ss", "--out", "sealed"}).status, 0);
    ASSERT_EQ(symlink("/dev/stdout", path("link").c_str()), 0);
    const std::string ek = read("ek"), ct = read("ct");
    const Line commands[] = {{"keygen", set, "--force", "--ek", "ek", "--dk", "-"},
                             {"keygen", set, "--force", "--ek", "ek", "--save-seed", "-"},
                             {"keygen", set, "--force", "--dk", "dk2", "--ek", "-"},
                             {"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "-"},
                             {"encaps", set, "--ek", "ek", "--ss", "ss2", "--ct", "-"},
                             {"seal", set, "--ek", "ek", "--in", "ss", "--out", "-"},
                             {"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "-"},
                             {"open", set, "--dk", "dk", "--in", "sealed", "--out", "-"}};
    for (Line line : commands) {
        SCOPED_TRACE(testing::PrintToString(line));
        const std::string fault = ": is a terminal, where no raw bytes are written; name a file or use a pipe";
        expect_error(run(line, with_stdout(Stdout::terminal)), 2, {"standard output" + fault});
        for (const std::string name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"}) {
            line.back() = name;
            expect_error(run(line, with_stdout(Stdout::terminal)), 2, {name + fault});
        }
        line.back() = "-";
        EXPECT_EQ(run(line).status, 0) << "a file or pipe is fine";
        write("ek", ek);
        write("ct", ct);
    }
    EXPECT_EQ(run({"list"}, with_stdout(Stdout::terminal)).status, 0) << "text is fine";
}

TEST_F(CliErrors, RefusedSecretLeavesTheOtherOutputAlone)
{
    make_keys(set);
    const std::string ek = read("ek");
    EXPECT_EQ(run({"keygen", set, "--force", "--ek", "ek", "--dk", "-"}, with_stdout(Stdout::terminal)).status, 2);
    EXPECT_EQ(read("ek"), ek);
}

// A program that reads JSON gets JSON whatever happens, one document, with the line and the status of the plain form.
TEST_F(CliErrors, JsonTellsOfErrors)
{
    const Line uses[] = {{"check", set, "--ek", "missing"},
                         {"check", set},
                         {"check", "ML-KEM", "--ek", "ek"},
                         {"kat", set, "--count", "0"},
                         {"list", "--backend", "abacus"},
                         {"speed", set, "--seconds", "never"},
                         {"selftest", "nonesuch"},
                         {"keygne"},
                         {"list", "extra"},
                         {"check", set, "--ek", "a\nb"},
                         {"kat", set, "--backend", "abacus"},
                         {"selftest", set, "--rounds", "-1"}};
    for (Line line : uses) {
        SCOPED_TRACE(testing::PrintToString(line));
        const Result plain = run(line);
        line.emplace_back("--json");
        const Result result = run(line);
        EXPECT_EQ(result.status, plain.status);
        EXPECT_EQ(result.err, plain.err);
        ASSERT_TRUE(json::accept(result.out)) << result.out;
        const json document = json::parse(result.out);
        EXPECT_EQ(document.size(), 3u);
        EXPECT_EQ(document["ok"], false);
        EXPECT_EQ(document["status"], plain.status);
        EXPECT_EQ("latkem: " + document["error"].get<std::string>() + "\n", plain.err);
    }
    EXPECT_TRUE(json::accept(run({"check", set, "--ek", "no\xffUTF-8", "--json"}).out));
    EXPECT_EQ(run({"check", set, "--json"}, with_stdout(Stdout::full_device)).status, 2) << "the first failure counts";
}

// A command's JSON about its own failure stays the only document.
TEST_F(CliErrors, JsonIsOneDocument)
{
    write("bad", "short");
    EXPECT_TRUE(json::accept(run({"check", set, "--ek", "bad", "--json"}).out));
    Circumstances how;
    how.fault = "wrong secret";
    EXPECT_TRUE(json::accept(run({"kat", set, "--json"}, how).out));
    EXPECT_TRUE(json::accept(run({"selftest", set, "--rounds", "1", "--json"}, how).out));
}

TEST_F(CliErrors, FailingRandomGenerator)
{
    Circumstances how;
    how.fault = "no randomness";
    expect_error(run({"keygen", set, "--ek", "ek", "--dk", "dk"}, how), 1,
                 {std::string("random generator: ") + latkem_strerror(LATKEM_ERR_RNG)});
    how.fault = "no entropy"; // of a seed, which the command draws itself
    expect_error(run({"keygen", set, "--ek", "ek", "--save-seed", "seed"}, how), 1, {"random generator: "});
    EXPECT_TRUE(names().empty());
}

TEST_F(CliErrors, FileNamesCannotBreakTheLine)
{
    expect_error(run({"check", set, "--ek", "a\nb\033[31mc"}), 1, {"a?b?[31mc: No such file or directory"});
}

} // namespace
