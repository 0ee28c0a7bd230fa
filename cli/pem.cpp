// PEM and its base64.
// SPDX-License-Identifier: Apache-2.0
#include "pem.h"

namespace
{

constexpr std::string_view begin_mark = "-----BEGIN", end_mark = "-----END", dashes = "-----";
constexpr std::string_view white_space = " \t\n\v\f\r";

bool is_white(char c)
{
    return white_space.find(c) != std::string_view::npos;
}

// Takes the text up to the mark, which goes too, and says whether there is one.
bool take_until(std::string_view &text, std::string_view mark, std::string_view &taken)
{
    const size_t at = text.find(mark);
    taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + mark.size());
    return at != std::string_view::npos;
}

// Takes the rest of a line such as "-----BEGIN PUBLIC KEY-----" and gives its label; "" if it is no such line.
std::string_view take_label(std::string_view &text)
{
    std::string_view rest = text, label;
    if (rest.substr(0, 1) != " " || !take_until(rest, dashes, label)) return {};
    label.remove_prefix(1);
    if (!std::all_of(label.begin(), label.end(), [](char c) { return c >= 0x20 && c < 0x7f; })) return {};
    text = rest;
    return label;
}

// Every second byte of text in UTF-16 is 0 where it is of ASCII.
bool is_wide(std::string_view text)
{
    std::string mark;
    for (char c : begin_mark) mark.append({c, '\0'});
    return text.find(std::string_view(mark).substr(0, mark.size() - 1)) != std::string_view::npos;
}

// The meaning of a backslash and the letter behind it: text that went through JSON, a shell or printf has such line
// ends. Gives how many characters to skip at the beginning of the text, 0 if they mean nothing.
size_t escaped_white(std::string_view text)
{
    const size_t letter = std::min(text.find_first_not_of('\\'), text.size());
    if (letter == 0 || letter == text.size()) return 0;
    const char c = text[letter];
    if (c == 'n' || c == 'r' || c == 't') return letter + 1;
    return c == '/' || is_white(c) ? letter : 0;
}

// All ones if a < b, otherwise 0; both are below 2^31.
uint32_t below(uint32_t a, uint32_t b)
{
    return 0U - ((a - b) >> 31);
}

uint32_t within(uint32_t c, char first, char last)
{
    return ~below(c, static_cast<uint8_t>(first)) & below(c, static_cast<uint8_t>(last) + 1U);
}

// The value of a base64 digit, or 255.
uint8_t value_of(char digit)
{
    const uint32_t c = static_cast<uint8_t>(digit);
    uint32_t value = within(c, 'A', 'Z') & (c - 'A');
    value |= within(c, 'a', 'z') & (c - 'a' + 26);
    value |= within(c, '0', '9') & (c - '0' + 52);
    value |= within(c, '+', '+') & 62;
    value |= within(c, '/', '/') & 63;
    const uint32_t known = within(c, 'A', 'Z') | within(c, 'a', 'z') | within(c, '0', '9') | within(c, '+', '+') |
                           within(c, '/', '/');
    return static_cast<uint8_t>(value | ~known);
}

uint8_t digit_of(uint32_t value)
{
    uint32_t digit = 'A' + value;
    digit += ~below(value, 26) & ('a' - 26U - 'A');
    digit += ~below(value, 52) & ('0' - 52U - ('a' - 26U));
    digit += ~below(value, 62) & ('+' - 62U - ('0' - 52U));
    digit += ~below(value, 63) & ('/' - 63U - ('+' - 62U));
    return static_cast<uint8_t>(digit);
}

struct Digits {
    Buffer values;
    size_t count = 0, padding = 0;
    bool good = true; // all are digits, and padding is behind them
};

Digits take_digits(std::string_view text)
{
    Digits digits = {Buffer(text.size())};
    uint8_t seen = 0;
    for (size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        const size_t skipped = is_white(c) ? 1 : escaped_white(text.substr(i));
        if (skipped > 0) {
            i += skipped - 1;
            continue;
        }
        if (c == '=') {
            digits.padding++;
            continue;
        }
        digits.good = digits.good && digits.padding == 0;
        const uint8_t value = value_of(c);
        seen |= value;
        digits.values[digits.count++] = value;
    }
    digits.good = digits.good && seen < 64;
    return digits;
}

