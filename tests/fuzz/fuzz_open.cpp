// Sealed files of any bytes: only what was sealed opens, what is given out before a fault is noticed is a true beginning
// of it, a stream and memory find the same, and the fault is told in one line.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>

#include "failure.h"
#include "fuzz.h"
#include "sealed.h"

namespace
{

enum : uint8_t { mode_raw = 1, mode_raw_end = 2, mode_chacha = 4 }; // and mode_other_lengths; sizes from 16 on

const size_t sizes[] = {0, 228, chunk_bytes, 2 * chunk_bytes + 10};

Buffer to_buffer(const Bytes &bytes)
{
    return Buffer(bytes.data(), bytes.size());
}

Bytes to_bytes(const Buffer &buffer)
{
    return Bytes(buffer.begin(), buffer.end());
}

// The message of that size, sealed to the set's key; the same in every run.
const Bytes &sealed_message(const Objects &set, Cipher cipher, size_t size)
{
    static std::map<std::tuple<const Objects *, Cipher, size_t>, Bytes> all;
    Bytes &sealed = all[{&set, cipher, size}];
    if (sealed.empty())
        sealed = to_bytes(
            seal_bytes(set.kem, cipher, to_buffer(set.ek), Buffer(size, 0x5a), Buffer(set.facts->sizes.coins, 3)));
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
    const Bytes &good = sealed_message(set, cipher, content);
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
