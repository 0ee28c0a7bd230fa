/* Key generation, encapsulation, decapsulation and the checks of keys. SPDX-License-Identifier: Apache-2.0 */
#include "api/operations.c"
#include "api.h"

static int unless(int wrong, int error, int otherwise)
{
    return wrong ? error : otherwise;
}

static void keypair_of(const latkem_kem *kem)
{
    const place ek = any_place(kem ? EK_BYTES : 0), dk = any_place(kem ? DK_BYTES : 0);
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int wrong = !kem || !fill || !ek.at || !dk.at || share(ek, dk);
    judge(latkem_keypair_rng(kem, ek.at, dk.at, fill, NULL), unless(wrong, LATKEM_ERR_ARGUMENT, 0), 0, ek, dk);
}
PROVE(keypair)

static void keypair_derand_of(const latkem_kem *kem)
{
    const place ek = any_place(kem ? EK_BYTES : 0), dk = any_place(kem ? DK_BYTES : 0), seed = any_place(SEED_BYTES);
    const size_t seed_len = nondet_size();
    begin_call();
    const int missing = !kem || !ek.at || !dk.at || !seed.at;
    const int shared = share(ek, dk) || share(ek, seed) || share(dk, seed);
    const int length = unless(seed_len != SEED_BYTES, LATKEM_ERR_LENGTH, unless(shared, LATKEM_ERR_ARGUMENT, 0));
    judge(latkem_keypair_derand(kem, ek.at, dk.at, seed.at, seed_len), unless(missing, LATKEM_ERR_ARGUMENT, length), 0,
          ek, dk);
}
PROVE(keypair_derand)

/* Few objects, or more than there can be. */
static size_t any_number(size_t largest)
{
    const size_t n = nondet_size();
    ASSUME(n <= MANY || n > PTRDIFF_MAX / largest);
    return n;
}

static void keypair_batch_of(const latkem_kem *kem)
{
    const size_t n = any_number(DK_BYTES), real = n <= MANY ? n : 0;
    const place eks = any_place(real * EK_BYTES), dks = any_place(real * DK_BYTES);
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int missing = !kem || !fill || n > MANY || (n > 0 && (!eks.at || !dks.at));
    const int wrong = unless(missing || share(eks, dks), LATKEM_ERR_ARGUMENT, 0);
    judge(latkem_keypair_batch_rng(kem, n, eks.at, dks.at, fill, NULL), wrong, 1, eks, dks);
}
PROVE(keypair_batch)

static void encaps_of(const latkem_kem *kem)
{
    const place ct = any_place(kem ? CT_BYTES : 0), ss = any_place(kem ? SS_BYTES : 0), ek = any_place(EK_BYTES);
    const size_t ek_len = nondet_size();
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int missing = !kem || !fill || !ct.at || !ss.at || !ek.at || share(ct, ss) || share(ct, ek) || share(ss, ek);
    const int length = kem && ek.at && ek_len != EK_BYTES;
    judge(latkem_encaps_rng(kem, ct.at, ss.at, ek.at, ek_len, fill, NULL),
          unless(length, LATKEM_ERR_LENGTH, unless(missing, LATKEM_ERR_ARGUMENT, 0)), 0, ct, ss);
}
PROVE(encaps)

static void encaps_derand_of(const latkem_kem *kem)
{
    const place ct = any_place(kem ? CT_BYTES : 0), ss = any_place(kem ? SS_BYTES : 0), ek = any_place(EK_BYTES),
                coins = any_place(COINS_BYTES);
    const size_t ek_len = nondet_size(), coins_len = nondet_size();
    begin_call();
    const int missing = !kem || !ct.at || !ss.at || !ek.at || !coins.at;
    const int shared = share(ct, ss) || share(ct, ek) || share(ct, coins) || share(ss, ek) || share(ss, coins);
    const int length = ek_len != EK_BYTES || coins_len != COINS_BYTES;
    const int then = unless(length, LATKEM_ERR_LENGTH, unless(shared, LATKEM_ERR_ARGUMENT, 0));
    judge(latkem_encaps_derand(kem, ct.at, ss.at, ek.at, ek_len, coins.at, coins_len),
          unless(missing, LATKEM_ERR_ARGUMENT, then), 0, ct, ss);
}
PROVE(encaps_derand)

static void encaps_batch_of(const latkem_kem *kem)
{
    const size_t n = any_number(DK_BYTES), real = n <= MANY ? n : 0;
    const place cts = any_place(real * CT_BYTES), sss = any_place(real * SS_BYTES), eks = any_place(real * EK_BYTES);
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int missing = !kem || !fill || n > MANY || (n > 0 && (!cts.at || !sss.at || !eks.at));
    const int shared = share(cts, sss) || share(cts, eks) || share(sss, eks);
    judge(latkem_encaps_batch_rng(kem, n, cts.at, sss.at, eks.at, fill, NULL),
          unless(missing || shared, LATKEM_ERR_ARGUMENT, 0), 1, cts, sss);
}
PROVE(encaps_batch)

static void decaps_of(const latkem_kem *kem)
{
    const place ss = any_place(kem ? SS_BYTES : 0), ct = any_place(CT_BYTES), dk = any_place(DK_BYTES),
                none = {NULL, 0, 0};
    const size_t ct_len = nondet_size(), dk_len = nondet_size();
    begin_call();
    const int missing = !kem || !ss.at || !ct.at || !dk.at, shared = share(ss, ct) || share(ss, dk);
    const int length = ct_len != CT_BYTES || dk_len != DK_BYTES;
    const int then = unless(length, LATKEM_ERR_LENGTH, unless(shared, LATKEM_ERR_ARGUMENT, 0));
    judge(latkem_decaps(kem, ss.at, ct.at, ct_len, dk.at, dk_len), unless(missing, LATKEM_ERR_ARGUMENT, then), 0, ss,
          none);
}
PROVE(decaps)

static void decaps_batch_of(const latkem_kem *kem)
{
    const size_t n = any_number(DK_BYTES), real = n <= MANY ? n : 0;
    const place sss = any_place(real * SS_BYTES), cts = any_place(real * CT_BYTES), dks = any_place(real * DK_BYTES),
                none = {NULL, 0, 0};
    begin_call();
    const int missing = !kem || n > MANY || (n > 0 && (!sss.at || !cts.at || !dks.at));
    const int wrong = unless(missing || share(sss, cts) || share(sss, dks), LATKEM_ERR_ARGUMENT, 0);
    judge(latkem_decaps_batch(kem, n, sss.at, cts.at, dks.at), wrong, 1, sss, none);
}
PROVE(decaps_batch)

static void check_of(const latkem_kem *kem)
{
    const int of_dk = nondet_int() & 1;
    const size_t bytes = of_dk ? DK_BYTES : EK_BYTES, len = nondet_size();
    const place key = any_place(bytes), none = {NULL, 0, 0};
    begin_call();
    const int wrong = unless(!kem || !key.at, LATKEM_ERR_ARGUMENT, unless(len != bytes, LATKEM_ERR_LENGTH, 0));
    judge(of_dk ? latkem_check_dk(kem, key.at, len) : latkem_check_ek(kem, key.at, len), wrong, 0, none, none);
}
PROVE(check)
