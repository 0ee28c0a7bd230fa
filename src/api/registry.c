/* The parameter sets, their names and sizes. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/latkem.h>
#include <string.h>

#include "api/kem.h"
#include "scheme/mlkem/params.h"
#include "scheme/ntru/params.h"
#include "scheme/saber/params.h"

/* clang-format off */
static const latkem_kem kems[] = {
    /* name               level standard scheme    parameters */
    {"ML-KEM-512",        1,    1,   LK_MLKEM, &lk_mlkem_512},
    {"ML-KEM-768",        3,    1,   LK_MLKEM, &lk_mlkem_768},
    {"ML-KEM-1024",       5,    1,   LK_MLKEM, &lk_mlkem_1024},
    {"Kyber512",          1,    0,   LK_MLKEM, &lk_kyber_512},
    {"Kyber768",          3,    0,   LK_MLKEM, &lk_kyber_768},
    {"Kyber1024",         5,    0,   LK_MLKEM, &lk_kyber_1024},
    {"Kyber512-90s",      1,    0,   LK_MLKEM, &lk_kyber90s_512},
    {"Kyber768-90s",      3,    0,   LK_MLKEM, &lk_kyber90s_768},
    {"Kyber1024-90s",     5,    0,   LK_MLKEM, &lk_kyber90s_1024},
    {"LightSaber",        1,    0,   LK_SABER, &lk_lightsaber},
    {"Saber",             3,    0,   LK_SABER, &lk_saber_3},
    {"FireSaber",         5,    0,   LK_SABER, &lk_firesaber},
    {"NTRU-HPS-2048-509", 1,    0,   LK_NTRU,  &lk_ntru_hps2048509},
    {"NTRU-HPS-2048-677", 3,    0,   LK_NTRU,  &lk_ntru_hps2048677},
    {"NTRU-HPS-4096-821", 5,    0,   LK_NTRU,  &lk_ntru_hps4096821},
    {"NTRU-HRSS-701",     3,    0,   LK_NTRU,  &lk_ntru_hrss701},
};
/* clang-format on */

const latkem_kem *latkem_kem_at(size_t index)
{
    return index < sizeof kems / sizeof kems[0] ? &kems[index] : NULL;
}

const latkem_kem *latkem_kem_find(const char *name)
{
    const latkem_kem *kem = NULL;
    if (!name) return NULL;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++)
        if (strcmp(kem->name, name) == 0) break;
    return kem;
}

const char *latkem_kem_name(const latkem_kem *kem)
{
    return kem ? kem->name : NULL;
}

int latkem_kem_level(const latkem_kem *kem)
{
    return kem ? kem->level : 0;
}

int latkem_kem_is_standard(const latkem_kem *kem)
{
    return kem ? kem->standard : 0;
}

size_t latkem_ek_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem).ek;
}

size_t latkem_dk_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem).dk;
}

size_t latkem_ct_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem).ct;
}

size_t latkem_ss_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem).ss;
}

size_t latkem_seed_bytes(const latkem_kem *kem)
{
    return lk_total(lk_sizes_of(kem).seed);
}

size_t latkem_coins_bytes(const latkem_kem *kem)
{
    return lk_total(lk_sizes_of(kem).coins);
}
