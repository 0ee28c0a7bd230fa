// UAKE and AKE behind one set of calls, for the tests of both. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_KEX_SIDES_H
#define LATKEM_TESTS_KEX_SIDES_H

#include <latkem/kex.h>

#include "kem_test.h"

// UAKE leaves A's static key pair alone.
enum class Kex { uake, ake };
constexpr Kex both_exchanges[] = {Kex::uake, Kex::ake};

inline const char *name_of(Kex kind)
{
    return kind == Kex::uake ? "uake" : "ake";
}

inline bool has_exchanges(const SetFacts &set)
{
    return set.family == Family::kyber || set.family == Family::kyber_90s;
}

inline size_t message2_bytes(const latkem_kem *kem, Kex kind)
{
    return kind == Kex::uake ? latkem_uake_message2_bytes(kem) : latkem_ake_message2_bytes(kem);
}

struct Random {
    latkem_rng_fn *fill;
    void *ctx;
};

struct Started {
    Bytes message1, state;
};

struct Replied {
    Bytes message2, key;
};

// An exchange of a set, with the static keys of both sides.
struct Exchange {
    const latkem_kem *kem;
    Kex kind;
    KeyPair a, b;

    Started start(Random random) const
    {
        Started s{Bytes(latkem_kex_message1_bytes(kem)), Bytes(latkem_kex_state_bytes(kem))};
        const auto run = kind == Kex::uake ? latkem_uake_start_rng : latkem_ake_start_rng;
        EXPECT_EQ(run(kem, s.message1.data(), s.state.data(), b.ek.data(), b.ek.size(), random.fill, random.ctx), 0);
        return s;
    }

    Replied reply(const Bytes &m1, Random random) const
    {
        Replied r{Bytes(message2_bytes(kem, kind)), Bytes(LATKEM_KEX_KEY_BYTES)};
        if (kind == Kex::uake) {
            EXPECT_EQ(latkem_uake_reply_rng(kem, r.message2.data(), r.key.data(), m1.data(), m1.size(), b.dk.data(),
                                            b.dk.size(), random.fill, random.ctx),
                      0);
        } else {
            EXPECT_EQ(latkem_ake_reply_rng(kem, r.message2.data(), r.key.data(), m1.data(), m1.size(), b.dk.data(),
                                           b.dk.size(), a.ek.data(), a.ek.size(), random.fill, random.ctx),
                      0);
        }
        return r;
    }

    // The state is the caller's copy.
    Bytes finish(const Bytes &m2, Bytes state) const
    {
        Bytes key(LATKEM_KEX_KEY_BYTES);
        if (kind == Kex::uake) {
            EXPECT_EQ(latkem_uake_finish(kem, key.data(), m2.data(), m2.size(), state.data(), state.size()), 0);
        } else {
            EXPECT_EQ(latkem_ake_finish(kem, key.data(), m2.data(), m2.size(), state.data(), state.size(), a.dk.data(),
                                        a.dk.size()),
                      0);
        }
        return key;
    }
};

#endif
