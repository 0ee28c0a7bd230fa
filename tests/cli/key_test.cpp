// keygen, encaps, decaps and check: what they read, write and find.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <latkem/derand.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/model/facts.h"
#include "run.h"
#include "sets.h"

namespace
{

using nlohmann::json;
using CliKeys = CommandTest;
using Names = std::vector<std::string>;

const uint8_t *bytes_of(const std::string &text)
{
    return reinterpret_cast<const uint8_t *>(text.data());
}

std::string text_of(const std::vector<uint8_t> &bytes)
{
    return {bytes.begin(), bytes.end()};
}

// Byte i of a test seed is i.
std::string counting_seed()
{
    std::string seed;
    for (char c = 0; c < 64; c++) seed += c;
    return seed;
}

const std::string counting_hex = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F"
                                 "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

TEST_F(CliKeys, EverySetAgreesAndHasItsSizesAndModes)
{
    for (const std::string &set : all_sets()) {
        SCOPED_TRACE(set);
        const latkem_kem *kem = set_named(set);
        make_keys(set);
        EXPECT_EQ(run({"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "ss2", "--force"}).status, 0);
        EXPECT_EQ(read("ek").size(), latkem_ek_bytes(kem));
        EXPECT_EQ(read("dk").size(), latkem_dk_bytes(kem));
        EXPECT_EQ(read("ct").size(), latkem_ct_bytes(kem));
        EXPECT_EQ(read("ss").size(), latkem_ss_bytes(kem));
        EXPECT_EQ(read("ss2"), read("ss"));
        EXPECT_EQ(mode("ek"), 0644u);
        EXPECT_EQ(mode("ct"), 0644u);
        for (const char *secret : {"dk", "ss", "ss2"}) EXPECT_EQ(mode(secret), 0600u) << secret;
        EXPECT_EQ(names(), (Names{"ct", "dk", "ek", "ss", "ss2"})); // no temporary file is left
    }
}

TEST_F(CliKeys, FreshRandomnessEachTime)
{
    make_keys("ML-KEM-512");
    const std::string dk = read("dk"), ss = read("ss");
    make_keys("ML-KEM-512");
    EXPECT_NE(read("dk"), dk);
    EXPECT_NE(read("ss"), ss);
}

TEST_F(CliKeys, SeedGivesTheLibrarysKeys)
{
    for (const std::string &set : all_sets()) {
        SCOPED_TRACE(set);
        const latkem_kem *kem = set_named(set);
        if (latkem_seed_bytes(kem) != 64) continue; // the seeds below are of 64 bytes
        std::vector<uint8_t> ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
        ASSERT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), bytes_of(counting_seed()), 64), 0);
        write("seed", counting_seed());
        const Names options[] = {
            {"--seed-hex", counting_hex}, {"--seed-file", "seed"}, {"--seed-file", "-"}, {"--save-seed", "saved"}};
        for (Names option : options) {
            if (option[0] == "--save-seed") option.insert(option.end(), {"--seed-file", "seed"});
            Names line = {"keygen", set, "--ek", "ek", "--dk", "dk", "--force"};
            line.insert(line.end(), option.begin(), option.end());
            Circumstances how;
            how.input = counting_seed();
            EXPECT_EQ(run(line, how).status, 0) << option[0];
            EXPECT_TRUE(read("ek") == text_of(ek)) << option[0];
            EXPECT_TRUE(read("dk") == text_of(dk)) << option[0];
        }
        EXPECT_EQ(read("saved"), counting_seed());
    }
}

TEST_F(CliKeys, SavedSeedIsThePrivateKey)
{
    EXPECT_EQ(run({"keygen", "ML-KEM-768", "--ek", "ek", "--save-seed", "seed"}).status, 0);
    EXPECT_EQ(mode("seed"), 0600u);
    EXPECT_EQ(names(), (Names{"ek", "seed"}));
    EXPECT_EQ(run({"encaps", "ML-KEM-768", "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"}).status, 0);
    EXPECT_EQ(run({"decaps", "ML-KEM-768", "--seed-file", "seed", "--ct", "ct", "--ss", "ss2", "--force"}).status, 0);
    EXPECT_EQ(read("ss"), read("ss2"));
    const std::string seed = read("seed");
    EXPECT_EQ(run({"keygen", "ML-KEM-768", "--ek", "ek", "--save-seed", "seed", "--force"}).status, 0);
    EXPECT_NE(read("seed"), seed);
}

// The system gives 256 bytes a call; no piece of a long seed is left as it was.
TEST_F(CliKeys, LongSeedsAreRandomToTheirEnd)
{
    for (const char *name : {"Saber", "NTRU-HPS-4096-821"}) {
        EXPECT_EQ(run({"keygen", name, "--ek", "ek", "--save-seed", "seed", "--force"}).status, 0);
        const std::string seed = read("seed");
        EXPECT_EQ(seed.size(), latkem_seed_bytes(latkem_kem_find(name)));
        for (size_t i = 0; i + 16 <= seed.size(); i += 16)
            EXPECT_NE(seed.substr(i, 16), std::string(16, '\0')) << name << ", byte " << i;
    }
}

TEST_F(CliKeys, StandardInputAndOutput)
{
    make_keys("ML-KEM-512");
    Circumstances how;
    how.input = read("ek");
    const Result ct = run({"encaps", "ML-KEM-512", "--ek", "-", "--ct", "-", "--ss", "ss", "--force"}, how);
    EXPECT_EQ(ct.status, 0) << ct.err;
    how.input = ct.out;
    const Result ss = run({"decaps", "ML-KEM-512", "--dk", "dk", "--ct", "-", "--ss", "-"}, how);
    EXPECT_EQ(ss.status, 0) << ss.err;
    EXPECT_EQ(ss.out, read("ss"));
}

TEST_F(CliKeys, AlteredCiphertextIsNoError)
{
    make_keys("ML-KEM-768");
    std::string ct = read("ct");
    ct[100] ^= 1;
    write("ct", ct);
    EXPECT_EQ(run({"decaps", "ML-KEM-768", "--dk", "dk", "--ct", "ct", "--ss", "ss2", "--force"}).status, 0);
    EXPECT_NE(read("ss2"), read("ss"));
}

TEST_F(CliKeys, ReplacesFilesAndFollowsLinks)
{
    write("old", "old");
    ASSERT_EQ(chmod(path("old").c_str(), 0644), 0);
    ASSERT_EQ(symlink("old", path("dk").c_str()), 0);
    EXPECT_EQ(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--force"}).status, 0);
    struct stat facts = {};
    ASSERT_EQ(lstat(path("dk").c_str(), &facts), 0);
    EXPECT_TRUE(S_ISLNK(facts.st_mode));
    EXPECT_EQ(read("old").size(), 1632u);
    EXPECT_EQ(mode("old"), 0600u);
}

TEST_F(CliKeys, PipeIsWrittenNotReplaced)
{
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const int reader = open(path("pipe").c_str(), O_RDWR); // O_RDWR: neither side waits for the other
    ASSERT_GE(reader, 0);
    EXPECT_EQ(run({"keygen", "ML-KEM-512", "--ek", "pipe", "--dk", "dk"}).status, 0);
    struct stat facts = {};
    ASSERT_EQ(stat(path("pipe").c_str(), &facts), 0);
    ASSERT_TRUE(S_ISFIFO(facts.st_mode));
    std::string ek(4096, '\0');
    EXPECT_EQ(::read(reader, ek.data(), ek.size()), 800);
    close(reader);
    EXPECT_EQ(ek.substr(0, 800), read("dk").substr(768, 800)); // dk holds ek behind its 2 * 384 bytes of s
}

TEST_F(CliKeys, CheckAcceptsGoodKeys)
{
    for (const std::string &set : all_sets()) {
        make_keys(set);
        const Result text = run({"check", set, "--ek", "ek", "--dk", "dk"});
        EXPECT_EQ(text.status, 0) << text.err;
        EXPECT_EQ(text.out.substr(0, text.out.find(set)), "ek: fine, ek of ");
        EXPECT_NE(text.out.find("\ndk: fine, dk of " + set), std::string::npos) << text.out;
    }
}

// The raw bytes do not say which set they are of; what they would pass for is said.
TEST_F(CliKeys, CheckNamesTheSetsOfLookAlikes)
{
    const std::string note = "; a raw key does not name its set, and this one would pass for ";
    make_keys("ML-KEM-768");
    EXPECT_EQ(run({"check", "ML-KEM-768", "--ek", "ek"}).out,
              "ek: fine, ek of ML-KEM-768" + note + "Kyber768, Kyber768-90s too\n");
    EXPECT_EQ(run({"check", "Kyber768", "--dk", "dk"}).out,
              "dk: fine, dk of Kyber768" + note + "ML-KEM-768, Kyber768-90s too\n");
    std::string ek = read("ek");
    ek[0] = ek[1] = '\xff'; // a coefficient that FIPS 203 refuses
    write("ek", ek);
    EXPECT_EQ(run({"check", "Kyber768", "--ek", "ek"}).out, "ek: fine, ek of Kyber768" + note + "Kyber768-90s too\n");
    make_keys("LightSaber");
    EXPECT_EQ(run({"check", "LightSaber", "--ek", "ek"}).out, "ek: fine, ek of LightSaber\n");
}

TEST_F(CliKeys, KeygenReplacesNothingUnasked)
{
    for (const char *fault : {"none", "no unnamed files", "no unnamed files,no careful renaming"})
        for (const char *kept : {"dk", "seed", "ek"}) {
            SCOPED_TRACE(std::string(kept) + " " + fault);
            for (const std::string &name : names()) ASSERT_EQ(unlink(path(name).c_str()), 0);
            write(kept, "old");
            const Names line = {"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--save-seed", "seed"};
            Circumstances how;
            how.fault = fault;
            expect_error(run(line, how), 1, {std::string(kept) + ": exists already; --force replaces it"});
            EXPECT_EQ(names(), Names{kept});
            EXPECT_EQ(read(kept), "old");
            Names forced = line;
            forced.emplace_back("--force");
            EXPECT_EQ(run(forced, how).status, 0);
            EXPECT_NE(read(kept), "old");
            EXPECT_EQ(names(), (Names{"dk", "ek", "seed"}));
        }
}

TEST_F(CliKeys, KeygenKeepsAKeyThatAppearsMeanwhile)
{
    for (const char *more : {"", ",no unnamed files", ",no unnamed files,no careful renaming"}) {
        SCOPED_TRACE(more);
        for (const std::string &name : names()) ASSERT_EQ(unlink(path(name).c_str()), 0);
        const std::string faults = std::string("dk appears at fsync") + more;
        Circumstances how;
        how.fault = faults.c_str();
        expect_error(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk"}, how), 1, {"dk: exists already"});
        EXPECT_EQ(read("dk"), "");
    }
}

TEST_F(CliKeys, KeygenFollowsNoLinkToAKey)
{
    write("old", "old");
    ASSERT_EQ(symlink("old", path("dk").c_str()), 0);
    ASSERT_EQ(symlink("nowhere", path("dangling").c_str()), 0);
    expect_error(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk"}), 1, {"dk: exists already"});
    expect_error(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dangling"}), 1, {"dangling: exists already"});
    EXPECT_EQ(read("old"), "old");
    EXPECT_EQ(names(), (Names{"dangling", "dk", "old"}));
}

// The keys of a seed can be made again beside the public key that is there.
TEST_F(CliKeys, KeygenLeavesTheSamePublicKey)
{
    ASSERT_EQ(run({"keygen", "ML-KEM-512", "--ek", "ek", "--save-seed", "seed"}).status, 0);
    const std::string ek = read("ek");
    EXPECT_EQ(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--seed-file", "seed"}).status, 0);
    EXPECT_EQ(read("ek"), ek);
    expect_error(run({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk2"}), 1, {"ek: exists already"});
    EXPECT_FALSE(exists("dk2"));
}

TEST_F(CliKeys, ResearchSetsAreWarnedOf)
{
    write("plain", "text");
    for (const std::string &set : all_sets()) {
        SCOPED_TRACE(set);
        const bool is_research = ::is_research(set_named(set));
        const std::string warning = is_research
                                        ? "latkem: warning: " + set +
                                              " is a research set, not for new deployments (--quiet leaves this out)\n"
                                        : "";
        Names lines[] = {{"keygen", set, "--ek", "ek", "--dk", "dk", "--force"},
                         {"seal", set, "--ek", "ek", "--in", "plain", "--out", "sealed"}};
        for (Names &line : lines) {
            if (line[0] == "seal" && is_for_tls(set_named(set))) continue;
            const Result warned = run(line);
            EXPECT_EQ(warned.status, 0);
            EXPECT_EQ(warned.err, warning);
            EXPECT_EQ(warned.out, "");
            line.emplace_back("--quiet");
            EXPECT_EQ(run(line).err, "");
        }
    }
}

TEST_F(CliKeys, CheckPrintsJson)
{
    make_keys("ML-KEM-512");
    write("bad", "short");
    std::vector<std::string> same_size;
    for (const SetFacts &set : all_facts())
        if (set.sizes.ek == 800 && std::string(set.name) != "ML-KEM-512") same_size.push_back(set.name);
    json good = json::parse(run({"check", "ML-KEM-512", "--ek", "ek", "--json"}).out);
    EXPECT_EQ(good["keys"][0]["also_fits"], json(same_size));
    good["keys"][0].erase("also_fits");
    EXPECT_EQ(good, json::parse(R"({"set": "ML-KEM-512", "ok": true, "keys":
        [{"file": "ek", "object": "ek", "bytes": 800, "ok": true, "fault": ""}]})"));
    const Result result = run({"check", "ML-KEM-512", "--ek", "ek", "--dk", "bad", "--json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
    const json bad = json::parse(result.out);
    EXPECT_EQ(bad["ok"], false);
    EXPECT_EQ(bad["keys"][0]["ok"], true);
    EXPECT_EQ(bad["keys"][1]["ok"], false);
    EXPECT_EQ(bad["keys"][1]["bytes"], 5);
    EXPECT_EQ(bad["keys"][1]["fault"], "5 bytes, but the dk of ML-KEM-512 has 1632");
}

TEST_F(CliKeys, CheckFindsKeysOfDifferentPairs)
{
    make_keys("Kyber768");
    EXPECT_EQ(run({"keygen", "Kyber768", "--ek", "other", "--dk", "other.dk"}).status, 0);
    const Result result = run({"check", "Kyber768", "--ek", "other", "--dk", "dk"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "latkem: dk: does not belong to the ek in other\n");
}

// FIPS 203 section 7.2: 4095 is not below q. Kyber round 3 takes such a key.
TEST_F(CliKeys, CoefficientTooLarge)
{
    for (const char *set : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
        make_keys(set);
        std::string ek = read("ek");
        ek[0] = ek[1] = '\xff';
        write("bad", ek);
        expect_error(run({"check", set, "--ek", "bad"}), 1, {"bad: "});
        expect_error(run({"encaps", set, "--ek", "bad", "--ct", "new", "--ss", "new2"}), 1, {"bad: "});
        EXPECT_FALSE(exists("new") || exists("new2"));
    }
    EXPECT_EQ(run({"encaps", "Kyber1024", "--ek", "bad", "--ct", "new", "--ss", "new2"}).status, 0);
}

// FIPS 203 section 7.3: the hash in the last 64 to 32 bytes of dk.
TEST_F(CliKeys, WrongHashInPrivateKey)
{
    for (const char *set : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
        make_keys(set);
        std::string dk = read("dk");
        dk[dk.size() - 33] ^= 1;
        write("bad", dk);
        expect_error(run({"check", set, "--dk", "bad"}), 1, {"bad: "});
        expect_error(run({"decaps", set, "--dk", "bad", "--ct", "ct", "--ss", "new"}), 1, {"bad: "});
        EXPECT_FALSE(exists("new"));
    }
}

} // namespace
