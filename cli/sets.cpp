// The parameter sets of the command.
// SPDX-License-Identifier: Apache-2.0
#include "sets.h"

#include <cstring>

#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>

#include "failure.h"

namespace
{

size_t core_sets()
{
    size_t count = 0;
    while (latkem_kem_at(count) != nullptr) count++;
    return count;
}

Buffer grow_ek(const latkem_kem *kem, const Buffer &seed)
{
    Buffer ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    require(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), latkem_kem_name(kem));
    return ek;
}

} // namespace

const latkem_kem *set_at(size_t index)
{
    const size_t core = core_sets();
    return index < core ? latkem_kem_at(index) : latkem_hybrid_at(index - core);
}

const latkem_kem *set_named(const std::string &name)
{
    const latkem_kem *kem = latkem_kem_find(name.c_str());
    return kem != nullptr ? kem : latkem_hybrid_find(name.c_str());
}

bool is_hybrid(const latkem_kem *kem)
{
    return latkem_hybrid_find(latkem_kem_name(kem)) == kem;
}

bool is_mlkem(const latkem_kem *kem)
{
    return !is_hybrid(kem) && latkem_kem_is_standard(kem) == 1;
}

bool is_research(const latkem_kem *kem)
{
    return !is_hybrid(kem) && latkem_kem_is_standard(kem) == 0;
}

const char *standing(const latkem_kem *kem)
{
    if (is_hybrid(kem)) return latkem_kem_is_standard(kem) == 1 ? "RFC 10024" : "draft";
    return is_mlkem(kem) ? "FIPS 203" : "research";
}

bool dk_is_seed(const latkem_kem *kem)
{
    return latkem_dk_bytes(kem) == latkem_seed_bytes(kem);
}

bool is_for_tls(const latkem_kem *kem)
{
    return is_hybrid(kem) && !dk_is_seed(kem);
}

// Asked for an encoding into no room, the library says first whether there is one.
bool is_encodable(const latkem_kem *kem)
{
    const Buffer ek(latkem_ek_bytes(kem));
    uint8_t none = 0;
    size_t room = 0;
    return latkem_public_key_write(kem, &none, &room, ek.data(), ek.size()) != LATKEM_ERR_ARGUMENT;
}

Buffer grow_dk(const latkem_kem *kem, const Buffer &seed)
{
    Buffer ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    require(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), latkem_kem_name(kem));
    return dk;
}

Buffer ek_of_dk(const latkem_kem *kem, const Buffer &dk)
{
    if (dk_is_seed(kem)) return grow_ek(kem, dk);
    if (is_hybrid(kem) || std::strncmp(latkem_kem_name(kem), "NTRU", 4) == 0) return Buffer();
    const size_t size = latkem_ek_bytes(kem), behind = 32 + 32; // dk ends with ek, its hash and z
    return Buffer(dk.end() - behind - size, size);
}
