// kex, and the exchanges in selftest and speed: what they read, write and find.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>
#include <latkem/kex.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "run.h"

namespace
{

using nlohmann::json;
using Names = std::vector<std::string>;

class CliKex : public CommandTest
{
  protected:
    // The static keys of both sides in a.ek, a.dk, b.ek and b.dk.
    void make_both_keys(const std::string &set) const
    {
        for (const std::string side : {"a", "b"})
            EXPECT_EQ(run({"keygen", set, "--ek", side + ".ek", "--dk", side + ".dk", "--force"}).status, 0);
    }

    Names start(const std::string &kind, const std::string &set) const
    {
        return {"kex",  kind,   "start",      set,  "--quiet", "--force",
                "--ek", "b.ek", "--message1", "m1", "--state", "state"};
    }
    Names reply(const std::string &kind, const std::string &set) const
    {
        Names line = {"kex", kind,   "reply", set,          "--quiet", "--force", "--message1",
                      "m1",  "--dk", "b.dk",  "--message2", "m2",      "--key",   "kb"};
        if (kind == "ake") line.insert(line.end(), {"--ek", "a.ek"});
        return line;
    }
    Names finish(const std::string &kind, const std::string &set) const
    {
        Names line = {"kex",        kind, "finish",  set,     "--quiet", "--force",
                      "--message2", "m2", "--state", "state", "--key",   "ka"};
        if (kind == "ake") line.insert(line.end(), {"--dk", "a.dk"});
        return line;
    }
};

bool has_exchanges(const std::string &set)
{
    return latkem_kex_state_bytes(latkem_kem_find(set.c_str())) > 0;
}

TEST_F(CliKex, BothSidesGetOneKey)
{
    for (const std::string &set : all_sets()) {
        if (!has_exchanges(set)) continue;
        const latkem_kem *kem = latkem_kem_find(set.c_str());
        make_both_keys(set);
        for (const std::string kind : {"uake", "ake"}) {
            SCOPED_TRACE(set + " " + kind);
            EXPECT_EQ(run(start(kind, set)).status, 0);
            EXPECT_EQ(mode("state"), 0600u);
            EXPECT_EQ(mode("m1"), 0644u);
            EXPECT_EQ(read("state").size(), latkem_kex_state_bytes(kem));
            EXPECT_EQ(read("m1").size(), latkem_kex_message1_bytes(kem));
            EXPECT_EQ(run(reply(kind, set)).status, 0);
            EXPECT_EQ(run(finish(kind, set)).status, 0);
            EXPECT_EQ(read("ka"), read("kb"));
            EXPECT_EQ(read("ka").size(), 32u);
            EXPECT_EQ(mode("ka"), 0600u);
            EXPECT_EQ(mode("kb"), 0600u);
            EXPECT_EQ(names(), (Names{"a.dk", "a.ek", "b.dk", "b.ek", "ka", "kb", "m1", "m2"})) << "the state is left";
        }
    }
}

TEST_F(CliKex, WarnsOfResearch)
{
    make_both_keys("Kyber512");
    EXPECT_EQ(run(start("uake", "Kyber512")).err, "");
    Names loud = start("uake", "Kyber512");
    loud.erase(std::find(loud.begin(), loud.end(), "--quiet"));
    const Result warned = run(loud);
    EXPECT_EQ(warned.status, 0);
    EXPECT_NE(warned.err.find("research set"), std::string::npos) << warned.err;
}

TEST_F(CliKex, HelpSendsUsersElsewhere)
{
    const Result help = run({"help", "kex"});
    EXPECT_NE(help.out.find("noise.h"), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("not for new designs"), std::string::npos) << help.out;
}

// A message that was altered on its way is no error; the state has served all the same.
TEST_F(CliKex, AlteredMessageGivesOtherKeys)
{
    make_both_keys("Kyber768");
    for (const std::string kind : {"uake", "ake"}) {
        EXPECT_EQ(run(start(kind, "Kyber768")).status, 0);
        EXPECT_EQ(run(reply(kind, "Kyber768")).status, 0);
        std::string message = read("m2");
        message[7] ^= 1;
        write("m2", message);
        EXPECT_EQ(run(finish(kind, "Kyber768")).status, 0);
        EXPECT_NE(read("ka"), read("kb"));
        EXPECT_FALSE(exists("state"));
    }
}

TEST_F(CliKex, ErrorLeavesTheState)
{
    make_both_keys("Kyber512");
    EXPECT_EQ(run(start("uake", "Kyber512")).status, 0);
    EXPECT_EQ(run(reply("uake", "Kyber512")).status, 0);
    const std::string state = read("state"), message = read("m2");
    write("m2", message + "x");
    expect_error(run(finish("uake", "Kyber512")), 1, {"m2", "769"});
    EXPECT_EQ(read("state"), state);
    EXPECT_FALSE(exists("ka"));
    write("m2", message);
    write("state", state + "x");
    expect_error(run(finish("uake", "Kyber512")), 1, {"state", "1665"});
    EXPECT_FALSE(exists("ka"));
    write("state", state);
    EXPECT_EQ(mkdir(path("ka").c_str(), 0755), 0); // so that the key cannot be written
    expect_error(run(finish("uake", "Kyber512")), 1, {"ka: "});
    EXPECT_EQ(read("state"), state);
    EXPECT_EQ(rmdir(path("ka").c_str()), 0);
    EXPECT_EQ(run(finish("uake", "Kyber512")).status, 0);
    EXPECT_EQ(read("ka"), read("kb"));
}

// A link leads to the state: what it leads to is removed.
TEST_F(CliKex, StateBehindALinkIsRemoved)
{
    make_both_keys("Kyber512");
    EXPECT_EQ(run(start("uake", "Kyber512")).status, 0);
    EXPECT_EQ(run(reply("uake", "Kyber512")).status, 0);
    ASSERT_EQ(rename(path("state").c_str(), path("real").c_str()), 0);
    ASSERT_EQ(symlink("real", path("state").c_str()), 0);
    EXPECT_EQ(run(finish("uake", "Kyber512")).status, 0);
    EXPECT_FALSE(exists("real"));
    EXPECT_EQ(read("ka"), read("kb"));
}

TEST_F(CliKex, StandardInputAndOutput)
{
    make_both_keys("Kyber512-90s");
    Names line = start("uake", "Kyber512-90s");
    for (std::string &word : line)
        if (word == "m1") word = "-";
    Circumstances how;
    how.input = run(line).out;
    line = reply("uake", "Kyber512-90s");
    for (std::string &word : line)
        if (word == "m1" || word == "m2") word = "-";
    const Result message2 = run(line, how);
    EXPECT_EQ(message2.status, 0) << message2.err;
    how.input = read("state");
    write("m2", message2.out);
    line = finish("uake", "Kyber512-90s");
    for (std::string &word : line)
        if (word == "state" || word == "ka") word = "-";
    const Result key = run(line, how);
    EXPECT_EQ(key.status, 0) << key.err;
    EXPECT_TRUE(key.out == read("kb"));
}

TEST_F(CliKex, WrongUse)
{
    make_both_keys("Kyber512");
    const auto with = [](Names line, const Names &more) {
        line.insert(line.end(), more.begin(), more.end());
        return line;
    };
    const auto without = [](Names line) {
        line.resize(line.size() - 2);
        return line;
    };
    expect_error(run(start("uake", "ML-KEM-768")), 2, {"ML-KEM-768", "no key exchange"});
    expect_error(run(start("xake", "Kyber512")), 2, {"xake", "uake or ake"});
    expect_error(run(start("uake", "Kyber513")), 2, {"Kyber513"});
    expect_error(run({"kex", "uake", "begin", "Kyber512"}), 2, {"begin", "start, reply or finish"});
    expect_error(run({"kex", "uake", "start"}), 2, {"SET"});
    expect_error(run(without(start("uake", "Kyber512"))), 2, {"needs --state"});
    expect_error(run(without(finish("ake", "Kyber512"))), 2, {"needs --dk"});
    expect_error(run(without(reply("ake", "Kyber512"))), 2, {"needs --ek"});
    expect_error(run(with(start("uake", "Kyber512"), {"--key", "k"})), 2, {"takes no --key"});
    expect_error(run(with(reply("uake", "Kyber512"), {"--ek", "a.ek"})), 2, {"takes no --ek"});
    EXPECT_EQ(names(), (Names{"a.dk", "a.ek", "b.dk", "b.ek"}));
}

TEST_F(CliKex, SelftestPasses)
{
    const json all = json::parse(run({"selftest", "--kex", "--rounds", "2", "--json"}).out);
    EXPECT_EQ(all["ok"], true);
    size_t sets = 0, backends = 0;
    for (const std::string &set : all_sets()) sets += has_exchanges(set);
    while (latkem_backend_at(backends)) backends++;
    EXPECT_EQ(all["results"].size(), sets * backends);
    for (const json &result : all["results"]) EXPECT_EQ(result["checks"].size(), 3u);
    expect_error(run({"selftest", "--kex", "Saber"}), 2, {"Saber", "no key exchange"});
}

// Each fault is found by the check that is there for it.
TEST_F(CliKex, SelftestNoticesFaults)
{
    const std::pair<const char *, const char *> faults[] = {
        {"wrong exchange key", "both sides agree"},
        {"state kept", "both sides agree"},
        {"message 2 ignored", "altered messages"},
        {"wrong message 1", "known answers"},
    };
    for (auto [fault, check] : faults) {
        SCOPED_TRACE(fault);
        Circumstances how;
        how.fault = fault;
        const Result text = run({"selftest", "--kex", "Kyber512", "--rounds", "1", "--backend", "portable"}, how);
        EXPECT_EQ(text.status, 1);
        EXPECT_EQ(text.err, "latkem: selftest: 1 of 1 failed\n");
        EXPECT_NE(text.out.find(std::string(check) + " ("), std::string::npos) << text.out;
    }
}

TEST_F(CliKex, Speed)
{
    const Names line = {"speed", "ML-KEM-512", "Kyber512", "--seconds", "0.01", "--kex"};
    Names with_json = line;
    with_json.emplace_back("--json");
    const json all = json::parse(run(with_json).out);
    ASSERT_EQ(all["results"].size(), 14u); // 3 of each set's wire tier, 4 of each exchange
    EXPECT_EQ(all["results"][6]["tier"], "uake");
    EXPECT_EQ(all["results"][6]["operation"], "start");
    EXPECT_EQ(all["results"][13]["tier"], "ake");
    EXPECT_EQ(all["results"][13]["operation"], "side A");
    EXPECT_GT(all["results"][13]["min_ns"], all["results"][10]["min_ns"]) << "both steps take longer than the first";
    ASSERT_EQ(all["message_bytes"].size(), 1u);
    EXPECT_EQ(all["message_bytes"][0]["set"], "Kyber512");
    EXPECT_EQ(all["message_bytes"][0]["uake"], (std::vector<int>{1568, 768}));
    EXPECT_EQ(all["message_bytes"][0]["ake"], (std::vector<int>{1568, 1536}));
    const Result text = run(line);
    EXPECT_EQ(text.status, 0);
    EXPECT_NE(text.out.find("Kyber512           ake       finish "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("Kyber512           uake      messages of 1568 and 768 bytes"), std::string::npos);
    EXPECT_EQ(run({"speed", "Kyber512", "--seconds", "0.01"}).out.find("uake"), std::string::npos);
}

TEST_F(CliKex, SpeedNoticesDisagreement)
{
    Circumstances how;
    how.fault = "wrong exchange key";
    const Result result = run({"speed", "Kyber512", "--seconds", "0.01", "--kex"}, how);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "latkem: Kyber512: the two sides of an exchange disagree\n");
}

} // namespace
