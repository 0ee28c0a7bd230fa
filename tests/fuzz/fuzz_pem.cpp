// Key files of any bytes: which are taken for PEM, DER or raw, what PEM and base64 are read as, and that each fault is one
// line. A text that is read is written again: two texts of one value would be a fault.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "failure.h"
#include "fuzz.h"
#include "identify.h"
#include "keys.h"
#include "pem.h"
#include "sets.h"

namespace
{

// Bits 0 and 1 choose what the input changes or is, bit 2 whether base64 is made of it, bits 4 and 5 the kind wanted. Keys take
// long to check: without bit 3 no good file is read as a key.
enum : uint8_t { mode_whole = 3, mode_wrapped = 4, mode_keys = 8 };

const std::string labels[] = {"PUBLIC KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "CERTIFICATE"};

Buffer to_buffer(const Bytes &bytes)
{
    return Buffer(bytes.data(), bytes.size());
}

Buffer to_buffer(const std::string &text)
{
    return Buffer(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

std::string to_text(const Buffer &bytes)
{
    return std::string(text_of(bytes));
}

void must_be_a_line(const std::string &text)
{
    must(std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isprint(c); }),
         "message is not a line");
}

// A key pair of each set that has an encoding, in PEM; the same in every run.
const std::vector<std::string> &good_files()
{
    static const std::vector<std::string> files = [] {
        std::vector<std::string> all;
        for (size_t i = 0; const latkem_kem *kem = set_at(i); i++) {
            if (!is_encodable(kem)) continue;
            const Buffer seed(latkem_seed_bytes(kem), 7), dk = grow_dk(kem, seed);
            all.push_back(to_text(write_public(kem, Encoding::pem, ek_of_dk(kem, dk))));
            all.push_back(to_text(write_private(kem, {Encoding::pem, LATKEM_FORM_SEED}, dk, seed)));
            if (is_mlkem(kem)) all.push_back(to_text(write_private(kem, {Encoding::pem, LATKEM_FORM_BOTH}, dk, seed)));
        }
        return all;
    }();
    return files;
}

// Base64 has one text for each value, but for white space, which may be written with a backslash.
void check_base64(std::string_view text)
{
    Buffer out(1);
    const std::string fault = decode_base64(text, out);
    must_be_a_line(fault);
    must(fault.empty() || out.empty(), "value of faulty base64");
    if (!fault.empty() || text.find('\\') != std::string_view::npos) return;
    std::string digits, again = to_text(encode_pem("X", out));
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
                 [](unsigned char c) { return !std::isspace(c); });
    again = again.substr(18, again.size() - 18 - 16);
    again.erase(std::remove(again.begin(), again.end(), '\n'), again.end());
    must(again == digits, "base64 of a value");
}

void check_blocks(const std::string &text)
{
    std::vector<PemBlock> blocks;
    const std::string fault = split_pem(text, blocks);
    must_be_a_line(fault);
    for (const PemBlock &block : blocks) {
        must_be_a_line(block.label);
        must_be_a_line(shown_label(block.label));
        must(block.body.data() >= text.data() && block.body.data() + block.body.size() <= text.data() + text.size(),
             "block outside its file");
        check_base64(block.body);
    }
}

// The file that a good key gives is read as the same key.
void check_key(const KeyFile &file)
{
    must(file.kem != nullptr && is_encodable(file.kem), "set of a key");
    must(file.kind != Kind::unknown && !file.key.empty(), "kind of a key");
    const bool is_public = file.kind == Kind::public_key;
    const int form = file.seed.empty() ? LATKEM_FORM_EXPANDED : LATKEM_FORM_SEED;
    const Buffer again = is_public ? write_public(file.kem, Encoding::pem, file.key)
                                   : write_private(file.kem, {Encoding::pem, form}, file.key, file.seed);
    const KeyFile same = read_key_file(again, file.kind);
    must(same.fault.empty() && same.kem == file.kem && same.key == file.key && same.seed == file.seed, "key again");
}

void check_file(const Buffer &bytes, Kind wanted)
{
    const KeyFile file = read_key_file(bytes, wanted);
    must_be_a_line(file.fault);
    must_be_a_line(file.note);
    must((file.encoding == Encoding::pem) == is_pem(text_of(bytes)), "what is PEM");
    must_be_a_line(identify(text_of(bytes)));
    if (file.encoding == Encoding::raw)
        must(file.key == bytes && file.fault.empty() && file.kem == nullptr, "raw bytes");
    else if (file.fault.empty())
        check_key(file);
    else
        must(file.kem == nullptr && file.key.empty() && file.seed.empty(), "key of a refused file");
}

// A good file with a few bytes changed and a piece cut out, put in or said twice.
std::string altered(Input &input, std::string text)
{
    const size_t at = (input.byte() | input.byte() << 8) % (text.size() + 1), size = input.byte();
    const uint8_t how = input.byte();
    if (how & 1) text.erase(at, size);
    if (how & 2) text.insert(at, text.substr(0, size));
    for (int i = how >> 2 & 7; i > 0 && !text.empty(); i--)
        text[(input.byte() | input.byte() << 8) % text.size()] = static_cast<char>(input.byte());
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const uint8_t mode = input.byte(), choice = input.byte();
    const Kind wanted[] = {Kind::unknown, Kind::public_key, Kind::private_key, Kind::unknown};
    std::string text;
    if ((mode & mode_whole) == mode_whole) {
        const Bytes rest = input.rest();
        text = mode & mode_wrapped ? to_text(encode_pem(labels[choice % 4], to_buffer(rest)))
                                   : std::string(rest.begin(), rest.end());
    } else {
        text = altered(input, good_files()[choice % good_files().size()]);
        if (mode & 1) text += good_files()[(choice + 1U) % good_files().size()];
    }
    check_base64(text);
    check_blocks(text);
    if ((mode & mode_whole) == mode_whole || (mode & mode_keys)) check_file(to_buffer(text), wanted[mode >> 4 & 3]);
    return 0;
}
