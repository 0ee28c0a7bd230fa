// The operations and their inputs: see workload.h. SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/kex.h>
#include <latkem/prepared.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

namespace
{

void require(int result)
{
    if (result != LATKEM_OK) throw std::runtime_error(describe_failure(result));
}

// Seeds and coins need only be distinct here: a fixed generator makes the profile's inputs the same in every run.
void fill(Objects &objects, size_t count, size_t size)
{
    std::mt19937 generator;
    for (size_t i = 0; i < count * size; i++) objects[0][i] = static_cast<uint8_t>(generator());
}

} // namespace

Workload::Workload(const latkem_kem *set)
    : kem(set), ek_bytes(latkem_ek_bytes(set)), dk_bytes(latkem_dk_bytes(set)), ct_bytes(latkem_ct_bytes(set)),
      ss_bytes(latkem_ss_bytes(set)), seed_bytes(latkem_seed_bytes(set)), coins_bytes(latkem_coins_bytes(set)),
      seeds(ring + batch, seed_bytes), coins(ring + batch, coins_bytes), eks(ring + batch, ek_bytes),
      dks(ring + batch, dk_bytes), cts(ring + batch, ct_bytes), sss(ring + batch, ss_bytes),
      prepared_eks(prepared, latkem_prepared_ek_bytes(set)), prepared_dks(prepared, latkem_prepared_dk_bytes(set)),
      out_eks(batch, ek_bytes), out_dks(batch, dk_bytes), out_cts(batch, ct_bytes), out_sss(batch, ss_bytes),
      out_prepared(1, std::max(latkem_prepared_ek_bytes(set), latkem_prepared_dk_bytes(set))),
      message1_bytes(latkem_kex_message1_bytes(set)), uake_message2_bytes(latkem_uake_message2_bytes(set)),
      ake_message2_bytes(latkem_ake_message2_bytes(set)), state_bytes(latkem_kex_state_bytes(set)),
      messages1(exchanges, message1_bytes), states(exchanges, state_bytes),
      uake_messages2(exchanges, uake_message2_bytes), ake_messages2(exchanges, ake_message2_bytes),
      uake_keys(exchanges, LATKEM_KEX_KEY_BYTES), ake_keys(exchanges, LATKEM_KEX_KEY_BYTES),
      out_message1(1, message1_bytes), out_message2(1, ake_message2_bytes), out_state(1, state_bytes),
      out_keys(2, LATKEM_KEX_KEY_BYTES)
{
    fill(seeds, ring + batch, seed_bytes);
    fill(coins, ring + batch, coins_bytes);
    for (size_t i = 0; i < ring + batch; i++) {
        require(latkem_keypair_derand(kem, eks[i], dks[i], seeds[i], seed_bytes));
        require(latkem_encaps_derand(kem, cts[i], sss[i], eks[i], ek_bytes, coins[i], coins_bytes));
    }
    for (size_t i = 0; i < prepared; i++) {
        require(latkem_prepare_ek(kem, prepared_eks[i], eks[i], ek_bytes));
        require(latkem_prepare_dk(kem, prepared_dks[i], dks[i], dk_bytes));
    }
    if (message1_bytes > 0) make_exchanges();
}

void Workload::make_exchanges()
{
    for (size_t i = 0; i < exchanges; i++) {
        require(latkem_uake_start(kem, messages1[i], states[i], eks[i + 1], ek_bytes));
        require(latkem_uake_reply(kem, uake_messages2[i], uake_keys[i], messages1[i], message1_bytes, dks[i + 1],
                                  dk_bytes));
        require(latkem_ake_reply(kem, ake_messages2[i], ake_keys[i], messages1[i], message1_bytes, dks[i + 1], dk_bytes,
                                 eks[i], ek_bytes));
    }
}

bool Workload::equal(const uint8_t *a, const uint8_t *b) const
{
    return std::memcmp(a, b, ss_bytes) == 0;
}

