// HPKE's key schedule in base mode, written again from RFC 9180 and draft-ietf-hpke-pq over the hashes of the model.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_HPKE_MODEL_H
#define LATKEM_TESTS_HPKE_MODEL_H

#include "harness/model/hex.h"

// A KEM, a KDF and an AEAD by their numbers.
struct HpkeSuite {
    unsigned kem, kdf, aead;
};

class HpkeModel
{
  public:
    HpkeModel(const HpkeSuite &suite, const Bytes &shared_secret, const Bytes &info);
    Bytes exported(const Bytes &context, size_t length) const;
    Bytes nonce(uint64_t sequence) const;

    Bytes key, base_nonce, exporter_secret;

  private:
    HpkeSuite suite_;
};

// The private key that DeriveKeyPair makes.
Bytes hpke_model_private_key(unsigned kem, const Bytes &ikm, size_t length);

#endif
