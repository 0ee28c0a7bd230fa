// The one rule for outputs: a private key replaces nothing, and nothing replaces a private key, but with --force.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "harness/model/hex.h"
#include "keys.h"
#include "run.h"

namespace
{

using Line = std::vector<std::string>;

const std::string set = "ML-KEM-512";

constexpr size_t secret_bytes = 32;

struct Writer {
    Line line;
    bool writes_private_key;
    bool writes_shared_secret = false; // of secret_bytes
};

class CliForce : public CommandTest
{
  protected:
    CliForce()
    {
        make_keys(set);
        EXPECT_EQ(run({"keygen", set, "--ek", "ek.pem", "--dk", "dk.pem", "--format", "pem"}).status, 0);
        EXPECT_EQ(run({"seal", set, "--ek", "ek", "--in", "ct", "--out", "sealed"}).status, 0);
        EXPECT_EQ(run({"keygen", "Kyber512", "--ek", "a.ek", "--dk", "a.dk", "--quiet"}).status, 0);
        EXPECT_EQ(
            run({"kex", "uake", "start", "Kyber512", "--ek", "a.ek", "--message1", "m1", "--state", "state", "--quiet"})
                .status,
            0);
        EXPECT_EQ(run({"kex", "uake", "reply", "Kyber512", "--dk", "a.dk", "--message1", "m1", "--message2", "m2",
                       "--key", "k", "--quiet"})
                      .status,
                  0);
        std::filesystem::copy_file(path("state"), path("state.kept"));
    }
    // Every command that writes a file, with that file as "out".
    static std::vector<Writer> writers()
    {
        const Line kex = {"kex", "uake", "", "Kyber512", "--quiet"};
        const auto step = [&](const char *name, const Line &files) {
            Line line = kex;
            line[2] = name;
            line.insert(line.end(), files.begin(), files.end());
            return line;
        };
        return {{{"keygen", set, "--ek", "new", "--dk", "out"}, true},
                {{"keygen", set, "--ek", "new", "--save-seed", "out"}, true},
                {{"keygen", set, "--ek", "new", "--dk", "out", "--format", "pem"}, true},
                {{"keygen", set, "--ek", "out", "--dk", "new"}, true}, // half of a pair
                {{"convert", "--in", "dk.pem", "--format", "der", "--out", "out"}, true},
                {{"convert", "--in", "dk.pem", "--format", "pem", "--public", "--out", "out"}, false},
                {{"convert", "--in", "ek.pem", "--format", "raw", "--out", "out"}, false},
                {{"encaps", set, "--ek", "ek", "--ct", "out", "--ss", "new"}, false},
                {{"encaps", set, "--ek", "ek", "--ct", "new", "--ss", "out"}, false, true},
                {{"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "out"}, false, true},
                {{"seal", set, "--ek", "ek", "--in", "ct", "--out", "out"}, false},
                {{"open", set, "--dk", "dk", "--in", "sealed", "--out", "out"}, false},
                {step("start", {"--ek", "a.ek", "--message1", "out", "--state", "new"}), false},
                {step("start", {"--ek", "a.ek", "--message1", "new", "--state", "out"}), true},
                {step("reply", {"--dk", "a.dk", "--message1", "m1", "--message2", "out", "--key", "new"}), false},
                {step("reply", {"--dk", "a.dk", "--message1", "m1", "--message2", "new", "--key", "out"}), false, true},
                {step("finish", {"--message2", "m2", "--state", "state", "--key", "out"}), false, true}};
    }
    void prepare(const std::string &held) const
    {
        std::filesystem::remove(path("new"));
        std::filesystem::copy_file(path("state.kept"), path("state"),
                                   std::filesystem::copy_options::overwrite_existing);
        write("out", held);
    }
    void expect_kept(const Line &line, const std::string &held, const char *why) const
    {
        const Line before = names();
        expect_error(run(line), 1, {"out: ", why, "--force replaces it"});
        EXPECT_TRUE(read("out") == held);
        EXPECT_EQ(names(), before);
    }
    void expect_replaced(Line line, const std::string &held) const
    {
        const Result result = run(line);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_TRUE(read("out") != held);
    }
    std::string made(const Line &line) const
    {
        EXPECT_EQ(run(line).status, 0);
        return read("made");
    }
    // Private keys as files hold them.
    std::vector<std::pair<std::string, std::string>> private_keys() const
    {
        const auto converted = [this](const char *format, const char *form) {
            return made(
                {"convert", "--in", "dk.pem", "--format", format, "--private-form", form, "--out", "made", "--force"});
        };
        std::string flat = read("dk.pem");
        std::replace(flat.begin(), flat.end(), '\n', ' ');
        const Bytes rsa = from_hex("3009020100020103020105");
        return {
            {"PEM", read("dk.pem")},
            {"PEM in one line", flat},
            {"PEM behind others", read("ek.pem") + read("dk.pem")},
            {"PEM of another algorithm", "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n"},
            {"PEM, encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"},
            {"PEM, damaged", read("dk.pem").substr(0, 60)},
            {"DER", converted("der", "both")},
            {"DER of another algorithm", std::string(rsa.begin(), rsa.end())},
            {"dk", read("dk")},
            {"a seed", converted("raw", "seed")},
            {"dk of X-Wing", made({"keygen", "X-Wing", "--ek", "new", "--dk", "made", "--force"})},
            {"dk of Saber", made({"keygen", "Saber", "--ek", "new", "--dk", "made", "--force", "--quiet"})},
            {"a seed of NTRU",
             made({"keygen", "NTRU-HRSS-701", "--ek", "new", "--save-seed", "made", "--force", "--quiet"})},
            {"a key of age", "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ\n"}};
    }
};

TEST_F(CliForce, NothingReplacesAPrivateKeyUnasked)
{
    for (const auto &[what, key] : private_keys())
        for (const Writer &writer : writers()) {
            SCOPED_TRACE(what + ": " + testing::PrintToString(writer.line));
            prepare(key);
            if (writer.writes_shared_secret && key.size() == secret_bytes) {
                expect_replaced(writer.line, key);
                continue;
            }
            expect_kept(writer.line, key,
                        writer.writes_private_key ? "exists already" : "holds what may be a private key");
            Line forced = writer.line;
            forced.emplace_back("--force");
            expect_replaced(forced, key);
        }
}

TEST_F(CliForce, ASharedSecretReplacesAnother)
{
    for (const Writer &writer : writers())
        if (writer.writes_shared_secret) {
            SCOPED_TRACE(testing::PrintToString(writer.line));
            prepare("");
            expect_replaced(writer.line, "");
            const std::string once = read("out");
            EXPECT_EQ(once.size(), secret_bytes);
            prepare(once);
            EXPECT_EQ(run(writer.line).status, 0);
            prepare(once + once);
            expect_kept(writer.line, once + once, "holds what may be a private key");
        }
}

TEST_F(CliForce, OtherFilesAreReplaced)
{
    for (const std::string &held : {std::string("old"), std::string(), read("ek"), read("ek.pem"), read("ct"),
                                    read("sealed"), std::string(100000, 'x')})
        for (const Writer &writer : writers()) {
            SCOPED_TRACE(std::to_string(held.size()) + ": " + testing::PrintToString(writer.line));
            prepare(held);
            if (writer.writes_private_key)
                expect_kept(writer.line, held, "exists already");
            else
                expect_replaced(writer.line, held + "?");
        }
}

// ek and ct of ML-KEM-1024 are as long as dk of LightSaber: what others may read is none.
TEST_F(CliForce, LengthsThatTwoKindsHave)
{
    ASSERT_EQ(run({"keygen", "ML-KEM-1024", "--ek", "ek4", "--dk", "dk4"}).status, 0);
    const Line line = {"encaps", "ML-KEM-1024", "--ek", "ek4", "--ct", "out", "--ss", "-"};
    EXPECT_EQ(run(line).status, 0);
    EXPECT_EQ(run(line).status, 0) << "a ct may be replaced by the next";
    ASSERT_EQ(run({"keygen", "LightSaber", "--ek", "new", "--dk", "out", "--force", "--quiet"}).status, 0);
    expect_error(run(line), 1, {"out: holds what may be a private key"});
}

TEST_F(CliForce, FilesThatCannotBeReadAreKept)
{
    ASSERT_EQ(rename(path("dk.pem").c_str(), path("out").c_str()), 0);
    ASSERT_EQ(chmod(path("out").c_str(), 0), 0);
    Circumstances how;
    how.obey_modes = true;
    const Line line = {"encaps", set, "--ek", "ek", "--ct", "out", "--ss", "new"};
    expect_error(run(line, how), 1, {"out: exists, and whether it is a private key cannot be read"});
    EXPECT_FALSE(exists("new"));
}

TEST_F(CliForce, LinksLeadToKeys)
{
    ASSERT_EQ(symlink("dk.pem", path("link").c_str()), 0);
    const std::string key = read("dk.pem");
    expect_error(run({"encaps", set, "--ek", "ek", "--ct", "link", "--ss", "new"}), 1,
                 {"link: holds what may be a private key"});
    expect_error(run({"convert", "--in", "dk", "--out", "link", "--format", "pem", set, "--private-form", "expanded"}),
                 1, {"link: exists already"});
    EXPECT_EQ(read("dk.pem"), key);
}

} // namespace
