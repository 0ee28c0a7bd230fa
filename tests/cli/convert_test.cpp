// keygen --format, convert and inspect, and key files of every kind in the other commands.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <regex>

#include <nlohmann/json.hpp>

#include "harness/model/crypto.h"
#include "run.h"
#include "sets.h"
#include "vectors.h"

namespace
{

using nlohmann::json;
using Names = std::vector<std::string>;

std::string to_text(const Bytes &bytes)
{
    return {bytes.begin(), bytes.end()};
}

std::string digest(const std::string &text)
{
    return to_hex(sha256(Bytes(text.begin(), text.end())));
}

// PEM as others write it: base64 by the book, in lines of so many digits.
std::string pem(const std::string &label, const std::string &data, size_t width = 64, const std::string &end = "\n")
{
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t bit = 0; bit < 8 * data.size(); bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++)
            value = value << 1 | (i / 8 < data.size() ? static_cast<uint8_t>(data[i / 8]) >> (7 - i % 8) & 1U : 0U);
        text += digits[value];
    }
    while (text.size() % 4 != 0) text += '=';
    std::string lines;
    for (size_t i = 0; i < text.size(); i += width) lines += text.substr(i, width) + end;
    return "-----BEGIN " + label + "-----" + end + lines + "-----END " + label + "-----" + end;
}

std::string label_of(const std::string &kind)
{
    return kind == "public" ? "PUBLIC KEY" : "PRIVATE KEY";
}

class CliConvert : public CommandTest
{
  protected:
    void expect_ok(const Names &line) const
    {
        const Result result = run(line);
        EXPECT_EQ(result.status, 0) << testing::PrintToString(line) << ": " << result.err;
        EXPECT_EQ(result.err, "") << testing::PrintToString(line);
    }
    // The file that a conversion makes of another.
    std::string converted(Names line) const
    {
        line.insert(line.begin(), "convert");
        line.insert(line.end(), {"--out", "out", "--force"});
        expect_ok(line);
        return read("out");
    }
    json inspected(const std::string &name, int status = 0) const
    {
        const Result result = run({"inspect", name, "--json"});
        EXPECT_EQ(result.status, status) << name << ": " << result.err;
        EXPECT_EQ(result.err.empty(), status == 0) << result.err;
        return json::parse(result.out);
    }
};

