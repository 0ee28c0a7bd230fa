// Every operation of the API that takes buffers: see calls.h.
// SPDX-License-Identifier: Apache-2.0
#include "calls.h"

#include <latkem/kex.h>
#include <latkem/workspace.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "kex_sides.h"
#include "parts.h"

void PrintTo(const Call &call, std::ostream *os)
{
    *os << call.name;
}

namespace
{

const std::vector<Call> &kem_calls()
{
    using A = Arguments;
    constexpr size_t n = batch_elements;
    // clang-format off
    static const std::vector<Call> calls = {
        {"keypair", 1, {EK, DK}, {}, {}, false, false,
         [](A &a) { return latkem_keypair(a.kem, a.at[EK], a.at[DK]); }},
        {"keypair_rng", 1, {EK, DK}, {}, {}, true, true,
         [](A &a) { return latkem_keypair_rng(a.kem, a.at[EK], a.at[DK], a.fill, &a.rng); }},
        {"keypair_derand", 1, {EK, DK}, {SEED}, {SEED}, false, true,
         [](A &a) { return latkem_keypair_derand(a.kem, a.at[EK], a.at[DK], a.at[SEED], a.length[SEED]); }},
        {"encaps", 1, {CT, SS}, {EK}, {EK}, false, false,
         [](A &a) { return latkem_encaps(a.kem, a.at[CT], a.at[SS], a.at[EK], a.length[EK]); }},
        {"encaps_rng", 1, {CT, SS}, {EK}, {EK}, true, true,
         [](A &a) { return latkem_encaps_rng(a.kem, a.at[CT], a.at[SS], a.at[EK], a.length[EK], a.fill, &a.rng); }},
        {"encaps_derand", 1, {CT, SS}, {EK, COINS}, {EK, COINS}, false, true,
         [](A &a) { return latkem_encaps_derand(a.kem, a.at[CT], a.at[SS], a.at[EK], a.length[EK], a.at[COINS],
                                                a.length[COINS]); }},
        {"decaps", 1, {SS}, {CT, DK}, {CT, DK}, false, true,
         [](A &a) { return latkem_decaps(a.kem, a.at[SS], a.at[CT], a.length[CT], a.at[DK], a.length[DK]); }},
        {"check_ek", 1, {}, {EK}, {EK}, false, true,
         [](A &a) { return latkem_check_ek(a.kem, a.at[EK], a.length[EK]); }},
        {"check_dk", 1, {}, {DK}, {DK}, false, true,
         [](A &a) { return latkem_check_dk(a.kem, a.at[DK], a.length[DK]); }},
        {"prepare_ek", 1, {PREPARED_EK}, {EK}, {EK}, false, false,
         [](A &a) { return latkem_prepare_ek(a.kem, a.at[PREPARED_EK], a.at[EK], a.length[EK]); }},
        {"prepare_dk", 1, {PREPARED_DK}, {DK}, {DK}, false, false,
         [](A &a) { return latkem_prepare_dk(a.kem, a.at[PREPARED_DK], a.at[DK], a.length[DK]); }},
        {"encaps_prepared", 1, {CT, SS}, {PREPARED_EK}, {}, false, false,
         [](A &a) { return latkem_encaps_prepared(a.kem, a.at[CT], a.at[SS], a.at[PREPARED_EK]); }},
        {"encaps_prepared_rng", 1, {CT, SS}, {PREPARED_EK}, {}, true, true,
         [](A &a) { return latkem_encaps_prepared_rng(a.kem, a.at[CT], a.at[SS], a.at[PREPARED_EK], a.fill, &a.rng); }},
        {"decaps_prepared", 1, {SS}, {CT, PREPARED_DK}, {CT}, false, true,
         [](A &a) { return latkem_decaps_prepared(a.kem, a.at[SS], a.at[CT], a.length[CT], a.at[PREPARED_DK]); }},
        {"keypair_batch", n, {EK, DK}, {}, {}, false, false,
         [](A &a) { return latkem_keypair_batch(a.kem, a.n, a.at[EK], a.at[DK]); }},
        {"encaps_batch", n, {CT, SS}, {EK}, {}, false, false,
         [](A &a) { return latkem_encaps_batch(a.kem, a.n, a.at[CT], a.at[SS], a.at[EK]); }},
        {"keypair_batch_rng", n, {EK, DK}, {}, {}, true, true,
         [](A &a) { return latkem_keypair_batch_rng(a.kem, a.n, a.at[EK], a.at[DK], a.fill, &a.rng); }},
        {"encaps_batch_rng", n, {CT, SS}, {EK}, {}, true, true,
         [](A &a) { return latkem_encaps_batch_rng(a.kem, a.n, a.at[CT], a.at[SS], a.at[EK], a.fill, &a.rng); }},
        {"decaps_batch", n, {SS}, {CT, DK}, {}, false, true,
         [](A &a) { return latkem_decaps_batch(a.kem, a.n, a.at[SS], a.at[CT], a.at[DK]); }},
    };
    // clang-format on
    return calls;
}

// The keys EK and DK are those of both sides.
const std::vector<Call> &exchange_calls()
{
    using A = Arguments;
    // clang-format off
    static const std::vector<Call> calls = {
        {"uake_start", 1, {MESSAGE1, STATE}, {EK}, {EK}, false, false,
         [](A &a) { return latkem_uake_start(a.kem, a.at[MESSAGE1], a.at[STATE], a.at[EK], a.length[EK]); }},
        {"uake_start_rng", 1, {MESSAGE1, STATE}, {EK}, {EK}, true, true,
         [](A &a) { return latkem_uake_start_rng(a.kem, a.at[MESSAGE1], a.at[STATE], a.at[EK], a.length[EK], a.fill,
                                                 &a.rng); }},
        {"uake_reply", 1, {UAKE_MESSAGE2, KEY}, {MESSAGE1, DK}, {MESSAGE1, DK}, false, false,
         [](A &a) { return latkem_uake_reply(a.kem, a.at[UAKE_MESSAGE2], a.at[KEY], a.at[MESSAGE1], a.length[MESSAGE1],
                                             a.at[DK], a.length[DK]); }},
        {"uake_reply_rng", 1, {UAKE_MESSAGE2, KEY}, {MESSAGE1, DK}, {MESSAGE1, DK}, true, true,
         [](A &a) { return latkem_uake_reply_rng(a.kem, a.at[UAKE_MESSAGE2], a.at[KEY], a.at[MESSAGE1],
                                                 a.length[MESSAGE1], a.at[DK], a.length[DK], a.fill, &a.rng); }},
        {"uake_finish", 1, {KEY}, {UAKE_MESSAGE2, STATE}, {UAKE_MESSAGE2, STATE}, false, true,
         [](A &a) { return latkem_uake_finish(a.kem, a.at[KEY], a.at[UAKE_MESSAGE2], a.length[UAKE_MESSAGE2],
                                              a.at[STATE], a.length[STATE]); }, {STATE}},
        {"ake_start", 1, {MESSAGE1, STATE}, {EK}, {EK}, false, false,
         [](A &a) { return latkem_ake_start(a.kem, a.at[MESSAGE1], a.at[STATE], a.at[EK], a.length[EK]); }},
        {"ake_start_rng", 1, {MESSAGE1, STATE}, {EK}, {EK}, true, true,
         [](A &a) { return latkem_ake_start_rng(a.kem, a.at[MESSAGE1], a.at[STATE], a.at[EK], a.length[EK], a.fill,
                                                &a.rng); }},
        {"ake_reply", 1, {AKE_MESSAGE2, KEY}, {MESSAGE1, DK, EK}, {MESSAGE1, DK, EK}, false, false,
         [](A &a) { return latkem_ake_reply(a.kem, a.at[AKE_MESSAGE2], a.at[KEY], a.at[MESSAGE1], a.length[MESSAGE1],
                                            a.at[DK], a.length[DK], a.at[EK], a.length[EK]); }},
        {"ake_reply_rng", 1, {AKE_MESSAGE2, KEY}, {MESSAGE1, DK, EK}, {MESSAGE1, DK, EK}, true, true,
         [](A &a) { return latkem_ake_reply_rng(a.kem, a.at[AKE_MESSAGE2], a.at[KEY], a.at[MESSAGE1],
                                                a.length[MESSAGE1], a.at[DK], a.length[DK], a.at[EK], a.length[EK],
                                                a.fill, &a.rng); }},
        {"ake_finish", 1, {KEY}, {AKE_MESSAGE2, STATE, DK}, {AKE_MESSAGE2, STATE, DK}, false, true,
         [](A &a) { return latkem_ake_finish(a.kem, a.at[KEY], a.at[AKE_MESSAGE2], a.length[AKE_MESSAGE2], a.at[STATE],
                                             a.length[STATE], a.at[DK], a.length[DK]); }, {STATE}},
    };
    // clang-format on
    return calls;
}

const std::vector<Call> &incremental_calls()
{
    using A = Arguments;
    // clang-format off
    static const std::vector<Call> calls = {
        {"ek_split", 1, {HEADER, VECTOR}, {EK}, {EK}, false, true,
         [](A &a) { return latkem_ek_split(a.kem, a.at[HEADER], a.at[VECTOR], a.at[EK], a.length[EK]); }},
        {"ek_join", 1, {EK}, {HEADER, VECTOR}, {HEADER, VECTOR}, false, true,
         [](A &a) { return latkem_ek_join(a.kem, a.at[EK], a.at[HEADER], a.length[HEADER], a.at[VECTOR],
                                          a.length[VECTOR]); }},
        {"encaps1", 1, {ENCAPS_STATE, CT1, SS}, {HEADER}, {HEADER}, false, false,
         [](A &a) { return latkem_encaps1(a.kem, a.at[ENCAPS_STATE], a.at[CT1], a.at[SS], a.at[HEADER],
                                          a.length[HEADER]); }},
        {"encaps1_rng", 1, {ENCAPS_STATE, CT1, SS}, {HEADER}, {HEADER}, true, true,
         [](A &a) { return latkem_encaps1_rng(a.kem, a.at[ENCAPS_STATE], a.at[CT1], a.at[SS], a.at[HEADER],
                                              a.length[HEADER], a.fill, &a.rng); }},
        {"encaps1_derand", 1, {ENCAPS_STATE, CT1, SS}, {HEADER, COINS}, {HEADER, COINS}, false, true,
         [](A &a) { return latkem_encaps1_derand(a.kem, a.at[ENCAPS_STATE], a.at[CT1], a.at[SS], a.at[HEADER],
                                                 a.length[HEADER], a.at[COINS], a.length[COINS]); }},
        {"encaps2", 1, {CT2}, {ENCAPS_STATE, VECTOR}, {VECTOR}, false, true,
         [](A &a) { return latkem_encaps2(a.kem, a.at[CT2], a.at[ENCAPS_STATE], a.at[VECTOR], a.length[VECTOR]); },
         {}, {ENCAPS_STATE}},
        {"decaps_parts", 1, {SS}, {CT1, CT2, DK}, {CT1, CT2, DK}, false, true,
         [](A &a) { return latkem_decaps_parts(a.kem, a.at[SS], a.at[CT1], a.length[CT1], a.at[CT2], a.length[CT2],
                                               a.at[DK], a.length[DK]); }},
    };
    // clang-format on
    return calls;
}

// A workspace is wiped at the end of each.
const std::vector<Call> &workspace_calls()
{
    using A = Arguments;
    // clang-format off
    static const std::vector<Call> calls = {
        {"keypair_derand_in", 1, {WORKSPACE, EK, DK}, {SEED}, {SEED}, false, true,
         [](A &a) { return latkem_keypair_derand_in(a.at[WORKSPACE], a.length[WORKSPACE], a.kem, a.at[EK], a.at[DK],
                                                    a.at[SEED], a.length[SEED]); }},
        {"encaps_derand_in", 1, {WORKSPACE, CT, SS}, {EK, COINS}, {EK, COINS}, false, true,
         [](A &a) { return latkem_encaps_derand_in(a.at[WORKSPACE], a.length[WORKSPACE], a.kem, a.at[CT], a.at[SS],
                                                   a.at[EK], a.length[EK], a.at[COINS], a.length[COINS]); }},
        {"decaps_in", 1, {WORKSPACE, SS}, {CT, DK}, {CT, DK}, false, true,
         [](A &a) { return latkem_decaps_in(a.at[WORKSPACE], a.length[WORKSPACE], a.kem, a.at[SS], a.at[CT],
                                            a.length[CT], a.at[DK], a.length[DK]); }},
    };
    // clang-format on
    return calls;
}

} // namespace

