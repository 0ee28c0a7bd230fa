// The outer layer of the schemes as their documents define it, on the tests' own hash functions: what a decapsulation
// must return when it rejects, and every secret value that a workspace may hold.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_KEM_H
#define LATKEM_HARNESS_MODEL_KEM_H

#include "facts.h"
#include "hex.h"

// H of the set: SHA3-256, or SHA-256 in the 90s sets.
Bytes hash_h(const SetFacts &set, const Bytes &message);

// G of the set: SHA3-512, or SHA-512 in the 90s sets.
Bytes hash_g(const SetFacts &set, const Bytes &message);

// PRF of the set: SHAKE256 of seed and nonce, or the AES-256-CTR key stream in the 90s sets.
Bytes prf(const SetFacts &set, const Bytes &seed, uint8_t nonce, size_t length);

// The shared secret of a ciphertext that is rejected (FIPS 203 algorithm 18 step 7; Kyber round 3 algorithm 9:
// KDF(z || H(c)); Saber: H(z || H(c)); NTRU: H(z || c)).
Bytes rejection_secret(const SetFacts &set, const Bytes &dk, const Bytes &ct);

// The reason why dk is no key for ek, or nothing: it must hold ek and its hash; in NTRU the equations of ntru.h hold.
std::string key_fault(const SetFacts &set, const Bytes &ek, const Bytes &dk);

// z, the end of every dk.
Bytes dk_rejection_seed(const Bytes &dk);

// The parts of dk before it, where dk_holds_ek(set): s || ek || H(ek) || z.
Bytes dk_secret_vector(const SetFacts &set, const Bytes &dk);

// The coefficients of that vector: reduced modulo q, or in Saber small and signed.
std::vector<int16_t> dk_secret_coefficients(const SetFacts &set, const Bytes &dk);

size_t dk_ek_offset(const SetFacts &set);
size_t dk_hash_offset(const SetFacts &set);

// SamplePolyCBD (FIPS 203 algorithm 8): the coefficients in -eta .. eta, of 64 * eta bytes.
std::vector<int16_t> centred_binomial(const Bytes &bytes, unsigned eta);

// ByteDecode_12 (FIPS 203 algorithm 6) of reduced coefficients.
std::vector<int16_t> unpack12(const Bytes &packed);

#endif
