// One key exchange (latkem/kex.h), UAKE or AKE, for the commands that run, test or time it.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_EXCHANGE_H
#define LATKEM_CLI_EXCHANGE_H

#include <latkem/kex.h>

#include "buffer.h"

enum class Kex { uake, ake };

const char *kex_name(Kex kind);

// has_exchanges says whether the set is one of Kyber or Kyber-90s.
bool has_exchanges(const latkem_kem *kem);

// The source of a step's randomness; without a function, the operating system.
struct Randomness {
    latkem_rng_fn *fill = nullptr;
    void *context = nullptr;
};

// The data that the sides send, keep and get. Each step takes what is there and makes the rest, and returns what the
// library does. UAKE leaves A's static keys alone.
struct Exchange {
    const latkem_kem *kem;
    Kex kind;
    Buffer message1, message2, state, key_a, key_b;

    Exchange(const latkem_kem *set, Kex which);
    int start(const Buffer &ek_b, Randomness randomness = {});
    int reply(const Buffer &dk_b, const Buffer &ek_a, Randomness randomness = {});
    int finish(const Buffer &dk_a); // wipes state
};

#endif