std::vector<Call> calls_of(const SetFacts &set)
{
    std::vector<Call> calls = kem_calls();
    if (has_exchanges(set)) calls.insert(calls.end(), exchange_calls().begin(), exchange_calls().end());
    if (set.family != Family::hybrid) calls.insert(calls.end(), workspace_calls().begin(), workspace_calls().end());
    if (has_parts(set)) calls.insert(calls.end(), incremental_calls().begin(), incremental_calls().end());
    return calls;
}

CallMemory::CallMemory(const SetFacts &set, const latkem_kem *kem, const Call &call, size_t offset)
    : call_(call), kem_(kem), sizes_(set.sizes)
{
    const std::array<size_t, BUFFERS> size = {sizes_.ek,
                                              sizes_.dk,
                                              sizes_.ct,
                                              sizes_.ss,
                                              sizes_.seed,
                                              sizes_.coins,
                                              latkem_prepared_ek_bytes(kem),
                                              latkem_prepared_dk_bytes(kem),
                                              latkem_kex_message1_bytes(kem),
                                              latkem_kex_state_bytes(kem),
                                              latkem_uake_message2_bytes(kem),
                                              latkem_ake_message2_bytes(kem),
                                              LATKEM_KEX_KEY_BYTES,
                                              latkem_header_bytes(kem),
                                              latkem_vector_bytes(kem),
                                              latkem_ct1_bytes(kem),
                                              latkem_ct2_bytes(kem),
                                              latkem_encaps_state_bytes(kem),
                                              latkem_workspace_bytes(kem)};
    for (size_t b = 0; b < BUFFERS; b++) {
        const size_t start = guard + (b == PREPARED_EK || b == PREPARED_DK ? 0 : offset);
        areas_.push_back({Prepared(start + call.elements * size[b] + guard), start, call.elements * size[b]});
        std::memset(areas_[b].storage.data(), poison, areas_[b].storage.size());
    }
    fill_inputs();
}

