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

bool is_control(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_printable(char c)
{
    return c >= 0x20 && c < 0x7f;
}

std::string_view trimmed(std::string_view line)
{
    const size_t first = line.find_first_not_of(white_space);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(white_space) - first + 1);
}

// Takes the first line off the text. The two ends of a CRLF are those of two lines, of which one is empty.
std::string_view take_line(std::string_view &text)
{
    const size_t end = std::min(text.find_first_of("\n\r"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// The label of a line such as "-----BEGIN PUBLIC KEY-----"; "" if it is no such line.
std::string_view label_of(std::string_view line, std::string_view mark)
{
    line = trimmed(line);
    if (line.size() <= mark.size() + 1 + dashes.size() || line.substr(0, mark.size()) != mark) return {};
    if (line[mark.size()] != ' ' || line.substr(line.size() - dashes.size()) != dashes) return {};
    const std::string_view label = line.substr(mark.size() + 1, line.size() - mark.size() - 1 - dashes.size());
    return std::all_of(label.begin(), label.end(), is_printable) ? label : std::string_view();
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
    bool good = true; // all are digits, and padding stands behind them
};

Digits take_digits(std::string_view text)
{
    Digits digits = {Buffer(text.size())};
    uint8_t seen = 0;
    for (char c : text) {
        if (is_white(c)) continue;
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
    const size_t at = text.find(begin_mark);
    if (at == std::string_view::npos) return false;
    return std::none_of(text.begin(), text.begin() + static_cast<long>(at),
                        [](char c) { return is_control(c) && !is_white(c); });
}

std::string split_pem(std::string_view text, std::vector<PemBlock> &blocks)
{
    blocks.clear();
    while (!text.empty()) {
        const std::string_view label = label_of(take_line(text), begin_mark);
        if (label.empty()) continue;
        const char *const from = text.data();
        const char *to = from;
        std::string_view end;
        while (!text.empty() && end.empty()) {
            to = text.data();
            end = label_of(take_line(text), end_mark);
        }
        if (end != label) return "PEM: the block " + std::string(label) + " has no end";
        blocks.push_back({std::string(label), std::string_view(from, static_cast<size_t>(to - from))});
    }
    return blocks.empty() ? "PEM: no block begins on a line of its own" : "";
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
