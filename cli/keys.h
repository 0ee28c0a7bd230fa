// Key files in memory, without any I/O: raw bytes, DER and PEM, distinguished by their content and never by a name.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_KEYS_H
#define LATKEM_CLI_KEYS_H

#include <functional>
#include <string>

#include <latkem/keyfile.h>
#include <latkem/latkem.h>

#include "buffer.h"
#include "parse.h"

enum class Encoding { raw, der, pem };
enum class Kind { unknown, public_key, private_key };

const char *encoding_name(Encoding encoding);    // "raw", "der", "pem"
std::string form_name(int form);                 // "seed", "bare-expanded"; "" of 0
Encoding find_encoding(const std::string &name); // "" is raw; an unknown name is wrong use

// The content of a file.
struct KeyFile {
    Encoding encoding = Encoding::raw;
    Kind kind = Kind::unknown;       // of raw bytes it is for others to say
    const latkem_kem *kem = nullptr; // NULL of raw bytes, and of a key that is refused
    int form = 0;                    // LATKEM_FORM_.. of a private key
    Buffer key;                      // ek or dk; of raw bytes, they themselves
    Buffer seed;                     // empty if the file has none
    std::string fault;               // "" if the key is fine
    std::string note;                // what was skipped on the way to it
    bool is_encrypted = false;
};

// Asks for the passphrase of an encrypted key, at most once. Without it, an encrypted key is refused.
using AskPassphrase = std::function<Buffer()>;

// read_key_file reads the first key of the wanted kind, or of any. The library checks DER and PEM; raw bytes are not judged.
KeyFile read_key_file(const Buffer &bytes, Kind wanted, const AskPassphrase &ask = nullptr);

// The key of a set that a file holds.
struct SetKey {
    Encoding encoding;
    Buffer key;  // ek, or dk as latkem_decaps takes it
    Buffer seed; // empty if the file has none
    std::string fault, note;
};

// key_of_set reads an ek or a dk of the set. A raw private key of ML-KEM may be dk or the seed. A set that the file names
// must be this one.
SetKey key_of_set(const latkem_kem *kem, Object object, const Buffer &bytes, const AskPassphrase &ask = nullptr);

// may_be_private_key says whether a file may be a private key: PEM or DER of one, of any algorithm and encrypted too,
// or raw bytes as many as a dk or seed of a set has. Shared secrets are as long as some. If a public key or a
// ciphertext has that length too, a file that others may read (is_shared) is taken for one of these.
bool may_be_private_key(const Buffer &bytes, bool is_shared);

// The form in which to write a private key. Raw has one of the first two forms, DER and PEM any of the three.
struct PrivateFormat {
    Encoding encoding;
    int form;
};

// check_encoding refuses DER and PEM of a set that has no such encoding, choose_form a form that the encoding or the set
// does not have, both as wrong use. Without a name, the form is the seed in DER and PEM, and dk in raw.
void check_encoding(const latkem_kem *kem, Encoding encoding);
PrivateFormat choose_form(const latkem_kem *kem, Encoding encoding, const std::string &name);

// needs_seed: dk alone is not enough to write that.
bool needs_seed(const latkem_kem *kem, PrivateFormat format);

Buffer write_public(const latkem_kem *kem, Encoding encoding, const Buffer &ek);

// write_private encrypts the key if there is a passphrase.
Buffer write_private(const latkem_kem *kem, PrivateFormat format, const Buffer &dk, const Buffer &seed,
                     const Buffer &passphrase = Buffer());

#endif