TEST_F(CliConvert, KeygenWritesEveryFormatAndForm)
{
    struct {
        const char *set;
        size_t seed, expanded, both, spki;
    } const sizes[] = {{"ML-KEM-512", 86, 1660, 1730, 822},
                       {"ML-KEM-768", 86, 2428, 2498, 1206},
                       {"ML-KEM-1024", 86, 3196, 3266, 1590}};
    for (const auto &size : sizes)
        for (const auto &[form, bytes] :
             {std::pair("seed", size.seed), {"expanded", size.expanded}, {"both", size.both}})
            for (const char *format : {"der", "pem"}) {
                SCOPED_TRACE(std::string(size.set) + " " + form + " " + format);
                const std::string set = size.set;
                expect_ok(
                    {"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--format", format, "--private-form", form});
                EXPECT_EQ(mode("ek"), 0644u);
                EXPECT_EQ(mode("dk"), 0600u);
                const std::string dk = converted({"--in", "dk", "--format", "der", "--private-form", form});
                EXPECT_EQ(dk.size(), bytes);
                EXPECT_EQ(mode("out"), 0600u);
                EXPECT_EQ(converted({"--in", "ek", "--format", "der"}).size(), size.spki);
                EXPECT_EQ(mode("out"), 0644u);
                EXPECT_EQ(converted({"--in", "dk", "--public", "--format", "raw"}),
                          converted({"--in", "ek", "--format", "raw"}));
                const bool is_pem = format == std::string("pem");
                EXPECT_TRUE(read("dk") == (is_pem ? pem("PRIVATE KEY", dk) : dk));
                const json found = inspected("dk");
                EXPECT_EQ(found, json({{"file", "dk"},
                                       {"kind", "private"},
                                       {"set", set},
                                       {"form", form},
                                       {"encoding", format},
                                       {"bytes", read("dk").size()},
                                       {"ok", true},
                                       {"fault", ""}}));
                expect_ok({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"});
                expect_ok({"decaps", set, "--dk", "dk", "--ct", "ct", "--ss", "ss2", "--force"});
                EXPECT_EQ(read("ss"), read("ss2"));
                const Result good = run({"check", set, "--ek", "ek", "--dk", "dk"});
                EXPECT_EQ(good.out, "ek: fine, ek of " + set + "\ndk: fine, dk of " + set + "\n") << good.err;
            }
}

TEST_F(CliConvert, KeygenDefaults)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    EXPECT_EQ(inspected("dk")["form"], "seed");
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek2", "--dk", "dk2"});
    EXPECT_EQ(read("dk2").size(), 1632u);
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek3", "--dk", "dk3", "--private-form", "seed", "--save-seed", "seed3"});
    EXPECT_EQ(read("dk3").size(), 64u);
    EXPECT_EQ(read("dk3"), read("seed3"));
    expect_ok({"keygen", "X-Wing", "--ek", "ek4", "--dk", "dk4", "--format", "pem"});
    EXPECT_EQ(inspected("dk4")["set"], "X-Wing");
    EXPECT_EQ(inspected("dk4")["form"], "seed");
    EXPECT_EQ(converted({"--in", "dk4", "--format", "raw"}).size(), 32u);
    EXPECT_EQ(converted({"--in", "ek4", "--format", "der"}).size(), 1240u);
}

// RFC 9935 appendix C: the seed 00 01 .. 3f.
TEST_F(CliConvert, KeygenWritesTheExamplesOfTheStandard)
{
    const std::string hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                            "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";
    size_t examples = 0;
    const json all = load_json("hybrid/keyfiles.json");
    for (const json &file : all["files"]) {
        const std::string what = file["what"], set = file["set"];
        if (what.rfind("RFC 9935 example", 0) != 0 || file["kind"] != "private" || !file["ok"]) continue;
        SCOPED_TRACE(what + " " + set);
        examples++;
        expect_ok({"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--seed-hex", hex, "--format", "der",
                   "--private-form", file["form"]});
        EXPECT_TRUE(read("dk") == to_text(hex_field(file, "der")));
    }
    EXPECT_GE(examples, 6u);
}

TEST_F(CliConvert, KeygenRefusals)
{
    auto expect_misuse = [&](const Names &more, const std::string &fault) {
        Names line = {"keygen", more[0], "--ek", "ek", "--dk", "dk"};
        line.insert(line.end(), more.begin() + 1, more.end());
        expect_error(run(line), 2, {fault});
        EXPECT_TRUE(names().empty());
    };
    for (const char *set : {"Kyber768", "LightSaber", "NTRU-HRSS-701", "X25519MLKEM768", "MLKEM768-P256"})
        for (const char *format : {"der", "pem"})
            expect_misuse({set, "--format", format}, std::string("--format ") + format + ": " + set +
                                                         " has no such encoding; ML-KEM and X-Wing have one");
    expect_misuse({"ML-KEM-512", "--format", "pkcs8"}, "pkcs8: unknown format; there is raw, der and pem");
    expect_misuse({"ML-KEM-512", "--format", "PEM"}, "PEM: unknown format");
    expect_misuse({"ML-KEM-512", "--private-form", "short"}, "short: unknown form");
    expect_misuse({"ML-KEM-512", "--private-form", "both"}, "--private-form both: raw bytes hold one form");
    expect_misuse({"Kyber512", "--private-form", "seed"}, "the private key of Kyber512 has one form");
    expect_misuse({"X25519MLKEM768", "--private-form", "expanded"}, "the private key of X25519MLKEM768 has one form");
    expect_misuse({"X-Wing", "--format", "pem", "--private-form", "expanded"}, "the private key of X-Wing is its seed");
    expect_misuse({"X-Wing", "--private-form", "both"}, "the private key of X-Wing is its seed");
}

// Each file of keyfiles.json as DER and in PEM.
class CliKeyVectors : public CliConvert
{
  protected:
    void expect_good(const json &file, const std::string &encoding) const
    {
        const bool is_private = file["kind"] == "private";
        const std::string set = file["set"];
        const json form = is_private ? file["form"] : json(nullptr);
        EXPECT_EQ(inspected("key"), json({{"file", "key"},
                                          {"kind", file["kind"]},
                                          {"set", set},
                                          {"form", form},
                                          {"encoding", encoding},
                                          {"bytes", read("key").size()},
                                          {"ok", true},
                                          {"fault", ""}}));
        expect_ok({"check", set, is_private ? "--dk" : "--ek", "key"});
        EXPECT_EQ(digest(converted({"--in", "key", "--public", "--format", "raw"})), file["ek_sha256"]);
        if (!is_private) return;
        EXPECT_EQ(digest(converted({set, "--in", "key", "--format", "raw"})), file["dk_sha256"]);
        if (file.contains("seed") && file["seed"].is_string())
            EXPECT_TRUE(converted({"--in", "key", "--format", "raw", "--private-form", "seed"}) ==
                        to_text(hex_field(file, "seed")));
        else
            expect_error(run({"convert", "--in", "key", "--format", "der", "--out", "new"}), 1,
                         {"key: holds an expanded key, from which the seed cannot be had"});
    }
    void expect_refused(const json &file, const std::string &encoding) const
    {
        const json found = inspected("key", 1);
        EXPECT_EQ(found["ok"], false);
        EXPECT_EQ(found["set"], nullptr);
        EXPECT_NE(found["fault"], "");
        if (encoding == "pem") {
            EXPECT_EQ(found["kind"], file["kind"]);
        }
        const bool is_private = file["kind"] == "private";
        const Result checked = run({"check", file["set"], is_private ? "--dk" : "--ek", "key"});
        expect_error(checked, 1, {"key: "});
        expect_error(run({"inspect", "key"}), 1, {"key: " + found["fault"].get<std::string>()});
        Names line = {"convert", file["set"], "--in", "key", "--format", "raw", "--out", "new"};
        expect_error(run(line), 1, {"key: "});
        EXPECT_FALSE(exists("new"));
    }
};

TEST_F(CliKeyVectors, AllAsDerAndPem)
{
    size_t good = 0, bad = 0;
    const json all = load_json("hybrid/keyfiles.json");
    for (const json &file : all["files"]) {
        const std::string der = to_text(hex_field(file, "der"));
        for (const std::string encoding : {"der", "pem"}) {
            SCOPED_TRACE(file["what"].get<std::string>() + ", " + file["set"].get<std::string>() + ", " + encoding);
            write("key", encoding == "pem" ? pem(label_of(file["kind"]), der) : der);
            if (file["ok"]) expect_good(file, encoding);
            if (!file["ok"]) expect_refused(file, encoding);
        }
        ++(file["ok"] ? good : bad);
    }
    EXPECT_GE(good, 20u);
    EXPECT_GE(bad, 80u);
}

// seed -> both -> seed gives the first file again (spec of key files, reading).
TEST_F(CliConvert, TheSeedIsKept)
{
    for (const std::string set : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
        expect_ok({"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--format", "pem"});
        write("both", converted({"--in", "dk", "--format", "der", "--private-form", "both"}));
        EXPECT_EQ(converted({"--in", "both", "--format", "pem"}), read("dk"));
        EXPECT_EQ(converted({"--in", "both", "--public", "--format", "pem"}), read("ek"));
        write("raw", converted({"--in", "both", "--format", "raw"}));
        write("expanded", converted({set, "--in", "raw", "--format", "pem", "--private-form", "expanded"}));
        EXPECT_EQ(inspected("expanded")["form"], "expanded");
        for (const char *form : {"seed", "both"})
            expect_error(
                run({"convert", "--in", "expanded", "--format", "pem", "--private-form", form, "--out", "new"}), 1,
                {"expanded: holds an expanded key, from which the seed cannot be had"});
        EXPECT_FALSE(exists("new"));
        write("seed", converted({"--in", "dk", "--format", "raw", "--private-form", "seed"}));
        EXPECT_EQ(converted({set, "--in", "seed", "--format", "pem"}), read("dk"));
        EXPECT_EQ(converted({set, "--in", "seed", "--format", "raw"}), read("raw"));
    }
}

TEST_F(CliConvert, RawKeysOfEverySet)
{
    for (const std::string &set : all_sets()) {
        SCOPED_TRACE(set);
        const latkem_kem *kem = set_named(set);
        expect_ok({"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--quiet"});
        EXPECT_EQ(converted({set, "--in", "ek", "--format", "raw"}), read("ek"));
        EXPECT_EQ(converted({set, "--in", "dk", "--format", "raw"}), read("dk"));
        const bool has_none = is_for_tls(kem) || set.rfind("NTRU", 0) == 0;
        if (has_none)
            expect_error(run({"convert", set, "--in", "dk", "--public", "--format", "raw", "--out", "new"}), 1,
                         {"dk: the public key cannot be had from dk of " + set});
        else
            EXPECT_EQ(converted({set, "--in", "dk", "--public", "--format", "raw"}), read("ek"));
        expect_error(run({"convert", "--in", "ek", "--format", "raw", "--out", "new"}), 2,
                     {"ek: raw bytes do not name their set"});
        if (!is_mlkem(kem) && set != "X-Wing")
            expect_error(run({"convert", set, "--in", "ek", "--format", "pem", "--out", "new"}), 2,
                         {"--format pem: " + set + " has no such encoding"});
        write("bad", read("ek") + "x");
        expect_error(run({"convert", set, "--in", "bad", "--format", "raw", "--out", "new"}), 1,
                     {"bad: " + std::to_string(latkem_ek_bytes(kem) + 1) + " bytes, which no key of " + set + " has"});
        EXPECT_FALSE(exists("new"));
    }
}

TEST_F(CliConvert, RawSeedIsAPrivateKeyOfMlkem)
{
    for (const std::string set : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
        expect_ok({"keygen", set, "--ek", "ek", "--dk", "seed", "--force", "--private-form", "seed"});
        ASSERT_EQ(read("seed").size(), 64u);
        expect_ok({"check", set, "--ek", "ek", "--dk", "seed"});
        expect_ok({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"});
        expect_ok({"decaps", set, "--dk", "seed", "--ct", "ct", "--ss", "ss2", "--force"});
        EXPECT_EQ(read("ss"), read("ss2"));
        write("plain", "text");
        expect_ok({"seal", set, "--ek", "ek", "--in", "plain", "--out", "sealed"});
        expect_ok({"open", set, "--dk", "seed", "--in", "sealed", "--out", "opened"});
        EXPECT_EQ(read("opened"), "text");
    }
    expect_error(run({"check", "Kyber512", "--dk", "seed"}), 1, {"seed: 64 bytes, but the dk of Kyber512 has 1632"});
}

TEST_F(CliConvert, KeysOfOtherSetsAndKinds)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    write("text", "text");
    const Names lines[] = {{"encaps", "ML-KEM-768", "--ct", "new", "--ss", "new2", "--ek", "ek"},
                           {"seal", "ML-KEM-768", "--in", "text", "--out", "new", "--ek", "ek"},
                           {"check", "ML-KEM-768", "--ek", "ek"},
                           {"check", "ML-KEM-768", "--dk", "dk"},
                           {"convert", "ML-KEM-768", "--format", "raw", "--out", "new", "--in", "dk"},
                           {"decaps", "ML-KEM-768", "--ct", "text", "--ss", "new", "--dk", "dk"},
                           {"open", "ML-KEM-768", "--in", "text", "--out", "new", "--dk", "dk"}};
    for (const Names &line : lines)
        expect_error(run(line), 1, {line.back() + ": is a key of ML-KEM-512, not of ML-KEM-768"});
    expect_error(run({"check", "Kyber512", "--ek", "ek"}), 1, {"ek: is a key of ML-KEM-512, not of Kyber512"});
    write("dk.der", converted({"--in", "dk", "--format", "der"}));
    write("ek.der", converted({"--in", "ek", "--format", "der"}));
    expect_error(run({"check", "ML-KEM-512", "--ek", "dk.der"}), 1,
                 {"dk.der: holds a private key, not a public key", "latkem convert --public"});
    expect_error(run({"check", "ML-KEM-512", "--dk", "ek.der"}), 1, {"ek.der: holds a public key, not a private key"});
    expect_error(run({"check", "ML-KEM-512", "--ek", "dk"}), 1,
                 {"dk: holds PRIVATE KEY and no PUBLIC KEY", "--public"});
    expect_error(run({"check", "ML-KEM-512", "--dk", "ek"}), 1, {"ek: holds PUBLIC KEY and no PRIVATE KEY"});
    expect_error(run({"convert", "--in", "ek", "--format", "pem", "--private-form", "seed", "--out", "new"}), 2,
                 {"--private-form: is for private keys"});
    EXPECT_FALSE(exists("new"));
}

TEST_F(CliConvert, SeveralBlocks)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    expect_ok({"keygen", "ML-KEM-768", "--ek", "ek2", "--dk", "dk2", "--format", "pem"});
    write("all", "Bag Attributes\n    friendlyName: alice\n" + read("dk") + read("ek") + read("dk2") + read("ek2"));
    expect_ok({"check", "ML-KEM-512", "--ek", "all", "--dk", "all"});
    expect_error(run({"check", "ML-KEM-768", "--ek", "all"}), 1, {"all: is a key of ML-KEM-512, not of ML-KEM-768"});
    EXPECT_EQ(inspected("all")["kind"], "private");
    const std::string certificate = pem("CERTIFICATE", "no certificate, but nobody looks");
    write("chain", certificate + certificate + read("ek"));
    const Result checked = run({"check", "ML-KEM-512", "--ek", "chain"});
    EXPECT_EQ(checked.status, 0);
    EXPECT_EQ(checked.err, "latkem: chain: a certificate in it is skipped; its key is not looked at\n");
    EXPECT_EQ(run({"encaps", "ML-KEM-512", "--ek", "chain", "--ct", "ct", "--ss", "ss", "--force"}).err, checked.err);
    write("alone", certificate);
    expect_error(run({"check", "ML-KEM-512", "--ek", "alone"}), 1,
                 {"alone: holds CERTIFICATE and no key of its own; 'openssl x509 -noout -pubkey' (3.5 or newer)"});
    EXPECT_EQ(inspected("alone", 1)["kind"], "unknown");
    write("behind", read("ek") + certificate);
    expect_ok({"check", "ML-KEM-512", "--ek", "behind"});
    write("many", pem("CMS", "a") + pem("PKCS7", "b") + pem("C", "c") + pem("CMS", "d") + pem("E", "e"));
    expect_error(run({"check", "ML-KEM-512", "--dk", "many"}), 1,
                 {"many: holds CMS, PKCS7, (unknown label), CMS, .. and no PRIVATE KEY"});
}

TEST_F(CliConvert, EncryptedKeysAreNamed)
{
    write("key", pem("ENCRYPTED PRIVATE KEY", to_text(from_hex("300a3004060251010402ffff"))));
    for (const Result &result : {run({"inspect", "key"}), run({"check", "ML-KEM-512", "--dk", "key"}),
                                 run({"convert", "--in", "key", "--format", "raw", "--out", "new"})})
        expect_error(result, 1, {"key: its private key is encrypted", "--passphrase-file"});
    EXPECT_EQ(inspected("key", 1)["kind"], "private");
}

TEST_F(CliConvert, PemAsOthersWriteIt)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    const std::string der = converted({"--in", "dk", "--format", "der"});
    for (size_t width : {1, 4, 63, 64, 65, 76, 10000})
        for (const char *end : {"\n", "\r\n", "  \n", " \t\r\n", "\r"}) {
            write("key", pem("PRIVATE KEY", der, width, end));
            EXPECT_EQ(inspected("key")["form"], "seed") << width;
            expect_ok({"check", "ML-KEM-512", "--dk", "key", "--ek", "ek"});
        }
}

