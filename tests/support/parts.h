// Keys and encapsulations in parts (latkem/incremental.h); every step must succeed.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PARTS_H
#define LATKEM_TESTS_PARTS_H

#include <latkem/incremental.h>

#include "kem_test.h"

inline bool has_parts(const SetFacts &set)
{
    return set.family == Family::mlkem;
}

struct KeyParts {
    Bytes header, vector;
};

struct FirstPart {
    Bytes state, ct1, ss;
};

inline KeyParts split(const latkem_kem *kem, const Bytes &ek)
{
    KeyParts parts{Bytes(latkem_header_bytes(kem)), Bytes(latkem_vector_bytes(kem))};
    EXPECT_EQ(latkem_ek_split(kem, parts.header.data(), parts.vector.data(), ek.data(), ek.size()), LATKEM_OK);
    return parts;
}

inline Bytes join(const latkem_kem *kem, const KeyParts &parts)
{
    Bytes ek(latkem_ek_bytes(kem));
    EXPECT_EQ(latkem_ek_join(kem, ek.data(), parts.header.data(), parts.header.size(), parts.vector.data(),
                             parts.vector.size()),
              LATKEM_OK);
    return ek;
}

inline FirstPart encaps1(const latkem_kem *kem, const Bytes &header, const Bytes &coins)
{
    FirstPart first{Bytes(latkem_encaps_state_bytes(kem)), Bytes(latkem_ct1_bytes(kem)), Bytes(latkem_ss_bytes(kem))};
    EXPECT_EQ(latkem_encaps1_derand(kem, first.state.data(), first.ct1.data(), first.ss.data(), header.data(),
                                    header.size(), coins.data(), coins.size()),
              LATKEM_OK);
    return first;
}

inline Bytes encaps2(const latkem_kem *kem, Bytes state, const Bytes &vector)
{
    Bytes ct2(latkem_ct2_bytes(kem));
    EXPECT_EQ(latkem_encaps2(kem, ct2.data(), state.data(), vector.data(), vector.size()), LATKEM_OK);
    return ct2;
}

inline Bytes decaps_parts(const latkem_kem *kem, const Bytes &ct1, const Bytes &ct2, const Bytes &dk)
{
    Bytes ss(latkem_ss_bytes(kem));
    EXPECT_EQ(latkem_decaps_parts(kem, ss.data(), ct1.data(), ct1.size(), ct2.data(), ct2.size(), dk.data(), dk.size()),
              LATKEM_OK);
    return ss;
}

#endif
