/* Prepared keys. SPDX-License-Identifier: Apache-2.0 */
#include "api/prepared.c"
#include "api.h"

/* Storage, aligned as it has to be. */
static place any_storage(size_t bytes)
{
    const place storage = any_place(bytes);
    ASSUME(storage.from % _Alignof(max_align_t) == 0);
    return storage;
}

static const place none = {NULL, 0, 0};

/* Preparation: on success the header says what the body is. */
static void judge_prepared(int result, int wrong, place storage, int kind)
{
    place body = {storage.at, storage.from + LK_PREPARED_HEADER, PREPARED_BYTES};
    header h;
    if (result != 0) {
        judge(result, wrong, 0, storage, none);
        return;
    }
    memcpy(&h, storage.at, sizeof h);
    CLAIM(h.is.kem == &set && h.is.backend == &backend && h.is.kind == kind, "the header says what is in the storage");
    memcpy(before + storage.from, memory + storage.from, LK_PREPARED_HEADER);
    judge(result, wrong, 0, body, none);
}

static void prepare_of(const latkem_kem *kem, int kind)
{
    const size_t key_bytes = kind == 1 ? EK_BYTES : DK_BYTES, len = nondet_size();
    const place storage = any_storage(kem ? LK_PREPARED_HEADER + PREPARED_BYTES : 0), key = any_place(key_bytes);
    begin_call();
    const int missing = !kem || !storage.at || !key.at, length = len != key_bytes;
    const int wrong = missing               ? LATKEM_ERR_ARGUMENT
                      : length              ? LATKEM_ERR_LENGTH
                      : share(storage, key) ? LATKEM_ERR_ARGUMENT
                                            : 0;
    judge_prepared(kind == 1 ? latkem_prepare_ek(kem, storage.at, key.at, len)
                             : latkem_prepare_dk(kem, storage.at, key.at, len),
                   wrong, storage, kind);
}

static void prepare_ek_of(const latkem_kem *kem)
{
    prepare_of(kem, 1);
}
PROVE(prepare_ek)

static void prepare_dk_of(const latkem_kem *kem)
{
    prepare_of(kem, 2);
}
PROVE(prepare_dk)

/* Whether storage of any bytes says that it holds a key of this set and kind, by a backend of the library. */
static int says(place storage, int kind)
{
    header h;
    memcpy(&h, storage.at, sizeof h);
    return h.is.kem == &set && h.is.backend == &backend && h.is.kind == kind;
}

static void encaps_prepared_of(const latkem_kem *kem)
{
    const place ct = any_place(kem ? CT_BYTES : 0), ss = any_place(kem ? SS_BYTES : 0);
    const place storage = any_storage(LK_PREPARED_HEADER + PREPARED_BYTES);
    latkem_rng_fn *fill = any_generator();
    begin_call();
    int wrong = 0;
    if (!kem || !fill || !ct.at || !ss.at || !storage.at || share(ct, ss) || share(ct, storage) || share(ss, storage))
        wrong = LATKEM_ERR_ARGUMENT;
    else if (!says(storage, 1))
        wrong = LATKEM_ERR_PREPARED;
    judge(latkem_encaps_prepared_rng(kem, ct.at, ss.at, storage.at, fill, NULL), wrong, 0, ct, ss);
}
PROVE(encaps_prepared)

static void decaps_prepared_of(const latkem_kem *kem)
{
    const place ss = any_place(kem ? SS_BYTES : 0), ct = any_place(CT_BYTES);
    const place storage = any_storage(LK_PREPARED_HEADER + PREPARED_BYTES);
    const size_t ct_len = nondet_size();
    begin_call();
    int wrong = 0;
    if (!kem || !ss.at || !ct.at || !storage.at)
        wrong = LATKEM_ERR_ARGUMENT;
    else if (ct_len != CT_BYTES)
        wrong = LATKEM_ERR_LENGTH;
    else if (share(ss, ct) || share(ss, storage))
        wrong = LATKEM_ERR_ARGUMENT;
    else if (!says(storage, 2))
        wrong = LATKEM_ERR_PREPARED;
    judge(latkem_decaps_prepared(kem, ss.at, ct.at, ct_len, storage.at), wrong, 0, ss, none);
}
PROVE(decaps_prepared)
