// list, kat, selftest, speed and the help: what they print.
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <latkem/backend.h>
#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "harness/model/facts.h"
#include "run.h"
#include "sets.h"
#include "sha256.h"

namespace
{

using nlohmann::json;
using CliData = CommandTest;

std::string sha256(const std::string &text)
{
    Sha256 hash;
    hash.update(text);
    return hash.hex_digest();
}

TEST_F(CliData, EveryCommandExplainsItself)
{
    for (const char *command : {"list", "keygen", "encaps", "decaps", "seal", "open", "check", "convert", "inspect",
                                "kex", "kat", "selftest", "speed", "help", "version"}) {
        const Result help = run({command, "--help"});
        const bool computes = std::string(command) != "help" && std::string(command) != "version";
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.err, "");
        for (const std::string &part : {"Usage: latkem " + std::string(command), std::string("\nExamples:\n  latkem "),
                                        std::string("\nExit status:\n"), std::string(computes ? "--backend NAME" : "")})
            EXPECT_NE(help.out.find(part), std::string::npos) << command << " lacks " << part;
        std::istringstream lines(help.out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 82u) << line;
    }
    EXPECT_NE(run({"--help"}).out.find("Examples:"), std::string::npos);
}

TEST_F(CliData, HelpAndVersionAreCommandsToo)
{
    EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
    for (const char *command : {"keygen", "help", "version"})
        EXPECT_EQ(run({"help", command}).out, run({command, "--help"}).out);
    EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
    EXPECT_EQ(run({"--version"}).out, std::string("latkem ") + latkem_version() + "\n");
}

TEST_F(CliData, ListShowsEverySet)
{
    const std::string table = run({"list"}).out;
    const json all = json::parse(run({"list", "--json"}).out);
    EXPECT_EQ(all["version"], latkem_version());
    EXPECT_EQ(all["backend"], latkem_backend_name());
    EXPECT_EQ(all["backends"][0], "portable");
    ASSERT_EQ(all["sets"].size(), all_sets().size());
    for (size_t i = 0; i < all["sets"].size(); i++) {
        const latkem_kem *kem = set_at(i);
        EXPECT_EQ(all["sets"][i], json({{"name", latkem_kem_name(kem)},
                                        {"family", latkem_kem_family(kem)},
                                        {"standard", latkem_kem_is_standard(kem) == 1},
                                        {"standing", standing(kem)},
                                        {"level", latkem_kem_level(kem)},
                                        {"ek_bytes", latkem_ek_bytes(kem)},
                                        {"dk_bytes", latkem_dk_bytes(kem)},
                                        {"ct_bytes", latkem_ct_bytes(kem)},
                                        {"ss_bytes", latkem_ss_bytes(kem)},
                                        {"seed_bytes", latkem_seed_bytes(kem)}}));
        EXPECT_NE(table.find(std::string("\n") + latkem_kem_name(kem) + " "), std::string::npos) << table;
    }
    EXPECT_NE(table.find("ML-KEM-768         ML-KEM     standard      3  1184  2400  1088  32    64\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("Kyber512-90s       Kyber-90s  research      1   800  1632   768  32    64\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("SecP384r1MLKEM1024 TLS hybrid RFC 10024     5  1665  3216  1665  80   112\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("X-Wing             Hybrid     draft         3  1216    32  1120  32    32\n"),
              std::string::npos)
        << table;
    EXPECT_EQ(all["sets"][0]["standing"], "FIPS 203");
    EXPECT_EQ(all["sets"][3]["standing"], "research");
    EXPECT_EQ(all["sets"][16]["standing"], "RFC 10024");
    EXPECT_EQ(all["sets"][19]["standing"], "draft");
}

TEST_F(CliData, ListShowsEveryKernel)
{
    const json all = json::parse(run({"list", "--kernels", "--json"}).out);
    std::istringstream table(run({"list", "--kernels"}).out);
    std::string line;
    std::getline(table, line);
    EXPECT_EQ(line.rfind("KERNEL", 0), 0u) << line;
    for (size_t i = 0; latkem_kernel_at(i) != nullptr; i++) {
        ASSERT_TRUE(std::getline(table, line));
        std::istringstream words(line);
        std::string word;
        words >> word;
        EXPECT_EQ(word, latkem_kernel_at(i));
        EXPECT_EQ(all["kernels"].at(i)["name"], word);
        for (size_t b = 0; const char *backend = latkem_backend_at(b); b++) {
            words >> word;
            EXPECT_EQ(word, latkem_kernel_origin(i, backend)) << line;
            EXPECT_EQ(all["kernels"].at(i)["origin"][backend], word) << line;
        }
    }
    EXPECT_FALSE(std::getline(table, line)) << line;
}

TEST_F(CliData, BackendIsUsed)
{
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) {
        EXPECT_EQ(json::parse(run({"list", "--json", "--backend", name}).out)["backend"], name);
        const std::string table = run({"list", "--backend", name}).out, last = std::string("; in use: ") + name + "\n";
        EXPECT_EQ(table.substr(table.rfind("; in use: ")), last);
    }
}

TEST_F(CliData, KatIsTheOfficialFile)
{
    for (const std::string &set : core_sets()) {
        const SetFacts *facts = find_facts(set);
        ASSERT_NE(facts, nullptr) << set;
        const Result result = run({"kat", set});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(sha256(result.out), facts->rsp_sha256) << set;
        EXPECT_EQ(result.out.substr(0, result.out.find('\n')), "# " + std::string(facts->rsp_header)) << set;
    }
}

TEST_F(CliData, KatCountCutsTheFile)
{
    const std::string all = run({"kat", "Kyber768"}).out, three = run({"kat", "Kyber768", "--count", "3"}).out;
    EXPECT_TRUE(three == all.substr(0, all.find("count = 3\n")));
    EXPECT_TRUE(run({"kat", "Kyber768", "--count", "101"}).out.substr(0, all.size()) == all);
}

TEST_F(CliData, KatPrintsJson)
{
    const std::string text = run({"kat", "ML-KEM-512", "--count", "2"}).out;
    const json all = json::parse(run({"kat", "ML-KEM-512", "--count", "2", "--json"}).out);
    EXPECT_EQ(all["set"], "ML-KEM-512");
    EXPECT_EQ(all["header"], "Kyber512");
    ASSERT_EQ(all["entries"].size(), 2u);
    EXPECT_EQ(all["entries"][1]["count"], 1);
    for (const char *name : {"seed", "pk", "sk", "ct", "ss"}) {
        const std::string line = std::string(name) + " = " + all["entries"][1][name].get<std::string>() + "\n";
        EXPECT_NE(text.find(line), std::string::npos) << name;
    }
}

TEST_F(CliData, KatNoticesDisagreement)
{
    Circumstances how;
    how.fault = "wrong secret";
    const Result result = run({"kat", "ML-KEM-512"}, how);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "latkem: ML-KEM-512 entry 0: decapsulation gives another ss than encapsulation\n");
}