TEST_F(CliConvert, AlteredPemIsRefused)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    const std::string good = read("dk");
    const std::pair<const char *, const char *> changes[] = {
        {"-----BEGIN PRIVATE", "-----BEGIN PUBLIC"},
        {"-----END PRIVATE", "-----END PUBLIC"},
        {"-----END PRIVATE KEY-----", ""},
        {"-----END PRIVATE KEY-----", "-----END PRIVATE KEY----"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\n*F"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\nF"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\nMFA"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\nMFMF"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\nMA"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\nProc-Type: 4\n\nMF"},
        {"-----BEGIN PRIVATE", "-----BEGIN RSA PRIVATE"},
        {"PRIVATE KEY-----\nMF", "PRIVATE KEY-----\n=MF"},
    };
    for (const auto &[from, to] : changes) {
        SCOPED_TRACE(std::string(from) + " -> " + to);
        std::string bad = good;
        bad.replace(bad.find(from), std::string(from).size(), to);
        write("key", bad);
        expect_error(run({"check", "ML-KEM-512", "--dk", "key"}), 1, {"key: "});
        EXPECT_EQ(inspected("key", 1)["encoding"], "pem");
        const std::string fault = inspected("key", 1)["fault"];
        EXPECT_EQ(fault.find(good.substr(60, 20)), std::string::npos) << "quotes the key";
    }
    for (size_t size = good.size() - 2; size >= 10; size -= 3) {
        write("key", good.substr(0, size));
        EXPECT_EQ(run({"check", "ML-KEM-512", "--dk", "key"}).status, 1) << size;
    }
}

