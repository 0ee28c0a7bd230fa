// seal and open as their users run them: files, pipes, keys, exit status, and memory.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <sys/stat.h>

#include "run.h"
#include "sets.h"

namespace
{

using Names = std::vector<std::string>;

const std::string set = "ML-KEM-512";
constexpr size_t chunk = 65536;

std::string text(size_t size)
{
    std::string bytes(size, '\0');
    uint32_t state = 1;
    for (char &c : bytes) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

class CliSeal : public CommandTest
{
  protected:
    void keygen(const std::string &name = set) const
    {
        ASSERT_EQ(run({"keygen", name, "--ek", "ek", "--dk", "dk", "--save-seed", "seed", "--force"}).status, 0);
    }
    Result seal(const std::string &in, const std::string &out, const Circumstances &how = {}) const
    {
        return run({"seal", set, "--ek", "ek", "--in", in, "--out", out}, how);
    }
    Result open(const std::string &in, const std::string &out, const Circumstances &how = {}) const
    {
        return run({"open", set, "--dk", "dk", "--in", in, "--out", out}, how);
    }
};

TEST_F(CliSeal, EverySetAndCipherAgrees)
{
    write("plain", text(70000));
    for (const std::string &name : all_sets()) {
        if (is_for_tls(set_named(name))) continue;
        for (const char *cipher : {"aes-256-gcm", "chacha20-poly1305"}) {
            SCOPED_TRACE(name + " " + cipher);
            keygen(name);
            EXPECT_EQ(run({"seal", name, "--ek", "ek", "--in", "plain", "--out", "sealed", "--cipher", cipher}).status,
                      0);
            EXPECT_EQ(run({"open", name, "--dk", "dk", "--in", "sealed", "--out", "opened"}).status, 0);
            EXPECT_EQ(run({"open", name, "--seed-file", "seed", "--in", "sealed", "--out", "opened2"}).status, 0);
            EXPECT_TRUE(read("opened") == text(70000));
            EXPECT_TRUE(read("opened2") == text(70000));
            EXPECT_EQ(mode("sealed"), 0644u);
            EXPECT_EQ(mode("opened"), 0600u);
            EXPECT_EQ(names(), (Names{"dk", "ek", "opened", "opened2", "plain", "sealed", "seed"}));
        }
    }
}

TEST_F(CliSeal, HybridsOfTlsAreRefused)
{
    write("plain", "text");
    for (const std::string name : {"X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024"}) {
        keygen(name);
        const std::string why = name + ": is for TLS, which hashes the two halves of its secret";
        expect_error(run({"seal", name, "--ek", "ek", "--in", "plain", "--out", "new"}), 2, {why, "X-Wing"});
        expect_error(run({"open", name, "--dk", "dk", "--in", "plain", "--out", "new"}), 2, {why});
        EXPECT_FALSE(exists("new"));
    }
}

TEST_F(CliSeal, StandardStreams)
{
    keygen();
    for (size_t size : {size_t{0}, size_t{1}, chunk, 3 * chunk + 7}) {
        Circumstances how;
        how.input = text(size);
        const Result sealed = seal("-", "-", how);
        EXPECT_EQ(sealed.status, 0);
        how.input = sealed.out;
        const Result opened = open("-", "-", how);
        EXPECT_EQ(opened.status, 0) << opened.err;
        EXPECT_TRUE(opened.out == text(size));
        EXPECT_EQ(sealed.err + opened.err, "") << "progress belongs to a terminal";
    }
}

// Pipes give what they have, not what was asked for.
TEST_F(CliSeal, Pipes)
{
    keygen();
    write("plain", text(5 * chunk + 3));
    const std::string command = std::string("'") + LATKEM_COMMAND + "' ", options = set + " --in - --out - ";
    const std::string line = "cd '" + path("") + "' && { head -c 70000 plain; sleep 0.05; tail -c +70001 plain; } | " +
                             command + "seal --ek ek " + options + "| " + command + "open --dk dk " + options +
                             "| cmp - plain";
    EXPECT_EQ(std::system(line.c_str()), 0);
}

TEST_F(CliSeal, DamageEndsWithOneAndLeavesTheOldOutput)
{
    keygen();
    write("plain", text(3300));
    write("old", "old");
    ASSERT_EQ(seal("plain", "sealed").status, 0);
    const std::string good = read("sealed");
    const Names before = {"dk", "ek", "old", "plain", "sealed", "seed"};
    auto expect_refused = [&](const std::string &bad) {
        write("sealed", bad);
        expect_error(open("sealed", "old"), 1, {"sealed: "});
        expect_error(open("sealed", "new"), 1, {"sealed: "});
        EXPECT_EQ(read("old"), "old");
        EXPECT_EQ(names(), before);
    };
    for (size_t i = 0; i < 24; i++) {
        std::string bad = good;
        bad[i < 16 ? i : (good.size() - 1) * (i - 15) / 8] ^= 4;
        expect_refused(bad);
    }
    for (size_t i = 0; i < 8; i++) expect_refused(good.substr(0, good.size() * i / 8));
    for (const char *more : {"x", "sixteen bytes...", "seventeen bytes.."}) expect_refused(good + more);
    write("sealed", good);
    EXPECT_EQ(open("sealed", "old").status, 0);
    EXPECT_TRUE(read("old") == text(3300));
}

TEST_F(CliSeal, FaultsNameTheFile)
{
    keygen();
    write("plain", text(10));
    ASSERT_EQ(seal("plain", "sealed").status, 0);
    EXPECT_EQ(open("plain", "new").err, "latkem: plain: is not a sealed file\n");
    EXPECT_EQ(run({"open", "Saber", "--seed-file", "seed", "--in", "sealed", "--out", "new"}).err,
              "latkem: seed: 64 bytes, but the seed of Saber has 96 (it may be of ML-KEM-512)\n");
    EXPECT_EQ(run({"open", "Kyber512", "--dk", "dk", "--in", "sealed", "--out", "new"}).err,
              "latkem: sealed: is sealed for ML-KEM-512, not for Kyber512\n");
    keygen();
    EXPECT_EQ(open("sealed", "new").err,
              "latkem: sealed: does not open: it was sealed for another key, or its header was changed\n");
    Circumstances how;
    how.input = "nonsense";
    EXPECT_EQ(open("-", "new", how).err, "latkem: standard input: is not a sealed file\n");
    EXPECT_FALSE(exists("new"));
}

// Each chunk is on its way before the next is read, as the help says; only whole verified chunks are.
TEST_F(CliSeal, PipeGetsVerifiedChunksAndAnErrorAtTheEnd)
{
    keygen();
    const std::string plain = text(3 * chunk);
    write("plain", plain);
    ASSERT_EQ(seal("plain", "sealed").status, 0);
    const std::string sealed = read("sealed");
    write("sealed", sealed.substr(0, sealed.size() - (chunk + 16)));
    const Result result = open("sealed", "-");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err,
              "latkem: sealed: was changed, cut off or added to: its content verifies up to byte 65536 only\n");
    EXPECT_TRUE(result.out == plain.substr(0, chunk));
}

TEST_F(CliSeal, DiskFullLeavesNothing)
{
    keygen();
    write("plain", text(3 * chunk));
    ASSERT_EQ(seal("plain", "sealed").status, 0);
    write("old", "old");
    const Names before = names();
    Circumstances how;
    how.file_limit = 2 * chunk;
    expect_error(seal("plain", "old", how), 1, {"old: File too large"});
    expect_error(open("sealed", "old", how), 1, {"old: File too large"});
    EXPECT_EQ(read("old"), "old");
    EXPECT_EQ(names(), before);
}

TEST_F(CliSeal, MemoryStaysSmall)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "skipped: sanitizers reserve more address space than the limit";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "skipped: sanitizers reserve more address space than the limit";
#endif
#endif
    keygen();
    const std::string plain = text(64 << 20);
    write("plain", plain);
    Circumstances how;
    how.address_space = 48 << 20;
    EXPECT_EQ(seal("plain", "sealed", how).status, 0);
    EXPECT_EQ(open("sealed", "opened", how).status, 0);
    EXPECT_TRUE(read("opened") == plain);
    how.address_space = 2 << 20;
    EXPECT_NE(seal("plain", "sealed", how).status, 0) << "the limit is none";
}

} // namespace
