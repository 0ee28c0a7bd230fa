// Incremental encapsulation: any header, vector and state give the error that the checks ask for, and nothing with it;
// parts of a good key give the ciphertext and the secret of the whole one. SPDX-License-Identifier: Apache-2.0
#include <latkem/incremental.h>

#include <algorithm>

#include "fuzz.h"
#include "harness/model/kem.h"

namespace
{

constexpr size_t tag_bytes = 4, rho_bytes = 32;

// A sender's state with what it has sent.
struct Begun {
    Bytes state, ct1, ss;
};

Begun begin(const latkem_kem *kem, const Bytes &header, const Bytes &coins)
{
    Begun b = {Bytes(latkem_encaps_state_bytes(kem)), Bytes(latkem_ct1_bytes(kem)), Bytes(latkem_ss_bytes(kem))};
    must(latkem_encaps1_derand(kem, b.state.data(), b.ct1.data(), b.ss.data(), header.data(), header.size(),
                               coins.data(), coins.size()) == 0,
         "a header is refused");
    return b;
}

// The ek that header and vector are parts of, if they fit.
Bytes whole(const Bytes &header, const Bytes &vector)
{
    return vector + slice(header, 0, rho_bytes);
}

Bytes hash_of(const Objects &set, const Bytes &header, const Bytes &vector)
{
    return hash_h(*set.facts, whole(header, vector));
}

bool fit(const Objects &set, const Bytes &header, const Bytes &vector)
{
    return expected_ek_check(set, whole(header, vector)) == 0 &&
           slice(header, rho_bytes, header.size() - rho_bytes) == hash_of(set, header, vector);
}

// A state's tag is compared first, then its header with the vector, then r with m and H(ek), which are the rest.
int expected_result(const Objects &set, const Bytes &begun, const Bytes &state, const Bytes &vector)
{
    const auto same = [&](size_t from, size_t to) {
        return slice(state, from, to - from) == slice(begun, from, to - from);
    };
    const size_t header_bytes = latkem_header_bytes(set.kem);
    if (!same(0, tag_bytes)) return LATKEM_ERR_STATE;
    if (!fit(set, slice(state, tag_bytes, header_bytes), vector)) return LATKEM_ERR_EK;
    return same(tag_bytes + rho_bytes, state.size()) ? LATKEM_OK : LATKEM_ERR_STATE;
}

void check(const Objects &set, const Bytes &header, const Bytes &vector, const Bytes &coins, Input &input)
{
    const Begun begun = begin(set.kem, header, coins);
    Bytes state = begun.state, ct2(latkem_ct2_bytes(set.kem), 0xaa), ek(set.ek.size(), 0xaa);
    patch(input, state, 8);
    const Bytes given = state;
    const bool good_vector = fit(set, header, vector);

    const int joined = latkem_ek_join(set.kem, ek.data(), header.data(), header.size(), vector.data(), vector.size());
    must(joined == (good_vector ? 0 : LATKEM_ERR_EK), "result of joining");
    must(!joined || is_zero(ek), "a key in spite of an error");

    const int result = latkem_encaps2(set.kem, ct2.data(), state.data(), vector.data(), vector.size());
    must(result == expected_result(set, begun.state, given, vector), "result of the second part");
    if (result) {
        must(is_zero(ct2), "a part in spite of an error");
        must(state == given, "an error changes the state");
        return;
    }
    must(is_zero(state), "the state stays");
    if (given != begun.state) return; // rho alone may be altered to one that fits
    Bytes ct(set.ct.size()), ss(set.ss.size());
    must(latkem_encaps_derand(set.kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()) == 0,
         "encapsulation to the whole key");
    must(begun.ct1 + ct2 == ct && begun.ss == ss, "the parts are not the whole");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    Bytes header(latkem_header_bytes(set.kem)), vector(latkem_vector_bytes(set.kem));
    if (header.empty()) return 0;
    must(latkem_ek_split(set.kem, header.data(), vector.data(), set.ek.data(), set.ek.size()) == 0, "a good ek");
    const Bytes coins = input.bytes(set.facts->sizes.coins);
    if (mode & mode_raw_key) vector = input.bytes(vector.size());
    patch(input, header, mode >> 4);
    patch(input, vector, mode >> 4);
    if (mode & mode_repair_hash) {
        const Bytes h = hash_of(set, header, vector);
        std::copy(h.begin(), h.end(), header.begin() + rho_bytes);
    }
    check(set, header, vector, coins, input);
    return 0;
}
