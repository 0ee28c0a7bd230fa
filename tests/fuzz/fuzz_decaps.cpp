// Decapsulation of any bytes with any key: the error that the checks ask for, or a shared secret on which the wire
// form, the prepared form and the batch agree; with a good key, the right secret or the one of implicit rejection.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/batch.h>
#include <latkem/prepared.h>

#include <cstddef>

#include "fuzz.h"
#include "harness/model/kem.h"
#include "harness/model/ntru.h"

namespace
{

// The result of decapsulation with a prepared key.
struct Result {
    int error;
    Bytes ss;
};

Result decaps_wire(const Objects &set, const Bytes &dk, const Bytes &ct)
{
    Result result = {0, Bytes(set.ss.size(), 0xaa)};
    result.error = latkem_decaps(set.kem, result.ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
    return result;
}

Result decaps_batch(const Objects &set, const Bytes &dk, const Bytes &ct)
{
    Result result = {0, Bytes(set.ss.size(), 0xaa)};
    result.error = latkem_decaps_batch(set.kem, 1, result.ss.data(), ct.data(), dk.data());
    return result;
}

Result decaps_prepared(const Objects &set, const Bytes &dk, const Bytes &ct)
{
    std::vector<std::max_align_t> storage(latkem_prepared_dk_bytes(set.kem) / sizeof(std::max_align_t) + 1);
    Result result = {0, Bytes(set.ss.size(), 0xaa)};
    result.error = latkem_prepare_dk(set.kem, storage.data(), dk.data(), dk.size());
    if (result.error) return {result.error, Bytes(set.ss.size(), 0)};
    result.error = latkem_decaps_prepared(set.kem, result.ss.data(), ct.data(), ct.size(), storage.data());
    return result;
}

// The secret of a ciphertext under the good key. NTRU encrypts nothing again, so that its model decides what is valid:
// in HRSS the ciphertext of zeros is.
Bytes expected_secret(const Objects &set, const Bytes &ct)
{
    if (ct == set.ct) return set.ss;
    if (set.facts->family == Family::ntru) return ntru::decaps(ntru::Parameters(*set.facts), set.dk, ct);
    return rejection_secret(*set.facts, set.dk, ct);
}

void check(const Objects &set, const Bytes &dk, const Bytes &ct)
{
    const Result wire = decaps_wire(set, dk, ct);
    const bool right_length = ct.size() == set.ct.size();
    const int expected = right_length ? expected_dk_result(set, dk) : LATKEM_ERR_LENGTH;
    must(wire.error == expected, "result of decapsulation");
    must(!wire.error || is_zero(wire.ss), "a secret in spite of an error");
    const Result prepared = decaps_prepared(set, dk, ct);
    must(prepared.ss == wire.ss, "secret with a prepared key");
    if (right_length) must(prepared.error == wire.error, "result with a prepared key");
    if (right_length && dk.size() == set.dk.size()) {
        const Result batch = decaps_batch(set, dk, ct);
        must(batch.error == wire.error && batch.ss == wire.ss, "batch of one");
    }
    if (right_length && dk == set.dk) must(wire.ss == expected_secret(set, ct), "secret with a good key");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    Bytes ct = choose_object(input, set.ct, mode & mode_raw_ct, mode);
    Bytes dk = choose_object(input, set.dk, mode & mode_raw_key, mode);
    patch(input, ct, 4);
    patch(input, dk, 64);
    if (mode & mode_repair_hash) repair_hash(set, dk);
    check(set, dk, ct);
    return 0;
}