TEST_F(CliData, SelftestPasses)
{
    size_t backends = 0;
    while (latkem_backend_at(backends)) backends++;
    const Result text = run({"selftest", "--rounds", "2"});
    EXPECT_EQ(text.status, 0) << text.out << text.err;
    EXPECT_EQ(static_cast<size_t>(std::count(text.out.begin(), text.out.end(), '\n')), all_sets().size() * backends);
    EXPECT_EQ(text.out.find("FAILED"), std::string::npos);
    const json all = json::parse(run({"selftest", "Kyber512", "--rounds", "3", "--backend", "portable", "--json"}).out);
    EXPECT_EQ(all["version"], latkem_version());
    EXPECT_EQ(all["rounds"], 3);
    EXPECT_EQ(all["ok"], true);
    ASSERT_EQ(all["results"].size(), 1u);
    EXPECT_EQ(all["results"][0]["set"], "Kyber512");
    EXPECT_EQ(all["results"][0]["backend"], "portable");
    EXPECT_EQ(all["results"][0]["checks"].size(), 10u);
    for (const json &check : all["results"][0]["checks"]) EXPECT_EQ(check["ok"], true) << check["name"];
}

// Each fault is found by the check that is there for it.
TEST_F(CliData, SelftestNoticesFaults)
{
    const std::pair<const char *, const char *> faults[] = {
        {"wrong secret", "round trip"},
        {"constant secret", "wrong key"},
        {"constant secret", "altered ciphertext"},
        {"short comparison", "altered ciphertext"},
        {"length ignored", "wrong lengths"},
        {"outputs not zeroed", "wrong lengths"},
        {"outputs not zeroed", "key checks"},
        {"bad ek accepted", "key checks"},
        {"random failure ignored", "failing random generator"},
        {"seed half used", "deterministic forms"},
        {"wrong prepared secret", "prepared keys"},
        {"wrong last of batch", "batches"},
        {"wrong z", "known answers"},
        {"no randomness", "round trip"},
    };
    for (auto [fault, check] : faults) {
        SCOPED_TRACE(std::string(fault) + " / " + check);
        Circumstances how;
        how.fault = fault;
        const Result text = run({"selftest", "ML-KEM-512", "--rounds", "1", "--backend", "portable"}, how);
        EXPECT_EQ(text.status, 1);
        EXPECT_EQ(text.err, "latkem: selftest: 1 of 1 failed\n");
        EXPECT_NE(text.out.find(std::string(check) + " ("), std::string::npos) << text.out;
    }
    Circumstances how;
    how.fault = "wrong z";
    const json all = json::parse(run({"selftest", "ML-KEM-512", "--rounds", "1", "--json"}, how).out);
    EXPECT_EQ(all["ok"], false);
    EXPECT_EQ(all["results"][0]["ok"], false);
    Circumstances intact;
    intact.fault = "none";
    EXPECT_EQ(run({"selftest", "ML-KEM-512", "--rounds", "1"}, intact).status, 0);
}