TEST_F(CliConvert, OtherDerIsRefused)
{
    write("rsa", to_text(from_hex("3009020100300406020a00")));
    expect_error(run({"inspect", "rsa"}), 1, {"rsa: is no private key of ML-KEM or X-Wing (PKCS#8)"});
    write("spki", to_text(from_hex("30093004060205000301ff")));
    expect_error(run({"inspect", "spki"}), 1, {"spki: is no public key of ML-KEM or X-Wing (SubjectPublicKeyInfo)"});
    write("octets", to_text(from_hex("30030401ff")));
    expect_error(run({"inspect", "octets"}), 1, {"octets: is DER, but of no key"});
    EXPECT_EQ(inspected("octets", 1)["kind"], "unknown");
    EXPECT_EQ(inspected("octets", 1)["encoding"], "der");
}

TEST_F(CliConvert, InspectNamesWhatRawBytesMayBe)
{
    struct {
        const char *set, *ek_kind, *ek_set, *dk_kind, *dk_set;
    } const rows[] = {{"ML-KEM-1024", "public", "", "private", ""},
                      {"Kyber768", "public", "", "private", ""},
                      {"LightSaber", "public", "LightSaber", "unknown", ""},
                      {"X-Wing", "public", "", "private", ""},
                      {"MLKEM1024-P384", "public", "MLKEM1024-P384", "private", ""},
                      {"Saber", "public", "Saber", "private", "Saber"},
                      {"SecP384r1MLKEM1024", "public", "SecP384r1MLKEM1024", "private", "SecP384r1MLKEM1024"}};
    for (const auto &row : rows) {
        SCOPED_TRACE(row.set);
        expect_ok({"keygen", row.set, "--ek", "ek", "--dk", "dk", "--force", "--quiet"});
        for (const auto &[name, kind, set] :
             {std::tuple("ek", row.ek_kind, row.ek_set), {"dk", row.dk_kind, row.dk_set}}) {
            const json found = inspected(name);
            EXPECT_EQ(found["encoding"], "raw");
            EXPECT_EQ(found["kind"], kind);
            EXPECT_EQ(found["set"], *set == '\0' ? json(nullptr) : json(set));
            EXPECT_EQ(found["form"].is_null(), std::string(kind) != "private");
            EXPECT_NE(run({"inspect", name}).out.find(std::string(name) + " of " + row.set), std::string::npos);
        }
    }
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--force"});
    EXPECT_EQ(inspected("dk")["form"], "expanded");
    EXPECT_EQ(run({"inspect", "dk"}).out,
              "dk: 1632 bytes of raw data, a good dk of ML-KEM-512, dk of Kyber512, dk of Kyber512-90s\n");
    write("seed", std::string(64, 's'));
    EXPECT_EQ(inspected("seed")["form"], "seed");
    EXPECT_EQ(inspected("seed")["set"], nullptr);
    write("none", "short");
    EXPECT_EQ(inspected("none", 1)["kind"], "unknown");
    expect_error(run({"inspect", "none"}), 1, {"none: is no key: neither PEM nor DER"});
    expect_error(run({"inspect", "missing"}), 1, {"missing: No such file or directory"});
}

