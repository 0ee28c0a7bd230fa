// Sealed files: what the reader of headers and chunks does with any beginning, length and end. The cryptography is
// replaced: a chunk verifies by a tag of one value, keys are bytes of another.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sealed.cpp"
#include "small_set.h"
#include "trials.h"

constexpr uint8_t key_byte = 0x42, tag_byte = 0x77, text_byte = 0x5a;

int latkem_encaps(const latkem_kem *, uint8_t *ct, uint8_t *ss, const uint8_t *, size_t)
{
    std::memset(ct, 1, small_ct);
    std::memset(ss, 2, small_ss);
    return LATKEM_OK;
}

int latkem_encaps_derand(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                         const uint8_t *, size_t)
{
    return latkem_encaps(kem, ct, ss, ek, ek_len);
}

int latkem_decaps(const latkem_kem *, uint8_t *ss, const uint8_t *, size_t ct_len, const uint8_t *, size_t)
{
    CLAIM(ct_len == small_ct, "the whole ciphertext is decapsulated");
    std::memset(ss, 2, small_ss);
    return LATKEM_OK;
}

Buffer ek_of_dk(const latkem_kem *, const Buffer &)
{
    return Buffer(small_ek);
}

Sha256Digest sha256(const uint8_t *, size_t)
{
    return {};
}

Buffer derive_keys(const Buffer &, const Buffer &, size_t size)
{
    return Buffer(size, key_byte);
}

ChunkAead::ChunkAead(Cipher, const Buffer &, Direction, uint64_t first) : number_(first)
{
}

void ChunkAead::Free::operator()(EVP_CIPHER_CTX *) const
{
}

void ChunkAead::seal(uint8_t *out, const uint8_t *in, size_t size, bool)
{
    std::copy_n(in, size, out);
    std::fill_n(out + size, tag_bytes, tag_byte);
}

bool ChunkAead::open(uint8_t *out, const uint8_t *in, size_t size, bool is_last)
{
    CLAIM(size >= tag_bytes, "a chunk has a tag");
    std::copy_n(in, size - tag_bytes, out);
    return is_last && std::all_of(in + size - tag_bytes, in + size, [](uint8_t b) { return b == tag_byte; });
}

std::string format(const char *, ...)
{
    return "a fault";
}

void fail(const std::string &thing, const std::string &fault)
{
    throw Failure(STATUS_FAILED, thing, fault);
}

void require(int result, const std::string &)
{
    CLAIM(result == LATKEM_OK, "the library refuses nothing here");
}

namespace
{

constexpr size_t header_size = 16 + 3 + small_ct, beginning = header_size + 32;

Buffer sealed_file(size_t content)
{
    return seal_bytes(&small_set, Cipher::aes_256_gcm, Buffer(small_ek), Buffer(content, text_byte));
}

// The content of an opened file, or "refused": the same from memory and from a stream.
std::string opened(const Buffer &file)
{
    std::string results[2];
    size_t read = 0;
    MemorySource memory("file", file.data(), file.size());
    ReadSource stream("file", [&](uint8_t *out, size_t size) {
        const size_t got = std::min(size, file.size() - read);
        std::copy_n(file.data() + read, got, out);
        read += got;
        return got;
    });
    Source *const sources[] = {&memory, &stream};
    for (size_t i = 0; i < 2; i++) try {
            open_stream(&small_set, Buffer(small_dk), *sources[i], [&](const uint8_t *data, size_t size) {
                results[i].append(reinterpret_cast<const char *>(data), size);
            });
        } catch (const Failure &) {
            results[i] = "refused";
        }
    CLAIM(results[0] == results[1], "a file opens alike from memory and from a stream");
    return results[0];
}

} // namespace

// Every byte before the first chunk, with every value, but version, cipher, and ct, which decides the keys alone.
void try_bytes()
{
    const size_t at = choose(beginning), value = choose(256);
    if (at == 13 || at == 14 || (at >= header_size - small_ct && at < header_size)) return;
    Buffer file = sealed_file(4);
    const bool changes = file[at] != value;
    file[at] = static_cast<uint8_t>(value);
    CLAIM((opened(file) == "refused") == changes, "a file with another header or commitment is refused");
}

// Every length, cut off or added to, with every length that the name may be said to have.
void try_lengths()
{
    const size_t whole = beginning + 4 + tag_bytes, size = choose(whole + 3), name = choose(256);
    const Buffer good = sealed_file(4);
    Buffer file(size, tag_byte);
    std::copy_n(good.data(), std::min(size, whole), file.data());
    if (size > 15) file[15] = static_cast<uint8_t>(name);
    const std::string result = opened(file);
    CLAIM(size == whole || name != 3 || size > whole || result == "refused", "a file that is cut off is refused");
    CLAIM(size <= 15 || name == 3 || result == "refused", "a name of another length is refused");
    CLAIM(size != whole || name != 3 || result == "ZZZZ", "a whole file opens");
}

// Every version and cipher.
void try_versions()
{
    const size_t version = choose(256), cipher = choose(256);
    Buffer file = sealed_file(0);
    file[13] = static_cast<uint8_t>(version);
    file[14] = static_cast<uint8_t>(cipher);
    const bool is_known = (version == 1 || version == 2) && (cipher == 1 || cipher == 2);
    const std::string result = opened(file);
    CLAIM(is_known || result == "refused", "what is not known is refused");
    CLAIM(version != 2 || !is_known || result.empty(), "what is known opens");
}

int main()
{
    return try_all(ENTRY);
}
