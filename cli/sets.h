// The parameter sets of the command: those of liblatkem, then the hybrids of liblatkem-protocol; and what the command knows
// of them beyond the API.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_SETS_H
#define LATKEM_CLI_SETS_H

#include <string>

#include <latkem/latkem.h>

#include "buffer.h"

// set_at returns the set at an index from 0, set_named that of a name; NULL if there is none.
const latkem_kem *set_at(size_t index);
const latkem_kem *set_named(const std::string &name);

bool is_hybrid(const latkem_kem *kem);
bool is_mlkem(const latkem_kem *kem);
bool is_research(const latkem_kem *kem);

// standing says which document a set is from, or that it is for research: "FIPS 203", "RFC 10024", "draft", "research".
const char *standing(const latkem_kem *kem);

// dk_is_seed: the private key is the seed that both keys grow from, as X-Wing's is.
bool dk_is_seed(const latkem_kem *kem);

// is_for_tls: the secret is two secrets side by side, which only the key schedule of TLS makes one.
bool is_for_tls(const latkem_kem *kem);

// is_encodable: the set's keys have a standard encoding in DER and PEM.
bool is_encodable(const latkem_kem *kem);

// grow_dk makes the private key of a seed.
Buffer grow_dk(const latkem_kem *kem, const Buffer &seed);

// ek_of_dk returns the public key of a private one, or nothing where it cannot be had: dk of NTRU does not hold it, and
// that of the TLS hybrids not as a whole.
Buffer ek_of_dk(const latkem_kem *kem, const Buffer &dk);

#endif