TEST_F(CliConvert, InspectPrintsNoSecret)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem", "--save-seed", "seed"});
    const std::string seed = read("seed");
    for (const Result &result : {run({"inspect", "dk"}), run({"inspect", "dk", "--json"}), run({"inspect", "seed"})}) {
        EXPECT_EQ(result.status, 0);
        for (size_t line = 28; line + 8 < 150; line++)
            EXPECT_EQ(result.out.find(read("dk").substr(line, 8)), std::string::npos);
        EXPECT_EQ(result.out.find(seed.substr(0, 8)), std::string::npos);
        EXPECT_EQ(result.out.find(to_hex(Bytes(seed.begin(), seed.begin() + 8))), std::string::npos);
    }
}

TEST_F(CliConvert, StandardStreams)
{
    expect_ok({"keygen", "X-Wing", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    Circumstances how;
    how.input = read("dk");
    EXPECT_EQ(run({"convert", "--in", "-", "--public", "--format", "pem", "--out", "-"}, how).out, read("ek"));
    EXPECT_EQ(run({"inspect", "-"}, how).out, "standard input: private key of X-Wing, form seed, 128 bytes of PEM\n");
    expect_error(run({"convert", "--in", "dk", "--format", "der", "--out", "dk"}), 2, {"dk: is named for two things"});
}

TEST_F(CliConvert, FailuresLeaveTheOldFile)
{
    expect_ok({"keygen", "ML-KEM-512", "--ek", "ek", "--dk", "dk", "--format", "pem"});
    write("old", "old");
    Circumstances how;
    how.file_limit = 100;
    expect_error(run({"convert", "--in", "ek", "--format", "der", "--out", "old"}, how), 1, {"old: File too large"});
    expect_error(run({"convert", "--in", "dk", "--format", "der", "--out", "nowhere/new"}), 1,
                 {"nowhere/new: No such file or directory"});
    EXPECT_EQ(read("old"), "old");
    EXPECT_EQ(names(), (Names{"dk", "ek", "old"}));
}

TEST_F(CliConvert, WrongUse)
{
    const std::pair<Names, Names> uses[] = {
        {{"convert", "--in", "a", "--out", "b"}, {"--format is required"}},
        {{"convert", "--in", "a", "--format", "pem"}, {"--out is required"}},
        {{"convert", "--out", "a", "--format", "pem"}, {"--in is required"}},
        {{"convert", "nonesuch", "--in", "a", "--out", "b", "--format", "pem"}, {"nonesuch: unknown parameter set"}},
        {{"convert", "--in", "a", "--out", "b", "--format", "text"}, {"text: unknown format"}},
        {{"inspect"}, {"FILE is required"}},
        {{"inspect", "a", "b"}, {"inspect: "}},
        {{"inspect", "a", "--backend", "abacus"}, {"abacus: unknown backend"}},
    };
    for (const auto &[line, fragments] : uses) expect_error(run(line), 2, fragments);
}

// Hybrids in the commands that take them.
TEST_F(CliConvert, HybridCiphertextWithoutAPoint)
{
    for (const auto &[set, at] : {std::pair("SecP256r1MLKEM768", 0), {"MLKEM768-P256", 1088}}) {
        expect_ok({"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--save-seed", "seed"});
        expect_ok({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"});
        std::string ct = read("ct");
        ct[static_cast<size_t>(at)] = 7;
        write("bad", ct);
        for (const Names &key : {Names{"--dk", "dk"}, Names{"--seed-file", "seed"}})
            expect_error(run({"decaps", set, key[0], key[1], "--ct", "bad", "--ss", "new"}), 1,
                         {"bad: invalid hybrid ciphertext"});
        EXPECT_FALSE(exists("new"));
    }
    expect_error(run({"kat", "X-Wing"}), 2, {"X-Wing: NIST's known-answer files have no hybrid", "latkem selftest"});
}

// OpenSSL 3.5 and newer know ML-KEM.
TEST_F(CliConvert, OpensslReadsAndWritesTheSameFiles)
{
    const std::string quiet = " >/dev/null 2>&1", in_folder = "cd '" + path("") + "' && ";
    if (std::system(("openssl genpkey -algorithm ML-KEM-768 -out /dev/null" + quiet).c_str()) != 0)
        GTEST_SKIP() << "skipped: there is no openssl of version 3.5 or newer";
    auto openssl = [&](const std::string &line) {
        return std::system((in_folder + "openssl " + line + quiet).c_str());
    };
    for (const std::string set : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
        EXPECT_EQ(openssl("genpkey -algorithm " + set + " -out theirs"), 0);
        EXPECT_EQ(openssl("pkey -in theirs -pubout -out theirs.pub"), 0);
        EXPECT_EQ(inspected("theirs")["form"], "both");
        EXPECT_EQ(converted({"--in", "theirs", "--format", "pem", "--private-form", "both"}), read("theirs"));
        EXPECT_EQ(converted({"--in", "theirs", "--public", "--format", "pem"}), read("theirs.pub"));
        for (const char *form : {"seed", "expanded", "both"}) {
            expect_ok(
                {"keygen", set, "--ek", "ek", "--dk", "dk", "--force", "--format", "pem", "--private-form", form});
            EXPECT_EQ(openssl("pkey -in dk -check -pubout -out dk.pub"), 0) << form;
            EXPECT_NE(read("dk.pub").find(read("ek")), std::string::npos) << form;
        }
    }
}

} // namespace
