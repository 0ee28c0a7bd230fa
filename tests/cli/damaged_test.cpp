// Key files as they are damaged, joined, re-encoded and bundled in practice: each is read, or refused with one line that
// names what the file is. No output holds a piece of the key, neither of a file nor of an argument.
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <functional>
#include <set>

#include <nlohmann/json.hpp>

#include "harness/model/crypto.h"
#include "identify.h"
#include "keys.h"
#include "pem.h"
#include "run.h"

namespace
{

using nlohmann::json;
using Line = std::vector<std::string>;

const std::string set = "ML-KEM-512";

std::string to_text(const Buffer &bytes)
{
    return std::string(text_of(bytes));
}

Buffer to_buffer(const std::string &text)
{
    return Buffer(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

std::string hex(const std::string &bytes)
{
    return to_hex(Bytes(bytes.begin(), bytes.end()));
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string without(const std::string &text, const std::string &characters)
{
    std::string kept;
    for (char c : text)
        if (characters.find(c) == std::string::npos) kept += c;
    return kept;
}

// A key pair in the forms that a damage may begin with.
struct Originals {
    std::string pem, der, base64, ek; // a private key; base64 in one line; the public key in PEM
};

// Each piece of six characters or bytes.
std::set<std::string> pieces_of(const Originals &key)
{
    std::set<std::string> pieces;
    std::string capitals = hex(key.der);
    for (char &c : capitals) c = static_cast<char>(std::toupper(c));
    const std::string url = replaced(replaced(key.base64, "+", "-"), "/", "_");
    for (const std::string &text : {key.base64, url, hex(key.der), capitals, key.der})
        for (size_t i = 0; i + 6 <= text.size(); i++) pieces.insert(text.substr(i, 6));
    return pieces;
}

void expect_no_piece(const std::set<std::string> &pieces, const Result &result)
{
    for (const std::string &text : {result.out, result.err})
        for (size_t i = 0; i + 6 <= text.size(); i++)
            EXPECT_EQ(pieces.count(text.substr(i, 6)), 0u) << "a piece of the key is shown: " << text;
}

struct Damage {
    const char *name;
    std::function<std::string(const Originals &)> apply;
    const char *fault; // a part of the line that refuses the file; "" if it is read
};

std::string wrapped(const std::string &text, size_t width, const std::string &begin, const std::string &end)
{
    std::string lines;
    for (size_t i = 0; i < text.size(); i += width) lines += begin + text.substr(i, width) + end;
    return lines;
}

std::string block(const std::string &label, const std::string &body)
{
    return "-----BEGIN " + label + "-----\n" + body + "-----END " + label + "-----\n";
}

// A text as Windows programs write it.
std::string utf16(const std::string &text, bool is_little, bool has_mark)
{
    std::string wide = !has_mark ? "" : is_little ? "\xff\xfe" : "\xfe\xff";
    for (char c : text) wide += is_little ? std::string{c, '\0'} : std::string{'\0', c};
    return wide;
}

std::string hex_dump(const std::string &bytes)
{
    std::string dump;
    for (size_t i = 0; i < bytes.size(); i += 16) {
        char number[24];
        (void)std::snprintf(number, sizeof number, "%08zx: ", i);
        dump += number + wrapped(hex(bytes.substr(i, 16)), 4, "", " ") + " ................\n";
    }
    return dump;
}

std::string bytes_of_hex(const std::string &text)
{
    const Bytes bytes = from_hex(text);
    return {bytes.begin(), bytes.end()};
}

const Damage damages[] = {
    // Read: nothing is lost and nothing is unclear.
    {"as it is", [](const Originals &k) { return k.pem; }, ""},
    {"DER", [](const Originals &k) { return k.der; }, ""},
    {"echo $KEY", [](const Originals &k) { return replaced(k.pem, "\n", " "); }, ""},
    {"no line ends at all", [](const Originals &k) { return without(k.pem, "\n"); }, ""},
    {"\\n as two characters", [](const Originals &k) { return replaced(k.pem, "\n", "\\n"); }, ""},
    {"\\r\\n as four", [](const Originals &k) { return replaced(k.pem, "\n", "\\r\\n"); }, ""},
    {"\\\\n: JSON in JSON", [](const Originals &k) { return replaced(k.pem, "\n", "\\\\n"); }, ""},
    {"JSON", [](const Originals &k) { return "{\"key\": \"" + replaced(k.pem, "\n", "\\n") + "\"}\n"; }, ""},
    {"JSON of PHP",
     [](const Originals &k) { return "{\"key\":\"" + replaced(replaced(k.pem, "/", "\\/"), "\n", "\\n") + "\"}"; }, ""},
    {"a line of .env", [](const Originals &k) { return "KEY=\"" + replaced(k.pem, "\n", "\\n") + "\"\n"; }, ""},
    {"YAML", [](const Originals &k) { return "key: |\n  " + replaced(k.pem, "\n", "\n  "); }, ""},
    {"tabs", [](const Originals &k) { return "\t" + replaced(k.pem, "\n", "\n\t"); }, ""},
    {"CRLF", [](const Originals &k) { return replaced(k.pem, "\n", "\r\n"); }, ""},
    {"CR alone", [](const Originals &k) { return replaced(k.pem, "\n", "\r"); }, ""},
    {"empty lines", [](const Originals &k) { return replaced(k.pem, "\n", "\n\n"); }, ""},
    {"UTF-8 with a mark", [](const Originals &k) { return "\xef\xbb\xbf" + k.pem; }, ""},
    {"UTF-16 with a mark", [](const Originals &k) { return utf16(replaced(k.pem, "\n", "\r\n"), true, true); }, ""},
    {"UTF-16, big-endian, with a mark", [](const Originals &k) { return utf16(k.pem, false, true); }, ""},
    {"UTF-16 without a mark", [](const Originals &k) { return utf16(k.pem, true, false); }, ""},
    {"UTF-16, big-endian, without one", [](const Originals &k) { return utf16(k.pem, false, false); }, ""},
    {"openssl pkcs12",
     [](const Originals &k) {
         return "Bag Attributes\n    localKeyID: 01 02\nKey Attributes: <No Attributes>\n" + k.pem;
     },
     ""},
    {"openssl pkey -text", [](const Originals &k) { return k.pem + "ML-KEM-512 Private-Key:\nseed:\n    00:01\n"; },
     ""},
    {"a terminal's escapes before it", [](const Originals &k) { return "\033[0m" + k.pem; }, ""},
    {"a certificate before it", [](const Originals &k) { return block("CERTIFICATE", "MAA=\n") + k.pem; }, ""},
    {"cat without a line end between",
     [](const Originals &k) { return without(block("CERTIFICATE", "MAA=\n"), "") + without(k.pem, "\n") + k.pem; }, ""},
    {"the public key before it", [](const Originals &k) { return k.ek + k.pem; }, ""},
    {"lines of 76", [](const Originals &k) { return block("PRIVATE KEY", wrapped(k.base64, 76, "", "\n")); }, ""},
    {"lines of 5", [](const Originals &k) { return block("PRIVATE KEY", wrapped(k.base64, 5, "", "\n")); }, ""},
    {"one line", [](const Originals &k) { return block("PRIVATE KEY", k.base64 + "\n"); }, ""},
    // Refused.
    {"an empty file", [](const Originals &) { return ""; }, "an empty file"},
    {"a letter", [](const Originals &) { return "Dear Alice, I have lost my key and kept yours.\n"; }, "text"},
    {"base64 alone", [](const Originals &k) { return k.base64; }, "base64 of DER"},
    {"base64 alone in lines", [](const Originals &k) { return wrapped(k.base64, 64, "", "\n"); }, "base64 of DER"},
    {"base64 for URLs",
     [](const Originals &k) { return replaced(replaced(without(k.base64, "="), "+", "-"), "/", "_"); },
     "base64 of DER"},
    {"base64 in quotes", [](const Originals &k) { return "\"" + k.base64 + "\"\n"; }, "base64 of DER"},
    {"base64 of PEM, as in Kubernetes",
     [](const Originals &k) {
         const std::string text = to_text(encode_pem("X", to_buffer(k.pem)));
         return without(text.substr(18, text.size() - 34), "\n");
     },
     "base64 of PEM"},
    {"hex", [](const Originals &k) { return hex(k.der) + "\n"; }, "looks like hex"},
    {"hex as long as a seed", [](const Originals &k) { return hex(k.der).substr(44, 64); },
     "hex; latkem reads raw bytes"},
    {"hex with colons", [](const Originals &k) { return wrapped(hex(k.der), 2, "", ":"); }, "looks like hex"},
    {"hex as a list of C", [](const Originals &k) { return wrapped(hex(k.der), 2, "0x", ", "); }, "looks like hex"},
    {"xxd", [](const Originals &k) { return hex_dump(k.der); }, "a hex dump"},
    {"the label of a public key", [](const Originals &k) { return replaced(k.pem, "PRIVATE", "PUBLIC"); }, "holds"},
    {"the label of RSA", [](const Originals &k) { return replaced(k.pem, "PRIVATE", "RSA PRIVATE"); },
     "RSA PRIVATE KEY"},
    {"the label of OpenSSH", [](const Originals &k) { return replaced(k.pem, "PRIVATE", "OPENSSH PRIVATE"); },
     "OPENSSH PRIVATE KEY"},
    {"the label of a certificate", [](const Originals &k) { return replaced(k.pem, "PRIVATE KEY", "CERTIFICATE"); },
     "CERTIFICATE"},
    {"the armour of PGP", [](const Originals &k) { return replaced(k.pem, "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"); },
     "PGP PRIVATE KEY BLOCK"},
    {"the key in the label",
     [](const Originals &k) { return "-----BEGIN " + k.base64 + "-----\nMAA=\n-----END " + k.base64 + "-----\n"; },
     "(unknown label)"},
    {"BEGIN's dashes lost behind the label",
     [](const Originals &k) { return replaced(without(k.pem, "\n"), "KEY-----M", "KEY M"); }, "PEM: "},
    {"no BEGIN", [](const Originals &k) { return k.pem.substr(28); }, "PEM without its line BEGIN"},
    {"no END", [](const Originals &k) { return k.pem.substr(0, k.pem.find("-----END")); }, "PRIVATE KEY has no end"},
    {"another END", [](const Originals &k) { return replaced(k.pem, "END PRIVATE", "END PUBLIC"); },
     "PRIVATE KEY has no end"},
    {"cut off in the key", [](const Originals &k) { return k.pem.substr(0, 100); }, "PRIVATE KEY has no end"},
    {"cut off, then a whole one", [](const Originals &k) { return k.pem.substr(0, 100) + k.pem; },
     "PRIVATE KEY has no end"},
    {"four dashes", [](const Originals &k) { return replaced(k.pem, "-----", "----"); },
     "PEM whose line BEGIN is damaged"},
    {"dashes of a word processor", [](const Originals &k) { return replaced(k.pem, "-----", "\xe2\x80\x94--"); },
     "PEM whose line BEGIN is damaged"},
    {"one digit less", [](const Originals &k) { return replaced(k.pem, "\nMF", "\nM"); }, "PEM: the base64 is cut off"},
    {"quotes around lines",
     [](const Originals &k) { return block("PRIVATE KEY", wrapped(k.base64, 64, "\"", "\\n\" +\n")); },
     "PEM: a character is not of base64"},
    {"quoted in mail", [](const Originals &k) { return "> " + replaced(k.pem, "\n", "\n> "); },
     "PEM: a character is not of base64"},
    {"quoted-printable", [](const Originals &k) { return block("PRIVATE KEY", wrapped(k.base64, 75, "", "=\n")); },
     "PEM: a character is not of base64"},
    {"Proc-Type",
     [](const Originals &k) {
         return replaced(k.pem, "KEY-----\nM", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nM");
     },
     "PEM: a character is not of base64"},
    {"DER with bytes behind it", [](const Originals &k) { return k.der + "\n"; },
     "a private key of ML-KEM-512 (PKCS#8), with 1 bytes behind its end"},
    {"DER twice", [](const Originals &k) { return k.der + k.der; }, "with 86 bytes behind its end"},
    {"DER cut off", [](const Originals &k) { return k.der.substr(0, 80); }, "DER that is cut off"},
    {"BER of indefinite length", [](const Originals &k) { return "\x30\x80" + k.der.substr(2) + std::string(2, '\0'); },
     "BER of indefinite length"},
    {"DER with a length too long", [](const Originals &k) { return "\x30\x81" + k.der.substr(1); },
     "is no private key of ML-KEM or X-Wing (PKCS#8)"},
    {"OpenSSH's own file",
     [](const Originals &k) { return block("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEA\n" + k.base64 + "\n"); },
     "OPENSSH PRIVATE KEY"},
    {"PKCS#12",
     [](const Originals &k) { return bytes_of_hex("305d020103") + "\x30\x58" + bytes_of_hex("0600") + k.der; },
     "PKCS#12"},
    {"PKCS#1", [](const Originals &) { return bytes_of_hex("3009020100020103020105"); }, "RSA or DSA (PKCS#1)"},
    {"SEC 1", [](const Originals &) { return bytes_of_hex("300702010104020102"); }, "an elliptic curve (SEC 1)"},
    {"a key of Ed25519", [](const Originals &) { return bytes_of_hex("300e020100300506032b657004020400"); },
     "a private key of Ed25519 (PKCS#8)"},
    {"gzip", [](const Originals &k) { return "\x1f\x8b\x08" + k.der; }, "gzip data"},
    {"a zip archive", [](const Originals &k) { return "PK\x03\x04" + k.der; }, "a zip archive"},
    {"xz", [](const Originals &k) { return std::string("\xfd\x37zXZ\0", 6) + k.der; }, "xz data"},
    {"a public key of OpenSSH", [](const Originals &k) { return "ssh-ed25519 " + k.base64 + "\n"; },
     "a public key of OpenSSH"},
    {"a JSON Web Key", [](const Originals &k) { return "{\"kty\":\"AKP\",\"priv\":\"" + k.base64 + "\"}"; },
     "a JSON Web Key"},
    {"a key of PuTTY", [](const Originals &k) { return "PuTTY-User-Key-File-3: ssh\n" + k.base64 + "\n"; },
     "a private key of PuTTY"},
    {"a Java key store", [](const Originals &k) { return "\xfe\xed\xfe\xed" + k.der; }, "a Java key store"},
};

class CliDamagedKeys : public CommandTest
{
  protected:
    Originals originals() const
    {
        EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--dk", "pem", "--format", "pem"}).status, 0);
        EXPECT_EQ(run({"convert", "--in", "pem", "--format", "der", "--out", "der"}).status, 0);
        EXPECT_EQ(run({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss", "--force"}).status, 0);
        const std::string pem = read("pem");
        return {pem, read("der"), without(pem.substr(28, pem.find("-----END") - 28), "\n"), read("ek")};
    }
    // Commands that read a key, a seed or another file from the file key.
    static std::vector<Line> readers()
    {
        return {{"inspect", "key", "--json"},
                {"check", set, "--dk", "key", "--json"},
                {"convert", "--in", "key", "--format", "raw", "--out", "new"},
                {"keygen", set, "--seed-file", "key", "--ek", "new", "--dk", "new2"},
                {"encaps", set, "--ek", "key", "--ct", "new", "--ss", "new2"},
                {"decaps", set, "--dk", "pem", "--ct", "key", "--ss", "new"},
                {"kex", "uake", "start", "Kyber512", "--ek", "key", "--message1", "new", "--state", "new2", "--quiet"}};
    }
    void expect_read() const
    {
        const Result opened = run({"decaps", set, "--dk", "key", "--ct", "ct", "--ss", "-"});
        EXPECT_EQ(opened.status, 0) << opened.err;
        EXPECT_EQ(opened.out, read("ss"));
    }
    void expect_refused(const char *fault, const std::set<std::string> &pieces) const
    {
        for (const Line &line :
             {Line{"inspect", "key"}, {"decaps", set, "--dk", "key", "--ct", "ct", "--ss", "new3"}}) {
            const Result result = run(line);
            expect_error(result, 1, {"latkem: key: ", fault});
            expect_no_piece(pieces, result);
        }
        EXPECT_FALSE(exists("new3"));
    }
};

TEST_F(CliDamagedKeys, AreReadOrNamed)
{
    const Originals key = originals();
    const std::set<std::string> pieces = pieces_of(key);
    for (const Damage &damage : damages) {
        SCOPED_TRACE(damage.name);
        write("key", damage.apply(key));
        if (*damage.fault == '\0')
            expect_read();
        else
            expect_refused(damage.fault, pieces);
        for (const Line &line : readers()) {
            SCOPED_TRACE(testing::PrintToString(line));
            for (const char *made : {"new", "new2"}) (void)std::remove(path(made).c_str());
            const Result result = run(line);
            expect_no_piece(pieces, result);
        }
    }
}

// A key in the place of an argument: of a shell, of a script, or of someone in a hurry.
TEST_F(CliDamagedKeys, AreNotShownOfArguments)
{
    const Originals key = originals();
    const std::set<std::string> pieces = pieces_of(key);
    std::string seed = key.der.substr(key.der.size() - 64);
    const std::string body = key.pem.substr(28, key.pem.find("-----END") - 28);
    for (const std::string &value : {key.pem, replaced(key.pem, "\n", " "), body, key.base64, hex(key.der), hex(seed),
                                     replaced(without(key.base64, "="), "+", "-")}) {
        const Line lines[] = {{value},
                              {"help", value},
                              {"inspect", value},
                              {"inspect", value, "--json"},
                              {"check", value, "--dk", "pem"},
                              {"check", set, "--dk", value},
                              {"check", set, "--dk", value, "--json"},
                              {"check", set, "--dk", "pem", value},
                              {"check", set, "--key", value},
                              {"check", set, "--dk", "pem", "--backend", value},
                              {"check", set, "--dk=" + value, "--json"},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--seed-file", value},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", value + "0"},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--seed-hex", value, "--seed-file", value},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--seed", value},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--format", value},
                              {"keygen", set, "--ek", "new", "--dk", "new2", "--private-form", value},
                              {"keygen", set, "--ek", "new", "--dk", value + "/"},
                              {"convert", "--in", value, "--format", "pem", "--out", "new"},
                              {"convert", "--in", "pem", "--format", "der", "--out", "nowhere/" + value},
                              {"seal", set, "--ek", "ek", "--in", "ek", "--out", "new", "--cipher", value},
                              {"kat", set, "--count", value},
                              {"speed", set, "--seconds", value}};
        for (const Line &line : lines) {
            SCOPED_TRACE(testing::PrintToString(line).substr(0, 100));
            const Result result = run(line);
            EXPECT_NE(result.status, 0);
            expect_no_piece(pieces, result);
            EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        }
    }
    EXPECT_FALSE(exists("new") || exists("new2"));
    expect_error(run({"keygen", set, "--ek", "new", "--dk", key.pem}), 2, {"--dk: the value is a key, where the name"});
}

// Text that is no key stays in messages.
TEST_F(CliDamagedKeys, NamesAreShown)
{
    for (const std::string name : {"/home/Alice/Documents/Keys2026/Project-of-ours/alice-private-key",
                                   "backup-550e8400-e29b-41d4-a716-446655440000-of-2026-11-26.pem",
                                   "/nix/da39a3ee5e6b4b0d3255bfef95601890afd80709/key"})
        expect_error(run({"check", set, "--dk", name}), 1, {name + ": No such file"});
}

// Random keys begin with any byte.
TEST(CliIdentify, BinaryHasNoName)
{
    for (int first = 0; first < 256; first++)
        for (int second : {0x00, 0x8b, 0x80, 0x82})
            EXPECT_EQ(
                identify(std::string{static_cast<char>(first), static_cast<char>(second), '\x00', '\x01', '\x07'} +
                         std::string(800, '\x02')),
                "")
                << first;
    EXPECT_EQ(identify("{\"key\": 1}"), "JSON");
}

TEST(CliIdentify, NamesBase64)
{
    const char *const of_der = "base64 of DER, without the lines BEGIN and END of PEM";
    for (const char *text : {"MA4CAQEECfv//vv//vv//g==", "MA4CAQEECfv__vv__vv__g", "MA4CAQEE\nCfv//vv//vv//g"})
        EXPECT_EQ(identify(text), of_der) << text;
    EXPECT_EQ(identify("bm8ga2V5LCBubyBERVI="), "base64");
    EXPECT_EQ(identify("c2hvcnQ="), "") << "as short as a word";
}

} // namespace