namespace
{

using Contents = std::array<Bytes, BUFFERS>;

// Of one exchange; its message 2 in UAKE is the first part of that in AKE.
void add_exchange_inputs(const latkem_kem *kem, Stream &stream, Contents &all)
{
    const KeyPair keys = {all[EK], all[DK]};
    const Exchange exchange = {kem, Kex::ake, keys, keys};
    RecordingRng rng{stream.bytes(160)};
    const Started a = exchange.start({RecordingRng::fill, &rng});
    const Replied b = exchange.reply(a.message1, {RecordingRng::fill, &rng});
    all[MESSAGE1] = a.message1;
    all[STATE] = a.state;
    all[AKE_MESSAGE2] = b.message2;
    all[UAKE_MESSAGE2] = slice(b.message2, 0, latkem_uake_message2_bytes(kem));
}

void add_parts(const latkem_kem *kem, Contents &all)
{
    const KeyParts key = split(kem, all[EK]);
    const FirstPart first = encaps1(kem, key.header, all[COINS]);
    all[HEADER] = key.header;
    all[VECTOR] = key.vector;
    all[CT1] = first.ct1;
    all[CT2] = encaps2(kem, first.state, key.vector);
    all[ENCAPS_STATE] = first.state;
}

// Inputs that belong together are made from one stream: ct is an encapsulation under ek, and dk is its partner.
Contents make_inputs(const latkem_kem *kem, const Sizes &sizes, size_t elements)
{
    Stream stream("call inputs");
    Prepared prepared_ek(latkem_prepared_ek_bytes(kem)), prepared_dk(latkem_prepared_dk_bytes(kem));
    Contents all;
    for (size_t i = 0; i < elements; i++) {
        const Bytes seed = stream.bytes(sizes.seed), coins = stream.bytes(sizes.coins);
        Bytes ek(sizes.ek), dk(sizes.dk), ct(sizes.ct), ss(sizes.ss);
        EXPECT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), 0);
        EXPECT_EQ(latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(), coins.size()), 0);
        EXPECT_EQ(latkem_prepare_ek(kem, prepared_ek.data(), ek.data(), ek.size()), 0);
        EXPECT_EQ(latkem_prepare_dk(kem, prepared_dk.data(), dk.data(), dk.size()), 0);
        const Contents element = {ek, dk, ct, Bytes(), seed, coins};
        for (size_t b = EK; b <= COINS; b++) all[b] = all[b] + element[b];
    }
    all[PREPARED_EK] = prepared_ek.bytes();
    all[PREPARED_DK] = prepared_dk.bytes();
    if (latkem_kex_state_bytes(kem) > 0 && elements == 1) add_exchange_inputs(kem, stream, all);
    if (latkem_encaps_state_bytes(kem) > 0 && elements == 1) add_parts(kem, all);
    return all;
}

} // namespace

