// Sealed files: what `latkem seal` writes and `latkem open` reads. docs/sealed-format.md defines every byte.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_SEALED_H
#define LATKEM_CLI_SEALED_H

#include <functional>
#include <string>

#include <latkem/latkem.h>

#include "aead.h"
#include "buffer.h"

constexpr size_t chunk_bytes = 65536; // of plaintext; the last chunk may be shorter

// The most chunks of one file, 2^48 bytes, in which AES-GCM encrypts 2^44 blocks under one key.
constexpr uint64_t max_chunks = uint64_t{1} << 32;

// Bytes that are read in pieces.
class Source
{
  public:
    struct Piece {
        const uint8_t *data; // valid until the next call
        size_t size;
        bool is_last; // nothing follows
    };
    virtual ~Source() = default;
    virtual Piece next(size_t most) = 0;         // fewer than most bytes only if they are the last
    virtual const std::string &name() const = 0; // for messages
};

class MemorySource : public Source
{
  public:
    MemorySource(std::string name, const uint8_t *data, size_t size) : name_(std::move(name)), data_(data), left_(size)
    {
    }
    Piece next(size_t most) override;
    const std::string &name() const override
    {
        return name_;
    }

  private:
    std::string name_;
    const uint8_t *data_;
    size_t left_;
};

// A source of bytes: it gives fewer bytes than asked for only at the end. A piece has at most chunk_bytes +
// tag_bytes.
class ReadSource : public Source
{
  public:
    using Read = std::function<size_t(uint8_t *out, size_t size)>;
    ReadSource(std::string name, Read read) : name_(std::move(name)), read_(std::move(read))
    {
    }
    Piece next(size_t most) override;
    const std::string &name() const override
    {
        return name_;
    }

  private:
    std::string name_;
    Read read_;
    Buffer room_{chunk_bytes + tag_bytes + 1}; // one byte more than a piece, to see whether it is the last
    size_t taken_ = 0, filled_ = 0;            // room_ from taken_ to filled_ is still to be given
    bool ended_ = false;
};

using Sink = std::function<void(const uint8_t *data, size_t size)>;

// seal_stream encrypts a stream of at most max_chunks to the owner of ek, in constant memory, as version 2 of the format.
// Two arguments are for tests: coins make the result deterministic, which is fresh in each call without them; first is
// the number of the first chunk.
void seal_stream(const latkem_kem *kem, Cipher cipher, const Buffer &ek, Source &plain, const Sink &sealed,
                 const Buffer &coins = Buffer(), uint64_t first = 0);

enum Version : uint8_t { version_1 = 1, version_2 = 2 }; // 1 is only opened: it does not commit to its key
enum class Versions { all, committing };

// open_stream gives each chunk to the sink once it has verified. It throws Failure about the source as soon as
// something is wrong, be it at the very end: only when it returns is what was given complete. It says which
// version it was.
Version open_stream(const latkem_kem *kem, const Buffer &dk, Source &sealed, const Sink &plain, uint64_t first = 0,
                    Versions versions = Versions::all);

// The same in memory.
Buffer seal_bytes(const latkem_kem *kem, Cipher cipher, const Buffer &ek, const Buffer &plain,
                  const Buffer &coins = Buffer());
Buffer open_bytes(const latkem_kem *kem, const Buffer &dk, const Buffer &sealed);

#endif
