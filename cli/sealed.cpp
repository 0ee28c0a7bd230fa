// Sealed files.
// SPDX-License-Identifier: Apache-2.0
#include "sealed.h"

#include <cstring>

#include <latkem/derand.h>

#include "console.h"
#include "failure.h"

namespace
{

const std::string magic = "latkem sealed";
constexpr uint8_t format_version = 1;
constexpr size_t prefix_bytes = 16; // magic, version, cipher, length of the set's name

struct Header {
    Cipher cipher;
    Buffer bytes;
    uint8_t *ct; // the last of the bytes
};

size_t header_bytes(const latkem_kem *kem)
{
    return prefix_bytes + std::strlen(latkem_kem_name(kem)) + latkem_ct_bytes(kem);
}

// The header but for its ciphertext, which is left zero.
Header make_header(const latkem_kem *kem, Cipher cipher)
{
    Header header = {cipher, Buffer(header_bytes(kem)), nullptr};
    const std::string name = latkem_kem_name(kem);
    uint8_t *end = std::copy(magic.begin(), magic.end(), header.bytes.data());
    *end++ = format_version;
    *end++ = static_cast<uint8_t>(cipher);
    *end++ = static_cast<uint8_t>(name.size());
    header.ct = std::copy(name.begin(), name.end(), end);
    return header;
}

Cipher read_prefix(const Source::Piece &prefix, const std::string &file)
{
    if (prefix.size < prefix_bytes || !std::equal(magic.begin(), magic.end(), prefix.data))
        fail(file, "is not a sealed file");
    const uint8_t *field = prefix.data + magic.size();
    if (field[0] != format_version)
        fail(file, format("is of format version %d; this latkem knows version %d", field[0], format_version));
    const auto cipher = static_cast<Cipher>(field[1]);
    if (cipher != Cipher::aes_256_gcm && cipher != Cipher::chacha20_poly1305)
        fail(file, format("uses cipher %d, which this latkem does not know", field[1]));
    return cipher;
}

// A name from a file is shown only if it is a set's.
std::string describe_set(const std::string &name)
{
    return latkem_kem_find(name.c_str()) != nullptr ? name : "a parameter set that this latkem does not know";
}

Header read_header(const latkem_kem *kem, Source &source)
{
    const Source::Piece prefix = source.next(prefix_bytes);
    Header header = make_header(kem, read_prefix(prefix, source.name()));
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

Buffer decapsulate(const latkem_kem *kem, const uint8_t *ct, const Buffer &dk)
{
    Buffer ss(latkem_ss_bytes(kem));
    require(latkem_decaps(kem, ss.data(), ct, latkem_ct_bytes(kem), dk.data(), dk.size()), "dk");
    return ss;
}

[[noreturn]] void refuse_chunk(const std::string &file, uint64_t number)
{
    if (number == 0) fail(file, "does not open: it was sealed for another key, changed or cut off");
    fail(file, "was changed, cut off or added to: its content verifies up to byte " +
                   std::to_string(number * chunk_bytes) + " only");
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
                 const Buffer &coins)
{
    const Header header = make_header(kem, cipher);
    const Buffer ss = encapsulate(kem, header.ct, ek, coins);
    ChunkAead aead(cipher, derive_key(ss, header.bytes), ChunkAead::Direction::seal);
    sealed(header.bytes.data(), header.bytes.size());
    Buffer chunk;
    for (bool done = false; !done;) {
        const Source::Piece piece = plain.next(chunk_bytes);
        if (chunk.empty()) chunk = Buffer(piece.size + tag_bytes); // no later piece is longer
        aead.seal(chunk.data(), piece.data, piece.size, piece.is_last);
        sealed(chunk.data(), piece.size + tag_bytes);
        done = piece.is_last;
    }
}

void open_stream(const latkem_kem *kem, const Buffer &dk, Source &sealed, const Sink &plain)
{
    const Header header = read_header(kem, sealed);
    const Buffer ss = decapsulate(kem, header.ct, dk);
    ChunkAead aead(header.cipher, derive_key(ss, header.bytes), ChunkAead::Direction::open);
    Buffer chunk;
    bool done = false;
    for (uint64_t number = 0; !done; number++) {
        const Source::Piece piece = sealed.next(chunk_bytes + tag_bytes);
        // An empty chunk is the only one of an empty file: each content has one way to be cut into chunks.
        if (piece.size < tag_bytes + (number == 0 ? 0 : 1)) refuse_chunk(sealed.name(), number);
        if (number == 0) chunk = Buffer(piece.size - tag_bytes);
        if (!aead.open(chunk.data(), piece.data, piece.size, piece.is_last)) refuse_chunk(sealed.name(), number);
        plain(chunk.data(), piece.size - tag_bytes);
        done = piece.is_last;
    }
}

Buffer seal_bytes(const latkem_kem *kem, Cipher cipher, const Buffer &ek, const Buffer &plain, const Buffer &coins)
{
    const size_t chunks = std::max<size_t>((plain.size() + chunk_bytes - 1) / chunk_bytes, 1);
    Buffer sealed(header_bytes(kem) + plain.size() + chunks * tag_bytes);
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
