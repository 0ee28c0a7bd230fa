// The command's base64, hex and PEM, compared with what RFC 4648 and RFC 7468 say in the plainest words.
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "der.cpp"
#include "identify.cpp"
#include "parse.cpp"
#include "pem.cpp"
#include "small_set.h"
#include "trials.h"

namespace
{

std::string string_of(const Buffer &bytes)
{
    return {bytes.begin(), bytes.end()};
}

// In memory of its own size, beyond which a sanitizer sees every access.
struct Exact {
    explicit Exact(const std::string &text) : bytes(reinterpret_cast<const uint8_t *>(text.data()), text.size())
    {
    }
    std::string_view view() const
    {
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }
    Buffer bytes;
};

const std::string digits_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The bytes of base64 text with white space in it, if it is the one text of them.
std::optional<std::string> base64_value(const std::string &text)
{
    std::string kept, value;
    for (char c : text)
        if (std::string(" \t\n\v\f\r").find(c) == std::string::npos) kept += c;
    if (kept.size() % 4 != 0) return {};
    for (size_t i = 0; i < kept.size(); i += 4) {
        const size_t padding = i + 4 < kept.size() ? 0 : kept[i + 3] != '=' ? 0 : kept[i + 2] != '=' ? 1 : 2;
        unsigned long bits = 0;
        for (size_t j = 0; j < 4; j++) {
            const size_t digit = j < 4 - padding ? digits_64.find(kept[i + j]) : 0;
            if (digit == std::string::npos) return {};
            bits = bits << 6 | digit;
        }
        for (size_t j = 0; j < 3; j++) {
            const unsigned long byte = bits >> (16 - 8 * j) & 255;
            if (j < 3 - padding) value += static_cast<char>(byte);
            if (j >= 3 - padding && byte != 0) return {};
        }
    }
    return value;
}

void check_base64(const std::string &text)
{
    const Exact exact(text);
    Buffer out(1);
    const bool good = decode_base64(exact.view(), out).empty();
    const std::optional<std::string> value = base64_value(text);
    CLAIM(good == value.has_value(), "the texts that RFC 4648 gives a value are taken, and no others");
    CLAIM(string_of(out) == value.value_or(""), "as their value, and nothing without one");
}

// A text of that length over an alphabet.
std::string choose_text(std::string_view alphabet, size_t size)
{
    std::string text;
    for (size_t i = 0; i < size; i++) text += alphabet[choose(alphabet.size())];
    return text;
}

std::string all_characters()
{
    std::string all;
    for (int c = 0; c < 256; c++) all += static_cast<char>(c);
    return all;
}

} // namespace

// Each place of four digits with every character, beside two others of a few.
void try_base64_characters()
{
    const std::string few = "Aw/=", one = choose_text(all_characters(), 1);
    const size_t place = choose(4);
    std::string text = choose_text(few, 4);
    text[place] = one[0];
    check_base64(text);
}

void try_base64()
{
    const size_t size = choose(7);
    const std::string text = choose_text("AQCw/=\n!", 6);
    check_base64(text.substr(0, size));
}

// Bytes become lines of base64, which are read again.
void try_encoding()
{
    const size_t size = choose(200);
    const uint8_t first = static_cast<uint8_t>(choose(256));
    Buffer bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = static_cast<uint8_t>(first * (i + 1) + 7 * i);
    const Exact text(string_of(encode_pem("X", bytes)));
    std::vector<PemBlock> blocks;
    CLAIM(is_pem(text.view()) && split_pem(text.view(), blocks).empty(), "what is written is PEM");
    CLAIM(blocks.size() == 1 && blocks[0].label == "X", "of one block");
    Buffer again;
    CLAIM(decode_base64(blocks[0].body, again).empty() && again == bytes, "and has the value that was written");
}

void try_hex()
{
    const size_t size = choose(4);
    const std::string text = (choose_text(all_characters(), 1) + choose_text("09aFgG/", 3)).substr(0, size);
    const Exact exact(text);
    const std::string digits = "0123456789abcdef";
    std::string value;
    bool good = size % 2 == 0;
    for (size_t i = 0; i < size; i++) {
        const size_t digit = digits.find(static_cast<char>(text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32 : text[i]));
        good = good && digit != std::string::npos;
        if (i % 2 == 1) value += static_cast<char>(16 * digits.find(static_cast<char>(text[i - 1] | 32)) + digit);
        if (i % 2 == 1 && text[i - 1] <= '9') value.back() = static_cast<char>(16 * (text[i - 1] - '0') + digit);
    }
    Buffer out(1);
    CLAIM(parse_hex(exact.view(), out).empty() == good, "pairs of hex digits are taken, and nothing else");
    CLAIM(string_of(out) == (good ? value : ""), "as their value, and nothing without one");
}

// Files of a few words: blocks lie in the file, between two marks with their label.
void try_pem()
{
    static const std::string words[] = {
        "", "-----BEGIN A-----", "-----END A-----", "-----END B-----", "\n", "\r\n", " ", "x", "-----BEGIN", "-----"};
    std::string text;
    for (int i = 0; i < WORDS; i++) text += words[choose(10)];
    const Exact exact(text);
    std::vector<PemBlock> blocks;
    const bool good = split_pem(exact.view(), blocks).empty();
    for (const PemBlock &block : blocks) {
        const char *const begin = exact.view().data(), *const end = begin + text.size();
        CLAIM(block.body.data() >= begin && block.body.data() + block.body.size() <= end, "a block lies in its file");
        const std::string before(begin, block.body.data()), after(block.body.data() + block.body.size(), end);
        CLAIM(before.find("-----BEGIN " + block.label + "-----") != std::string::npos, "it has a mark with its label");
        CLAIM(after.find("-----END " + block.label + "-----") <= after.find_first_not_of(" "), "and ends with another");
    }
    CLAIM(!good || !blocks.empty(), "a file without a block is none");
    CLAIM(!good || is_pem(exact.view()), "and what has blocks is PEM");
}

int main()
{
    return try_all(ENTRY);
}