std::string describe_failure(int result)
{
    return result == wrong_result ? "the shared secrets differ" : latkem_strerror(result);
}

namespace
{

// Decapsulates ct with dk and compares with ss.
int check_pair(Workload &w, const uint8_t *ct, const uint8_t *ss, const uint8_t *dk)
{
    std::vector<uint8_t> again(w.ss_bytes);
    const int result = latkem_decaps(w.kem, again.data(), ct, w.ct_bytes, dk, w.dk_bytes);
    if (result != LATKEM_OK) return result;
    return w.equal(again.data(), ss) ? LATKEM_OK : wrong_result;
}

// Encapsulates to ek and decapsulates with dk.
int check_keys(Workload &w, const uint8_t *ek, const uint8_t *dk)
{
    std::vector<uint8_t> ct(w.ct_bytes), ss(w.ss_bytes);
    const int result = latkem_encaps(w.kem, ct.data(), ss.data(), ek, w.ek_bytes);
    return result == LATKEM_OK ? check_pair(w, ct.data(), ss.data(), dk) : result;
}

// The check for a call that has already compared its result.
int nothing_left(Workload &, size_t)
{
    return LATKEM_OK;
}

int verify_keygen(Workload &w, size_t)
{
    return check_keys(w, w.out_eks[0], w.out_dks[0]);
}

int verify_encaps(Workload &w, size_t step)
{
    return check_pair(w, w.out_cts[0], w.out_sss[0], w.dks[step % Workload::ring]);
}

int compare_secret(Workload &w, size_t i, int result)
{
    if (result != LATKEM_OK) return result;
    return w.is_secret_of(i, w.out_sss[0]) ? LATKEM_OK : wrong_result;
}

int wire_keygen(Workload &w, size_t)
{
    return latkem_keypair(w.kem, w.out_eks[0], w.out_dks[0]);
}

int wire_encaps(Workload &w, size_t step)
{
    return latkem_encaps(w.kem, w.out_cts[0], w.out_sss[0], w.eks[step % Workload::ring], w.ek_bytes);
}

int wire_decaps(Workload &w, size_t step)
{
    const size_t i = step % Workload::ring;
    return compare_secret(w, i, latkem_decaps(w.kem, w.out_sss[0], w.cts[i], w.ct_bytes, w.dks[i], w.dk_bytes));
}

int prepare_ek(Workload &w, size_t step)
{
    return latkem_prepare_ek(w.kem, w.out_prepared[0], w.eks[step % Workload::ring], w.ek_bytes);
}

int verify_prepare_ek(Workload &w, size_t step)
{
    const int result = latkem_encaps_prepared(w.kem, w.out_cts[0], w.out_sss[0], w.out_prepared[0]);
    return result == LATKEM_OK ? verify_encaps(w, step) : result;
}

int prepare_dk(Workload &w, size_t step)
{
    return latkem_prepare_dk(w.kem, w.out_prepared[0], w.dks[step % Workload::ring], w.dk_bytes);
}

int verify_prepare_dk(Workload &w, size_t step)
{
    const size_t i = step % Workload::ring;
    return compare_secret(w, i, latkem_decaps_prepared(w.kem, w.out_sss[0], w.cts[i], w.ct_bytes, w.out_prepared[0]));
}

int prepared_encaps(Workload &w, size_t step)
{
    return latkem_encaps_prepared(w.kem, w.out_cts[0], w.out_sss[0], w.prepared_eks[step % Workload::prepared]);
}

int verify_prepared_encaps(Workload &w, size_t step)
{
    return verify_encaps(w, step % Workload::prepared);
}

int prepared_decaps(Workload &w, size_t step)
{
    const size_t i = step % Workload::prepared;
    return compare_secret(w, i, latkem_decaps_prepared(w.kem, w.out_sss[0], w.cts[i], w.ct_bytes, w.prepared_dks[i]));
}

int batch_keygen(Workload &w, size_t)
{
    return latkem_keypair_batch(w.kem, Workload::batch, w.out_eks[0], w.out_dks[0]);
}

int batch_encaps(Workload &w, size_t step)
{
    return latkem_encaps_batch(w.kem, Workload::batch, w.out_cts[0], w.out_sss[0], w.eks[step % Workload::ring]);
}

int batch_decaps(Workload &w, size_t step)
{
    const size_t i = step % Workload::ring;
    return latkem_decaps_batch(w.kem, Workload::batch, w.out_sss[0], w.cts[i], w.dks[i]);
}

template <class Check> int for_each_item(Check &&check)
{
    int result = LATKEM_OK;
    for (size_t j = 0; j < Workload::batch && result == LATKEM_OK; j++) result = check(j);
    return result;
}

int verify_batch_keygen(Workload &w, size_t)
{
    return for_each_item([&](size_t j) { return check_keys(w, w.out_eks[j], w.out_dks[j]); });
}

int verify_batch_encaps(Workload &w, size_t step)
{
    return for_each_item(
        [&](size_t j) { return check_pair(w, w.out_cts[j], w.out_sss[j], w.dks[step % Workload::ring + j]); });
}

int verify_batch_decaps(Workload &w, size_t step)
{
    return for_each_item(
        [&](size_t j) { return w.is_secret_of(step % Workload::ring + j, w.out_sss[j]) ? LATKEM_OK : wrong_result; });
}

int derand_keygen(Workload &w, size_t step)
{
    return latkem_keypair_derand(w.kem, w.out_eks[0], w.out_dks[0], w.seeds[step % Workload::ring], w.seed_bytes);
}

int derand_encaps(Workload &w, size_t step)
{
    const size_t i = step % Workload::ring;
    return latkem_encaps_derand(w.kem, w.out_cts[0], w.out_sss[0], w.eks[i], w.ek_bytes, w.coins[i], w.coins_bytes);
}

// ---- Exchanges ----

size_t number_of(size_t step)
{
    return step % Workload::exchanges;
}

int compare_keys(const uint8_t *a, const uint8_t *b, int result)
{
    if (result != LATKEM_OK) return result;
    return std::memcmp(a, b, LATKEM_KEX_KEY_BYTES) == 0 ? LATKEM_OK : wrong_result;
}

int start(Workload &w, size_t step)
{
    return latkem_uake_start(w.kem, w.out_message1[0], w.out_state[0], w.eks[number_of(step) + 1], w.ek_bytes);
}

int reply_to(Workload &w, bool ake, size_t i, const uint8_t *message1)
{
    return ake ? latkem_ake_reply(w.kem, w.out_message2[0], w.out_keys[1], message1, w.message1_bytes, w.dks[i + 1],
                                  w.dk_bytes, w.eks[i], w.ek_bytes)
               : latkem_uake_reply(w.kem, w.out_message2[0], w.out_keys[1], message1, w.message1_bytes, w.dks[i + 1],
                                   w.dk_bytes);
}

// Wipes out_state.
int finish_with(Workload &w, bool ake, size_t i, const uint8_t *message2)
{
    return ake ? latkem_ake_finish(w.kem, w.out_keys[0], message2, w.ake_message2_bytes, w.out_state[0], w.state_bytes,
                                   w.dks[i], w.dk_bytes)
               : latkem_uake_finish(w.kem, w.out_keys[0], message2, w.uake_message2_bytes, w.out_state[0],
                                    w.state_bytes);
}

template <bool ake> int reply(Workload &w, size_t step)
{
    return reply_to(w, ake, number_of(step), w.messages1[number_of(step)]);
}

// The state serves once, so each call has a copy of it first, in the time too.
template <bool ake> int finish(Workload &w, size_t step)
{
    const size_t i = number_of(step);
    std::memcpy(w.out_state[0], w.states[i], w.state_bytes);
    const int result = finish_with(w, ake, i, ake ? w.ake_messages2[i] : w.uake_messages2[i]);
    return compare_keys(w.out_keys[0], ake ? w.ake_keys[i] : w.uake_keys[i], result);
}

int verify_start(Workload &w, size_t step)
{
    const size_t i = number_of(step);
    const int result = reply_to(w, false, i, w.out_message1[0]);
    return result == LATKEM_OK ? compare_keys(w.out_keys[0], w.out_keys[1], finish_with(w, false, i, w.out_message2[0]))
                               : result;
}

template <bool ake> int verify_reply(Workload &w, size_t step)
{
    const size_t i = number_of(step);
    std::memcpy(w.out_state[0], w.states[i], w.state_bytes);
    return compare_keys(w.out_keys[0], w.out_keys[1], finish_with(w, ake, i, w.out_message2[0]));
}

template <bool ake> int whole_exchange(Workload &w, size_t step)
{
    const size_t i = number_of(step);
    int result = start(w, step);
    if (result == LATKEM_OK) result = reply_to(w, ake, i, w.out_message1[0]);
    if (result == LATKEM_OK) result = finish_with(w, ake, i, w.out_message2[0]);
    return compare_keys(w.out_keys[0], w.out_keys[1], result);
}

// Of A a key pair, an encapsulation to B, and n decapsulations; of B n encapsulations and a decapsulation.
template <bool ake> int kem_of_exchange(Workload &w, size_t step)
{
    const size_t i = number_of(step), n = ake ? 2 : 1;
    int result = latkem_keypair(w.kem, w.out_eks[0], w.out_dks[0]);
    if (result == LATKEM_OK) result = latkem_encaps(w.kem, w.out_cts[0], w.out_sss[0], w.eks[i + 1], w.ek_bytes);
    if (result == LATKEM_OK) result = latkem_encaps_batch(w.kem, n, w.out_cts[0], w.out_sss[0], w.eks[i]);
    if (result == LATKEM_OK)
        result = latkem_decaps(w.kem, w.out_sss[0], w.cts[i + 1], w.ct_bytes, w.dks[i + 1], w.dk_bytes);
    if (result == LATKEM_OK) result = latkem_decaps_batch(w.kem, n, w.out_sss[0], w.cts[i], w.dks[i]);
    return compare_secret(w, i, result);
}

} // namespace

