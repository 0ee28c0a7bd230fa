// The command's input from its arguments and files: hex text, names of sets, keys, ciphertexts and seeds.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "fuzz.h"
#include "parse.h"

namespace
{

// A message is for a terminal and one line long.
void must_be_a_line(const std::string &text)
{
    must(std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isprint(c); }),
         "message is not a line");
}

const std::string hex_digits = "0123456789abcdefABCDEF";

void check_hex(const std::string &text)
{
    Buffer out;
    const std::string fault = parse_hex(text, out);
    must_be_a_line(fault);
    const bool good = text.size() % 2 == 0 && text.find_first_not_of(hex_digits) == std::string::npos;
    must(fault.empty() == good, "hex text");
    must(out.size() == (good ? text.size() / 2 : 0), "length of hex text");
    if (good) must(std::equal(out.begin(), out.end(), from_hex(text).begin()), "value of hex text");
}

void check_name(const std::string &name)
{
    const latkem_kem *kem = suggest_set(name);
    for (size_t i = 0; latkem_kem_at(i) != nullptr; i++)
        must(name != latkem_kem_name(latkem_kem_at(i)) || kem == latkem_kem_at(i), "suggestion for a right name");
}

// Hex of an object's own length: such bytes are text that someone forgot to decode.
bool is_text_of_digits(const Bytes &bytes)
{
    const auto count = [&](const std::string &among) {
        return std::count_if(bytes.begin(), bytes.end(), [&](uint8_t b) { return among.find(char(b)) != among.npos; });
    };
    return count(hex_digits + " \t\r\n:,x\"'\\") == std::ptrdiff_t(bytes.size()) && count(hex_digits) >= 16;
}

void check_object(const Objects &set, Object object, const Bytes &bytes)
{
    const std::string fault = object_fault(set.kem, object, bytes.data(), bytes.size());
    must_be_a_line(fault);
    int expected = bytes.size() == object_bytes(set.kem, object) ? LATKEM_OK : LATKEM_ERR_LENGTH;
    if (object == Object::ek) expected = expected_ek_check(set, bytes);
    if (object == Object::dk) expected = expected_dk_check(set, bytes);
    must(fault.empty() == (expected == LATKEM_OK && !is_text_of_digits(bytes)), object_name(object));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    const Bytes seed(set.facts->sizes.seed, 4);
    const std::pair<Object, const Bytes *> objects[] = {
        {Object::ek, &set.ek}, {Object::dk, &set.dk}, {Object::ct, &set.ct}, {Object::seed, &seed}};
    const auto &[object, good] = objects[(mode >> 4) % 4];
    if (mode & mode_raw_key) {
        const Bytes bytes = input.rest();
        const std::string text(bytes.begin(), bytes.end());
        check_hex(text);
        check_name(text);
        check_object(set, object, bytes);
        return 0;
    }
    Bytes bytes = choose_object(input, *good, false, mode);
    patch(input, bytes, 64);
    if (object == Object::dk && (mode & mode_repair_hash)) repair_hash(set, bytes);
    check_object(set, object, bytes);
    return 0;
}