// Made once for each set, backend and number.
void CallMemory::fill_inputs()
{
    static std::map<std::tuple<const latkem_kem *, std::string, size_t>, Contents> made;
    Contents &inputs = made[{kem_, latkem_backend_name(), call_.elements}];
    if (inputs[EK].empty()) inputs = make_inputs(kem_, sizes_, call_.elements);
    for (Buffer b : call_.inputs) put(b, inputs[b]);
}

void CallMemory::put(Buffer buffer, const Bytes &content)
{
    Area &area = areas_[buffer];
    std::memcpy(static_cast<uint8_t *>(area.storage.data()) + area.start, content.data(), content.size());
}

Arguments CallMemory::arguments()
{
    Arguments a;
    a.kem = kem_;
    a.n = call_.elements;
    a.rng.supply = Stream("call randomness").bytes(call_.elements * (sizes_.seed + sizes_.coins));
    for (size_t b = 0; b < BUFFERS; b++) {
        a.at[b] = static_cast<uint8_t *>(areas_[b].storage.data()) + areas_[b].start;
        a.length[b] = areas_[b].size;
    }
    return a;
}

Bytes CallMemory::content(Buffer buffer) const
{
    const Area &area = areas_[buffer];
    return slice(area.storage.bytes(), area.start, area.size);
}

bool CallMemory::guards_intact(Buffer buffer) const
{
    const Area &area = areas_[buffer];
    const Bytes all = area.storage.bytes();
    const auto is_poison = [](uint8_t b) { return b == poison; };
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(area.start);
    return std::all_of(all.begin(), begin, is_poison) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(area.size), all.end(), is_poison);
}

testing::AssertionResult CallMemory::outputs_zeroed() const
{
    for (Buffer b : call_.outputs) {
        const testing::AssertionResult zero = all_zero(content(b));
        if (!zero) return testing::AssertionFailure() << "output buffer " << b << ": " << zero.message();
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult CallMemory::outputs_untouched() const
{
    for (Buffer b : call_.outputs)
        for (uint8_t byte : content(b))
            if (byte != poison) return testing::AssertionFailure() << "output buffer " << b << " was written to";
    return testing::AssertionSuccess();
}