TEST_F(CliData, SpeedPrintsJson)
{
    const json all = json::parse(
        run({"speed", "ML-KEM-512", "Kyber512", "--seconds", "0.01", "--tiers", "--backend", "portable", "--json"})
            .out);
    EXPECT_EQ(all["version"], latkem_version());
    EXPECT_EQ(all["backend"], "portable");
    ASSERT_EQ(all["results"].size(), 20u); // two sets; wire 3, prepared 4, batch 3
    EXPECT_EQ(all["results"][0]["set"], "ML-KEM-512");
    EXPECT_EQ(all["results"][10]["set"], "Kyber512");
    for (const json &row : all["results"]) {
        EXPECT_GE(row["samples"], 5);
        EXPECT_GT(row["min_ns"], 0);
        EXPECT_LE(row["min_ns"], row["q1_ns"]);
        EXPECT_LE(row["q1_ns"], row["median_ns"]);
        EXPECT_LE(row["median_ns"], row["q3_ns"]);
        EXPECT_NEAR(row["operations_per_second"].get<double>(), 1e9 / row["median_ns"].get<double>(), 1);
        EXPECT_TRUE(row["tier"].is_string() && row["operation"].is_string());
    }
}

// A row of a batch is the time of one operation in it: not that of the 16.
TEST_F(CliData, SpeedOfABatchIsOfOneOperation)
{
    const json all = json::parse(
        run({"speed", "ML-KEM-512", "--seconds", "0.05", "--tiers", "--backend", "portable", "--json"}).out);
    for (const size_t operation : {0, 1, 2}) {
        const json &alone = all["results"][operation], &in_batch = all["results"][7 + operation];
        EXPECT_EQ(in_batch["tier"], "batch");
        EXPECT_EQ(in_batch["operation"], alone["operation"]);
        EXPECT_LT(in_batch["min_ns"].get<double>(), 4 * alone["min_ns"].get<double>()) << alone["operation"];
    }
}

// Rounds of this set take longer than the time there is, so that the least number of rounds is kept.
TEST_F(CliData, SpeedKeepsNoWarmUp)
{
    const json all = json::parse(
        run({"speed", "NTRU-HPS-4096-821", "--seconds", "0.001", "--backend", "portable", "--json"}).out);
    EXPECT_EQ(all["results"][0]["samples"], 5);
}

TEST_F(CliData, SpeedPrintsTable)
{
    const Result result = run({"speed", "ML-KEM-512", "--seconds", "0.01"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "") << "progress belongs to a terminal";
    for (const char *row : {"ML-KEM-512         wire      keygen ", "ML-KEM-512         wire      encaps ",
                            "ML-KEM-512         wire      decaps "})
        EXPECT_NE(result.out.find(row), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find("prepared"), std::string::npos);
}

TEST_F(CliData, SpeedNoticesDisagreement)
{
    for (const char *fault : {"wrong secret", "wrong prepared secret", "wrong last of batch"}) {
        Circumstances how;
        how.fault = fault;
        const Result result = run({"speed", "ML-KEM-512", "--seconds", "0.01", "--tiers"}, how);
        EXPECT_EQ(result.status, 1) << fault;
        EXPECT_EQ(result.err, "latkem: ML-KEM-512: encapsulation and decapsulation disagree\n") << fault;
    }
}

} // namespace
