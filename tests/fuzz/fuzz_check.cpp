// Keys of any bytes: the checks, encapsulation and preparation find the same fault, the one that the definition names.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/batch.h>
#include <latkem/prepared.h>

#include <cstddef>
#include <cstring>

#include "fuzz.h"

namespace
{

// Prepares a key; on failure the storage must be zero.
int prepare(int (*prepare_key)(const latkem_kem *, void *, const uint8_t *, size_t), size_t size, const Objects &set,
            const Bytes &key)
{
    std::vector<std::max_align_t> storage(size / sizeof(std::max_align_t) + 1);
    std::memset(storage.data(), 0xaa, size);
    const int error = prepare_key(set.kem, storage.data(), key.data(), key.size());
    Bytes content(size);
    std::memcpy(content.data(), storage.data(), size);
    must(is_zero(content) == (error != 0), "prepared storage");
    return error;
}

void check_ek(const Objects &set, const Bytes &ek)
{
    const int expected = expected_ek_result(set, ek);
    must(latkem_check_ek(set.kem, ek.data(), ek.size()) == expected_ek_check(set, ek), "check of ek");
    must(prepare(latkem_prepare_ek, latkem_prepared_ek_bytes(set.kem), set, ek) == expected, "preparation of ek");

    const Bytes coins(latkem_coins_bytes(set.kem), 3);
    Bytes ct(set.ct.size(), 0xaa), ss(set.ss.size(), 0xaa);
    const int error = latkem_encaps_derand(set.kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(),
                                           coins.size());
    must(error == expected, "result of encapsulation");
    must(is_zero(ct + ss) == (error != 0), "output of encapsulation");
    if (ek.size() == set.ek.size())
        must(latkem_encaps_batch(set.kem, 1, ct.data(), ss.data(), ek.data()) == expected, "batch of one");
}

void check_dk(const Objects &set, const Bytes &dk)
{
    const int expected = expected_dk_result(set, dk);
    must(latkem_check_dk(set.kem, dk.data(), dk.size()) == expected_dk_check(set, dk), "check of dk");
    must(prepare(latkem_prepare_dk, latkem_prepared_dk_bytes(set.kem), set, dk) == expected, "preparation of dk");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    Bytes ek = choose_object(input, set.ek, mode & mode_raw_key, mode);
    Bytes dk = choose_object(input, set.dk, mode & mode_raw_key, mode);
    patch(input, ek, 4);
    patch(input, dk, 64);
    if (mode & mode_repair_hash) repair_hash(set, dk);
    check_ek(set, ek);
    check_dk(set, dk);
    return 0;
}
