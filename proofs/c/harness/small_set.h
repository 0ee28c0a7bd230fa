// A parameter set of a few bytes, in place of the library's: what the command reads is judged by names and lengths.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_SMALL_SET_H
#define LATKEM_SMALL_SET_H

#include <cstring>
#include <string>

#include <latkem/derand.h>
#include <latkem/latkem.h>

struct latkem_kem {
};

inline const latkem_kem small_set;
inline constexpr size_t small_ek = 6, small_dk = 7, small_ct = 5, small_ss = 4, small_seed = 3;

const char *latkem_kem_name(const latkem_kem *)
{
    return "S-1";
}

size_t latkem_ek_bytes(const latkem_kem *)
{
    return small_ek;
}

size_t latkem_dk_bytes(const latkem_kem *)
{
    return small_dk;
}

size_t latkem_ct_bytes(const latkem_kem *)
{
    return small_ct;
}

size_t latkem_ss_bytes(const latkem_kem *)
{
    return small_ss;
}

size_t latkem_seed_bytes(const latkem_kem *)
{
    return small_seed;
}

int latkem_check_ek(const latkem_kem *, const uint8_t *, size_t)
{
    return LATKEM_OK;
}

int latkem_check_dk(const latkem_kem *, const uint8_t *, size_t)
{
    return LATKEM_OK;
}

const char *latkem_strerror(int)
{
    return "an error";
}

const latkem_kem *set_at(size_t index)
{
    return index == 0 ? &small_set : nullptr;
}

const latkem_kem *set_named(const std::string &name)
{
    return name == latkem_kem_name(&small_set) ? &small_set : nullptr;
}

#endif