const std::vector<Operation> all_operations = {
    {"wire", "keygen", 1, wire_keygen, verify_keygen},
    {"wire", "encaps", 1, wire_encaps, verify_encaps},
    {"wire", "decaps", 1, wire_decaps, nothing_left},
    {"prepared", "prepare_ek", 1, prepare_ek, verify_prepare_ek},
    {"prepared", "prepare_dk", 1, prepare_dk, verify_prepare_dk},
    {"prepared", "encaps", 1, prepared_encaps, verify_prepared_encaps},
    {"prepared", "decaps", 1, prepared_decaps, nothing_left},
    {"batch", "keygen", Workload::batch, batch_keygen, verify_batch_keygen},
    {"batch", "encaps", Workload::batch, batch_encaps, verify_batch_encaps},
    {"batch", "decaps", Workload::batch, batch_decaps, verify_batch_decaps},
};

const std::vector<Operation> exchange_operations = {
    {"uake", "start", 1, start, verify_start},
    {"uake", "reply", 1, reply<false>, verify_reply<false>},
    {"uake", "finish", 1, finish<false>, nothing_left},
    {"uake", "exchange", 1, whole_exchange<false>, nothing_left},
    {"uake", "kem", 1, kem_of_exchange<false>, nothing_left},
    {"ake", "reply", 1, reply<true>, verify_reply<true>},
    {"ake", "finish", 1, finish<true>, nothing_left},
    {"ake", "exchange", 1, whole_exchange<true>, nothing_left},
    {"ake", "kem", 1, kem_of_exchange<true>, nothing_left},
};

const std::vector<Operation> core_operations = {
    {"core", "keygen", 1, derand_keygen, verify_keygen},
    {"core", "encaps", 1, derand_encaps, verify_encaps},
    {"core", "decaps", 1, wire_decaps, nothing_left},
};