// Behind the last byte there are 0, 2 or 4 bits of the last digit.
bool is_canonical(const Digits &digits)
{
    const size_t over = digits.count % 4;
    if (over == 1 || digits.padding != (4 - over) % 4) return false;
    const uint8_t unused = over == 2 ? 15 : over == 3 ? 3 : 0;
    return over == 0 || (digits.values[digits.count - 1] & unused) == 0;
}

void add_base64(uint8_t *&end, const uint8_t *data, size_t size) // of 1 to 3 bytes
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; i++) bits = bits << 8 | (i < size ? data[i] : 0U);
    for (size_t i = 0; i < 4; i++) *end++ = i <= size ? digit_of(bits >> (18 - 6 * i) & 63) : '=';
}

} // namespace

bool is_pem(std::string_view text)
{
    return text.find(begin_mark) != std::string_view::npos || is_wide(text);
}

Buffer narrowed(std::string_view text)
{
    Buffer narrow(text.size());
    const auto end = is_wide(text)
                         ? std::copy_if(text.begin(), text.end(), narrow.data(), [](char c) { return c != 0; })
                         : std::copy(text.begin(), text.end(), narrow.data());
    return Buffer(narrow.data(), static_cast<size_t>(end - narrow.data()));
}

std::string shown_label(std::string_view label)
{
    constexpr std::string_view known[] = {"PUBLIC KEY",
                                          "PRIVATE KEY",
                                          "ENCRYPTED PRIVATE KEY",
                                          "RSA PRIVATE KEY",
                                          "RSA PUBLIC KEY",
                                          "EC PRIVATE KEY",
                                          "EC PARAMETERS",
                                          "DSA PRIVATE KEY",
                                          "DH PARAMETERS",
                                          "OPENSSH PRIVATE KEY",
                                          "ENCRYPTED COSIGN PRIVATE KEY",
                                          "PGP PRIVATE KEY BLOCK",
                                          "PGP PUBLIC KEY BLOCK",
                                          "PGP MESSAGE",
                                          "CERTIFICATE",
                                          "X509 CERTIFICATE",
                                          "TRUSTED CERTIFICATE",
                                          "CERTIFICATE REQUEST",
                                          "NEW CERTIFICATE REQUEST",
                                          "X509 CRL",
                                          "PKCS7",
                                          "CMS",
                                          "AGE ENCRYPTED FILE"};
    const bool is_known = std::find(std::begin(known), std::end(known), label) != std::end(known);
    return is_known ? std::string(label) : "(unknown label)";
}

std::string split_pem(std::string_view text, std::vector<PemBlock> &blocks)
{
    std::string_view between, body;
    blocks.clear();
    while (take_until(text, begin_mark, between)) {
        const std::string_view label = take_label(text);
        if (label.empty()) return "PEM: a line BEGIN is damaged";
        const bool has_end = take_until(text, end_mark, body) && body.find(begin_mark) == std::string_view::npos;
        if (!has_end || take_label(text) != label) return "PEM: the block " + shown_label(label) + " has no end";
        blocks.push_back({std::string(label), body});
    }
    return blocks.empty() ? "PEM: no block begins" : "";
}

std::string decode_base64(std::string_view text, Buffer &out)
{
    out = Buffer();
    const Digits digits = take_digits(text);
    if (!digits.good) return "PEM: a character is not of base64";
    if (!is_canonical(digits)) return "PEM: the base64 is cut off or not canonical";
    Buffer bytes(digits.count * 3 / 4);
    uint32_t bits = 0;
    for (size_t i = 0, size = 0; i < digits.count; i++) {
        bits = bits << 6 | digits.values[i];
        if (i % 4 != 0) bytes[size++] = static_cast<uint8_t>(bits >> (6 - 2 * (i % 4)));
    }
    out = std::move(bytes);
    return "";
}

Buffer encode_pem(const std::string &label, const Buffer &data)
{
    constexpr size_t line_bytes = 48;
    const std::string first = std::string(begin_mark) + " " + label + "-----\n";
    const std::string last = std::string(end_mark) + " " + label + "-----\n";
    const size_t digits = (data.size() + 2) / 3 * 4, lines = (data.size() + line_bytes - 1) / line_bytes;
    Buffer text(first.size() + digits + lines + last.size());
    uint8_t *end = std::copy(first.begin(), first.end(), text.data());
    for (size_t i = 0; i < data.size(); i += 3) {
        add_base64(end, data.data() + i, std::min<size_t>(data.size() - i, 3));
        if (i + 3 >= data.size() || (i + 3) % line_bytes == 0) *end++ = '\n';
    }
    std::copy(last.begin(), last.end(), end);
    return text;
}
