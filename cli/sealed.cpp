// Sealed files.
// SPDX-License-Identifier: Apache-2.0
#include "sealed.h"

#include <cstring>

#include <latkem/derand.h>

#include "console.h"
#include "failure.h"
#include "sets.h"
#include "sha256.h"

namespace
{

const std::string magic = "latkem sealed";
constexpr size_t prefix_bytes = 16; // magic, version, cipher, length of the set's name
constexpr size_t commitment_bytes = 32;

// The part before the commitment.
struct Header {
    Version version;
    Cipher cipher;
    Buffer bytes;
    uint8_t *ct; // the last of the bytes
};

size_t header_bytes(const latkem_kem *kem)
{
    return prefix_bytes + std::strlen(latkem_kem_name(kem)) + latkem_ct_bytes(kem);
}

// The header but for its ciphertext, which is left zero.
Header make_header(const latkem_kem *kem, Version version, Cipher cipher)
{
    Header header = {version, cipher, Buffer(header_bytes(kem)), nullptr};
    const std::string name = latkem_kem_name(kem);
    uint8_t *end = std::copy(magic.begin(), magic.end(), header.bytes.data());
    *end++ = version;
    *end++ = static_cast<uint8_t>(cipher);
    *end++ = static_cast<uint8_t>(name.size());
    header.ct = std::copy(name.begin(), name.end(), end);
    return header;
}

// The header that a file begins with, as far as its first bytes say.
Header begin_header(const latkem_kem *kem, const Source::Piece &prefix, const std::string &file)
{
    if (prefix.size < prefix_bytes || !std::equal(magic.begin(), magic.end(), prefix.data))
        fail(file, "is not a sealed file");
    const uint8_t *field = prefix.data + magic.size();
    if (field[0] != version_1 && field[0] != version_2)
        fail(file, format("is of format version %d; this latkem knows versions 1 and 2", field[0]));
    const auto cipher = static_cast<Cipher>(field[1]);
    if (cipher != Cipher::aes_256_gcm && cipher != Cipher::chacha20_poly1305)
        fail(file, format("uses cipher %d, which this latkem does not know", field[1]));
    return make_header(kem, static_cast<Version>(field[0]), cipher);
}

// A name from a file is shown only if it is a set's.
std::string describe_set(const std::string &name)
{
    return set_named(name) != nullptr ? name : "a parameter set that this latkem does not know";
}

Header read_header(const latkem_kem *kem, Source &source)
{
    const Source::Piece prefix = source.next(prefix_bytes);
    Header header = begin_header(kem, prefix, source.name());
    const size_t name_bytes = prefix.data[prefix_bytes - 1];
    const Source::Piece text = source.next(name_bytes);
    const std::string name(text.data, text.data + text.size);
    if (text.size == name_bytes && name != latkem_kem_name(kem))
        fail(source.name(), "is sealed for " + describe_set(name) + ", not for " + latkem_kem_name(kem));
    const Source::Piece ct = source.next(latkem_ct_bytes(kem));
    if (text.size < name_bytes || ct.size < latkem_ct_bytes(kem)) fail(source.name(), "is cut off within its header");
    std::copy_n(ct.data, ct.size, header.ct);
    return header;
}

Buffer encapsulate(const latkem_kem *kem, uint8_t *ct, const Buffer &ek, const Buffer &coins)
{
    Buffer ss(latkem_ss_bytes(kem));
    require(coins.empty() ? latkem_encaps(kem, ct, ss.data(), ek.data(), ek.size())
                          : latkem_encaps_derand(kem, ct, ss.data(), ek.data(), ek.size(), coins.data(), coins.size()),
            "ek");
    return ss;
}

Buffer decapsulate(const latkem_kem *kem, const uint8_t *ct, const Buffer &dk, const std::string &file)
{
    Buffer ss(latkem_ss_bytes(kem));
    const int result = latkem_decaps(kem, ss.data(), ct, latkem_ct_bytes(kem), dk.data(), dk.size());
    require(result, result == LATKEM_ERR_CT ? file : "dk");
    return ss;
}

struct Span {
    const uint8_t *data;
    size_t size;
};

Span span_of(const Buffer &bytes)
{
    return {bytes.data(), bytes.size()};
}

// NTRU's dk has no ek, and needs none: there ct and ss settle ek (docs/sealed-format.md).
bool binds_ek(const latkem_kem *kem)
{
    return std::strncmp(latkem_kem_name(kem), "NTRU", 4) != 0;
}

// The data to which the keys are bound beside ss.
Buffer context_of(const latkem_kem *kem, const Header &header, Span ek)
{
    if (header.version == version_1) return Buffer(header.bytes.data(), header.bytes.size());
    const Sha256Digest of_header = sha256(header.bytes.data(), header.bytes.size());
    Buffer context(binds_ek(kem) ? 2 * of_header.size() : of_header.size());
    uint8_t *end = std::copy(of_header.begin(), of_header.end(), context.data());
    if (!binds_ek(kem)) return context;
    const Sha256Digest of_ek = sha256(ek.data, ek.size);
    std::copy(of_ek.begin(), of_ek.end(), end);
    return context;
}

struct Keys {
    Buffer chunks, commitment; // version 1 has no commitment
};

Keys derive(const latkem_kem *kem, const Header &header, const Buffer &ss, Span ek)
{
    const size_t committed = header.version == version_1 ? 0 : commitment_bytes;
    const Buffer all = derive_keys(ss, context_of(kem, header, ek), key_bytes + committed);
    return {Buffer(all.data(), key_bytes), Buffer(all.data() + key_bytes, committed)};
}

void check_commitment(const Buffer &expected, Source &source)
{
    const Source::Piece given = source.next(expected.size());
    if (given.size < expected.size()) fail(source.name(), "is cut off within its header");
    if (!std::equal(expected.begin(), expected.end(), given.data))
        fail(source.name(), "does not open: it was sealed for another key, or its header was changed");
}

[[noreturn]] void refuse_chunk(const Header &header, const std::string &file, uint64_t number)
{
    if (number == 0 && header.version == version_1)
        fail(file, "does not open: it was sealed for another key, changed or cut off");
    fail(file, "was changed, cut off or added to: its content verifies up to byte " +
                   std::to_string(number * chunk_bytes) + " only");
}

void check_length(uint64_t number, const std::string &file)
{
    constexpr int most_tib = max_chunks * chunk_bytes >> 40;
    if (number >= max_chunks) fail(file, format("holds more than %d TiB, the most for one sealed file", most_tib));
}

// A Sink that fills a buffer of the right size or more.
struct Fill {
    Buffer &room;
    size_t filled = 0;
    void operator()(const uint8_t *data, size_t size)
    {
        std::copy_n(data, size, room.data() + filled);
        filled += size;
    }
};

} // namespace

