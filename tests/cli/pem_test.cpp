// PEM and base64, called directly; and which files are taken for PEM, DER or raw.
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <numeric>

#include <gtest/gtest.h>

#include "keys.h"
#include "pem.h"

namespace
{

Buffer to_buffer(std::string_view text)
{
    return Buffer(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

std::string to_text(const Buffer &bytes)
{
    return std::string(text_of(bytes));
}

// RFC 4648 section 10.
TEST(CliPem, KnownBase64)
{
    const std::pair<const char *, const char *> answers[] = {{"", ""},
                                                             {"f", "Zg=="},
                                                             {"fo", "Zm8="},
                                                             {"foo", "Zm9v"},
                                                             {"foob", "Zm9vYg=="},
                                                             {"fooba", "Zm9vYmE="},
                                                             {"foobar", "Zm9vYmFy"}};
    for (const auto &[plain, text] : answers) {
        Buffer out(3);
        EXPECT_EQ(decode_base64(text, out), "");
        EXPECT_EQ(to_text(out), plain);
        const std::string line = *text == '\0' ? "" : std::string(text) + "\n";
        EXPECT_EQ(to_text(encode_pem("X", to_buffer(plain))), "-----BEGIN X-----\n" + line + "-----END X-----\n");
    }
}

// All 64 digits, and lines of 64 of them.
TEST(CliPem, EveryByteValueComesBack)
{
    for (size_t size : {1, 2, 3, 47, 48, 49, 95, 96, 97, 768}) {
        Buffer bytes(size);
        std::iota(bytes.data(), bytes.data() + size, uint8_t{0});
        const std::string text = to_text(encode_pem("PUBLIC KEY", bytes));
        std::vector<PemBlock> blocks;
        ASSERT_EQ(split_pem(text, blocks), "") << text;
        ASSERT_EQ(blocks.size(), 1u);
        EXPECT_EQ(blocks[0].label, "PUBLIC KEY");
        Buffer back;
        EXPECT_EQ(decode_base64(blocks[0].body, back), "");
        EXPECT_EQ(back, bytes);
        for (size_t line = 27; line < text.size() - 26; line += 65)
            EXPECT_EQ(text.find('\n', line), std::min(line + 64, text.size() - 26)) << text;
    }
}

TEST(CliPem, OnlyCanonicalBase64)
{
    const std::string cut = "PEM: the base64 is cut off or not canonical", alien = "PEM: a character is not of base64";
    Buffer out(3);
    for (const char *text :
         {"Z", "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9vY", "Zh==", "Zm9=", "Zm9vYh==", "=", "===="}) {
        EXPECT_EQ(decode_base64(text, out), cut) << text;
        EXPECT_TRUE(out.empty());
    }
    for (const char *text : {"Zg=g", "Zg==Zg==", "=Zg=", "Zm9-", "Zm9_", "Zm9*"})
        EXPECT_EQ(decode_base64(text, out), alien);
    for (int c = 0; c < 256; c++) {
        const char digit = static_cast<char>(c);
        const bool is_white = c != 0 && std::string_view(" \t\n\v\f\r").find(digit) != std::string_view::npos;
        const bool is_good = c == '+' || c == '/' || (c < 128 && std::isalnum(c));
        EXPECT_EQ(decode_base64(std::string{'Z', 'm', digit, 'v'}, out), is_good ? "" : is_white ? cut : alien) << c;
    }
}

TEST(CliPem, WhiteSpaceIsSkipped)
{
    Buffer out;
    EXPECT_EQ(decode_base64(" Zm\r\n9v \t\r\nYm\n\nFy\n", out), "");
    EXPECT_EQ(to_text(out), "foobar");
}

TEST(CliPem, BlocksAndWhatStandsAround)
{
    std::vector<PemBlock> blocks;
    EXPECT_EQ(split_pem("subject=a\n-----BEGIN A-----\nZm9v\n-----END A-----\nnote\n \t-----BEGIN B C-----  \r\n"
                        "Zm9v  \r\nYmFy\r\n-----END B C-----\t\r\n",
                        blocks),
              "");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].label, "A");
    EXPECT_EQ(blocks[0].body, "\nZm9v\n");
    EXPECT_EQ(blocks[1].label, "B C");
    Buffer out;
    EXPECT_EQ(decode_base64(blocks[1].body, out), "");
    EXPECT_EQ(to_text(out), "foobar");
    EXPECT_EQ(split_pem("-----BEGIN A-----\rZm9v\r-----END A-----", blocks), "") << "lines may end with CR alone";
    EXPECT_EQ(blocks.size(), 1u);
}

TEST(CliPem, FaultyFrames)
{
    const std::string cut = "PEM: the block PUBLIC KEY has no end", damaged = "PEM: a line BEGIN is damaged";
    const std::pair<const char *, std::string> files[] = {
        {"-----BEGIN PUBLIC KEY-----\nZm9v\n", cut},
        {"-----BEGIN PUBLIC KEY-----\nZm9v\n-----END B-----\n", cut},
        {"-----BEGIN PUBLIC KEY-----\nZm9v\n-----END PUBLIC KEY----\n", cut},
        {"-----BEGIN PUBLIC KEY-----\nZm9v\n-----ENDPUBLIC KEY-----\n", cut},
        {"-----BEGIN PUBLIC KEY-----\nZm9v\n-----END PUBLIC KEY", cut},
        {"-----BEGIN PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\nZm9v\n-----END PUBLIC KEY-----\n", cut},
        {"-----BEGIN PUBLIC KEY-----", cut},
        {"-----BEGIN A-----\nZm9v\n", "PEM: the block (unknown label) has no end"},
        {"-----BEGIN-----\nZm9v\n-----END-----\n", damaged},
        {"-----BEGIN A---\nZm9v\n", damaged},
        {"-----BEGIN A---\nZm9v\n-----END A-----\n", damaged},
        {"-----BEGINA-----\nZm9v\n-----END A-----\n", damaged},
        {"-----BEGIN \x1b[31m-----\nZm9v\n", damaged},
        {"", "PEM: no block begins"},
    };
    for (const auto &[text, fault] : files) {
        std::vector<PemBlock> blocks;
        EXPECT_EQ(split_pem(text, blocks), fault) << text;
    }
}

TEST(CliPem, LineEndsMayBeLostOrWritten)
{
    for (const char *text :
         {"-----BEGIN A-----Zm9v-----END A-----", "x -----BEGIN A----- Zm9v -----END A-----x",
          "-----BEGIN A-----\\nZm\\r\\n9v\\n-----END A-----\\n", "-----BEGIN A-----\\\\nZm9v-----END A-----",
          "-----BEGIN A-----\nZm\\\n9v\\t-----END A-----"}) {
        std::vector<PemBlock> blocks;
        Buffer out;
        EXPECT_EQ(split_pem(text, blocks), "") << text;
        ASSERT_EQ(blocks.size(), 1u) << text;
        EXPECT_EQ(blocks[0].label, "A");
        EXPECT_EQ(decode_base64(blocks[0].body, out), "") << text;
        EXPECT_EQ(to_text(out), "foo");
    }
    Buffer out;
    EXPECT_EQ(decode_base64("Zm9\\/", out), "") << "JSON may write / so";
    for (const char *text : {"Zm9v\\", "Zm9v\\x", "Zm9v\\u000a", "Zm9v\\\"", "\\"})
        EXPECT_EQ(decode_base64(text, out), "PEM: a character is not of base64") << text;
}

TEST(CliPem, OnlyKnownLabelsAreShown)
{
    EXPECT_EQ(shown_label("RSA PRIVATE KEY"), "RSA PRIVATE KEY");
    for (const char *label : {"MFQCAQAwCwYJ", "PRIVATE KEY ", "private key", ""})
        EXPECT_EQ(shown_label(label), "(unknown label)");
}

TEST(CliPem, IsKnownByItsBegin)
{
    EXPECT_TRUE(is_pem("-----BEGIN A-----"));
    EXPECT_TRUE(is_pem(" \r\n\tBag Attributes\n-----BEGIN A-----"));
    EXPECT_TRUE(is_pem("Schl\xc3\xbcssel\n-----BEGIN"));
    EXPECT_TRUE(is_pem(std::string_view("\0-----BEGIN A-----", 18)));
    EXPECT_FALSE(is_pem("-----BEGI"));
    EXPECT_FALSE(is_pem(""));
    for (const bool is_little : {true, false}) {
        std::string wide;
        for (const char c : std::string("-----BEGIN A-----"))
            wide += is_little ? std::string{c, '\0'} : std::string{'\0', c};
        EXPECT_TRUE(is_pem(wide));
        EXPECT_EQ(to_text(narrowed(wide)), "-----BEGIN A-----");
        EXPECT_FALSE(is_pem(wide.substr(0, 18)));
    }
    EXPECT_EQ(to_text(narrowed("a\nb")), "a\nb");
}

Encoding encoding_of(const Buffer &bytes)
{
    return read_key_file(bytes, Kind::unknown).encoding;
}

// A SEQUENCE that says this length in so many more bytes.
Buffer sequence(size_t length, size_t more, size_t present)
{
    Buffer bytes(2 + more + present);
    bytes[0] = 0x30;
    bytes[1] = static_cast<uint8_t>(more == 0 ? length : 0x80 | more);
    for (size_t i = 0; i < more; i++) bytes[2 + i] = static_cast<uint8_t>(length >> 8 * (more - 1 - i));
    return bytes;
}

TEST(CliKeyFileKind, DerEndsWithTheFile)
{
    for (size_t length : {0, 1, 29, 31, 61, 63, 127})
        EXPECT_EQ(encoding_of(sequence(length, 0, length)), Encoding::der);
    for (size_t length : {200, 255, 818, 3262, 65000})
        for (size_t more : {size_t{length < 256 ? 1U : 2U}, size_t{3}, size_t{4}}) {
            EXPECT_EQ(encoding_of(sequence(length, more, length)), Encoding::der) << length << " " << more;
            EXPECT_EQ(encoding_of(sequence(length, more, length - 1)), Encoding::raw) << length << " " << more;
            EXPECT_EQ(encoding_of(sequence(length, more, length + 1)), Encoding::raw) << length << " " << more;
        }
    EXPECT_EQ(encoding_of(sequence(300, 5, 300)), Encoding::raw);
    Buffer indefinite = sequence(0, 0, 86);
    indefinite[1] = 0x80;
    EXPECT_EQ(encoding_of(indefinite), Encoding::raw);
    Buffer set = sequence(100, 0, 100);
    set[0] = 0x31;
    EXPECT_EQ(encoding_of(set), Encoding::raw);
    EXPECT_EQ(encoding_of(Buffer()), Encoding::raw);
    EXPECT_EQ(encoding_of(Buffer(1, 0x30)), Encoding::raw);
}

// A random seed begins with the two bytes of a SEQUENCE of its length once in 65536 times.
TEST(CliKeyFileKind, SeedsAreRaw)
{
    EXPECT_EQ(encoding_of(sequence(30, 0, 30)), Encoding::raw);
    EXPECT_EQ(encoding_of(sequence(62, 0, 62)), Encoding::raw);
}

} // namespace
