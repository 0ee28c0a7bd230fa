// The NIST known-answer tests: entries, the .rsp text, and the published digests.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_KAT_H
#define LATKEM_CLI_KAT_H

#include <string>

#include <latkem/latkem.h>

#include "buffer.h"
#include "drbg.h"

// The published facts about one set's file of 100 entries.
struct KatFile {
    std::string header; // the name in its first line, which the ML-KEM reference code took over from Kyber
    std::string sha256; // of the whole file
};

constexpr unsigned kat_entries = 100;

// The SHA-256 of message 1, message 2 and key of each exchange; the script is that of the Kyber code.
struct KexDigests {
    std::string uake, ake;
};

// kat_file returns what spec/sets.json says of the set; throws Failure if that does not know it.
KatFile kat_file(const latkem_kem *kem);

// kex_digests returns what it says of the set's exchanges.
KexDigests kex_digests(const latkem_kem *kem);

// The generator of the first seed of a file, and of the exchanges, starts from the bytes 00 01 .. 2F.
KatDrbg::Seed counting_bytes();

// SHA-256 of what a hybrid gives for counting bytes (spec/sets.json), in hex.
struct HybridAnswer {
    std::string ek, ct, ss;
};
HybridAnswer hybrid_answer(const latkem_kem *kem);

struct KatEntry {
    unsigned count;
    KatDrbg::Seed seed;
    Buffer ek, dk, ct, ss;
};

// The entries of one set's file in order, without end.
class KatSequence
{
  public:
    explicit KatSequence(const latkem_kem *kem);
    KatEntry next(); // throws Failure if decapsulation does not give the ss of encapsulation

  private:
    const latkem_kem *kem_;
    KatDrbg seeds_;
    unsigned count_ = 0;
};

std::string upper_hex(const uint8_t *data, size_t size);

// The texts of the file: its head, then one record for each entry.
std::string rsp_head(const KatFile &file);
std::string rsp_record(const KatEntry &entry);

#endif