Source::Piece MemorySource::next(size_t most)
{
    const Piece piece = {data_, std::min(most, left_), left_ <= most};
    data_ += piece.size;
    left_ -= piece.size;
    return piece;
}

Source::Piece ReadSource::next(size_t most)
{
    filled_ = static_cast<size_t>(std::copy(room_.data() + taken_, room_.data() + filled_, room_.data()) -
                                  room_.data());
    if (!ended_ && filled_ <= most) {
        const size_t wanted = most + 1 - filled_, got = read_(room_.data() + filled_, wanted);
        filled_ += got;
        ended_ = got < wanted;
    }
    taken_ = std::min(most, filled_);
    return {room_.data(), taken_, ended_ && filled_ <= most};
}

void seal_stream(const latkem_kem *kem, Cipher cipher, const Buffer &ek, Source &plain, const Sink &sealed,
                 const Buffer &coins, uint64_t first)
{
    const Header header = make_header(kem, version_2, cipher);
    const Buffer ss = encapsulate(kem, header.ct, ek, coins);
    const Keys keys = derive(kem, header, ss, span_of(ek));
    ChunkAead aead(cipher, keys.chunks, ChunkAead::Direction::seal, first);
    sealed(header.bytes.data(), header.bytes.size());
    sealed(keys.commitment.data(), keys.commitment.size());
    Buffer chunk;
    bool done = false;
    for (uint64_t number = first; !done; number++) {
        check_length(number, plain.name());
        const Source::Piece piece = plain.next(chunk_bytes);
        if (chunk.empty()) chunk = Buffer(piece.size + tag_bytes); // no later piece is longer
        aead.seal(chunk.data(), piece.data, piece.size, piece.is_last);
        sealed(chunk.data(), piece.size + tag_bytes);
        done = piece.is_last;
    }
}

Version open_stream(const latkem_kem *kem, const Buffer &dk, Source &sealed, const Sink &plain, uint64_t first,
                    Versions versions)
{
    const Header header = read_header(kem, sealed);
    if (header.version == version_1 && versions == Versions::committing)
        fail(sealed.name(), "is of format version 1, which does not commit to its key");
    const Buffer ss = decapsulate(kem, header.ct, dk, sealed.name()), ek = ek_of_dk(kem, dk);
    const Keys keys = derive(kem, header, ss, span_of(ek));
    if (header.version != version_1) check_commitment(keys.commitment, sealed);
    ChunkAead aead(header.cipher, keys.chunks, ChunkAead::Direction::open, first);
    Buffer chunk;
    bool done = false;
    for (uint64_t number = first; !done; number++) {
        check_length(number, sealed.name());
        const Source::Piece piece = sealed.next(chunk_bytes + tag_bytes);
        // An empty chunk is the only one of an empty file: each content has one way to be cut into chunks.
        if (piece.size < tag_bytes + (number == first ? 0 : 1)) refuse_chunk(header, sealed.name(), number);
        if (chunk.empty()) chunk = Buffer(piece.size - tag_bytes);
        if (!aead.open(chunk.data(), piece.data, piece.size, piece.is_last))
            refuse_chunk(header, sealed.name(), number);
        plain(chunk.data(), piece.size - tag_bytes);
        done = piece.is_last;
    }
    return header.version;
}

Buffer seal_bytes(const latkem_kem *kem, Cipher cipher, const Buffer &ek, const Buffer &plain, const Buffer &coins)
{
    const size_t chunks = std::max<size_t>((plain.size() + chunk_bytes - 1) / chunk_bytes, 1);
    Buffer sealed(header_bytes(kem) + commitment_bytes + plain.size() + chunks * tag_bytes);
    MemorySource source("message", plain.data(), plain.size());
    seal_stream(kem, cipher, ek, source, Fill{sealed}, coins);
    return sealed;
}

Buffer open_bytes(const latkem_kem *kem, const Buffer &dk, const Buffer &sealed)
{
    Buffer room(sealed.size());
    MemorySource source("message", sealed.data(), sealed.size());
    Fill fill{room};
    open_stream(kem, dk, source, std::ref(fill));
    return Buffer(room.data(), fill.filled);
}
