// Sealed files of any bytes and both versions: only what was sealed opens, what is given out before a fault is noticed is
// a true beginning of it, a stream and memory find the same, and the fault is reported in one line.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>

#include "failure.h"
#include "fuzz.h"
#include "sealed.h"
#include "sealed_model.h"

namespace
{

// Beside mode_other_lengths; bits 4 and 5 choose the size.
enum : uint8_t { mode_raw = 1, mode_raw_end = 2, mode_chacha = 4, mode_version_1 = 64 };

const size_t sizes[] = {0, 228, chunk_bytes, 2 * chunk_bytes + 10};

Buffer to_buffer(const Bytes &bytes)
{
    return Buffer(bytes.data(), bytes.size());
}

// The message of that size, sealed to the set's key by the model; the same in every run.
const Bytes &sealed_message(const Objects &set, uint8_t version, Cipher cipher, size_t size)
{
    static std::map<std::tuple<const Objects *, uint8_t, Cipher, size_t>, Bytes> all;
    Bytes &sealed = all[{&set, version, cipher, size}];
    if (sealed.empty())
        sealed = model_seal(
            {version, static_cast<uint8_t>(cipher), set.facts->name, set.ek, set.ct, set.ss, Bytes(size, 0x5a)});
    return sealed;
}

struct Outcome {
    std::string fault;
    Bytes given;
    bool operator==(const Outcome &other) const
    {
        return fault == other.fault && given == other.given;
    }
};

Outcome open(const Objects &set, Source &source)
{
    Outcome outcome;
    try {
        open_stream(set.kem, to_buffer(set.dk), source, [&outcome](const uint8_t *data, size_t size) {
            outcome.given.insert(outcome.given.end(), data, data + size);
        });
    } catch (const Failure &failure) {
        must(failure.status() == STATUS_FAILED, "exit status");
        outcome.fault = failure.what();
    }
    return outcome;
}

Outcome open_memory(const Objects &set, const Bytes &file)
{
    MemorySource source("file", file.data(), file.size());
    return open(set, source);
}

Outcome open_stream_of(const Objects &set, const Bytes &file)
{
    size_t read = 0;
    ReadSource source("file", [&](uint8_t *out, size_t size) {
        const size_t got = std::min(size, file.size() - read);
        std::copy_n(file.data() + read, got, out);
        read += got;
        return got;
    });
    return open(set, source);
}

bool is_line(const std::string &text)
{
    return text.substr(0, 6) == "file: " &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isprint(c); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    const size_t content = sizes[(mode >> 4) % 4];
    const Cipher cipher = mode & mode_chacha ? Cipher::chacha20_poly1305 : Cipher::aes_256_gcm;
    const Bytes &good = sealed_message(set, mode & mode_version_1 ? 1 : 2, cipher, content);
    Bytes file = good;
    if (mode & mode_raw)
        file = input.rest();
    else if (mode & mode_raw_end)
        file = slice(good, 0, good.size() - content) + input.rest();
    else
        file = choose_object(input, good, false, mode);
    patch(input, file, 8);

    const Outcome outcome = open_memory(set, file);
    must(outcome == open_stream_of(set, file), "stream and memory");
    must(outcome.fault.empty() == (file == good), "file that opens");
    must(outcome.fault.empty() || is_line(outcome.fault), "fault is not a line");
    must(outcome.given.size() <= content && (outcome.fault.empty() || outcome.given.size() % chunk_bytes == 0),
         "length of what is given");
    must(std::all_of(outcome.given.begin(), outcome.given.end(), [](uint8_t b) { return b == 0x5a; }), "content");
    return 0;
}
