// The operations that are measured, and fresh valid inputs for them.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_WORKLOAD_H
#define LATKEM_BENCH_WORKLOAD_H

#include <latkem/latkem.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// n objects of one size, one after the other, as the batch calls take them.
class Objects
{
  public:
    Objects(size_t count, size_t size) : size_(size), bytes_(count * size)
    {
    }
    uint8_t *operator[](size_t i)
    {
        return bytes_.data() + i * size_;
    }

  private:
    size_t size_;
    std::vector<uint8_t> bytes_;
};

// n prepared keys.
class PreparedKeys
{
  public:
    PreparedKeys(size_t count, size_t size) : stride_((size + sizeof(Unit) - 1) / sizeof(Unit)), units_(count * stride_)
    {
    }
    void *operator[](size_t i)
    {
        return units_.data() + i * stride_;
    }

  private:
    using Unit = std::max_align_t;
    size_t stride_;
    std::vector<Unit> units_;
};

// Inputs of one parameter set, made by the backend in force, and room for the outputs of one call.
// The single operations step through ring keys; a batch starts at any of them, so twice as many are there. Prepared
// keys are few, as a server's are: they are meant to stay in the cache. In exchange i side A has key pair i, side B the next;
// a set without exchanges has objects of 0 bytes.
struct Workload {
    static constexpr size_t ring = 64, batch = 64, prepared = 16, exchanges = 16;

    explicit Workload(const latkem_kem *set);

    const latkem_kem *kem;
    size_t ek_bytes, dk_bytes, ct_bytes, ss_bytes, seed_bytes, coins_bytes;
    Objects seeds, coins, eks, dks, cts, sss;
    PreparedKeys prepared_eks, prepared_dks;
    Objects out_eks, out_dks, out_cts, out_sss;
    PreparedKeys out_prepared;
    size_t message1_bytes, uake_message2_bytes, ake_message2_bytes, state_bytes;
    Objects messages1, states, uake_messages2, ake_messages2, uake_keys, ake_keys;
    Objects out_message1, out_message2, out_state, out_keys; // of A and of B

    // Whether ss is the secret of ciphertext i.
    bool is_secret_of(size_t i, const uint8_t *ss)
    {
        return equal(ss, sss[i]);
    }
    bool equal(const uint8_t *a, const uint8_t *b) const;

  private:
    void make_exchanges();
};

struct Operation {
    const char *tier, *name;
    size_t items; // operations done by one call

    // Does the operation on the step-th inputs; 0, or a latkem_error, or wrong_result if a wrong result can be found at
    // no cost worth measuring.
    int (*run)(Workload &w, size_t step);

    // Checks by other operations the outputs that run left behind at that step: 0, a latkem_error or wrong_result.
    int (*verify)(Workload &w, size_t step);
};

constexpr int wrong_result = 1;

// The meaning of a result other than 0.
std::string describe_failure(int result);

// Every operation of the tiers wire, prepared and batch.
extern const std::vector<Operation> all_operations;

// The steps of the key exchanges as tiers uake and ake, for sets with exchanges (message1_bytes is not 0): A's start, which
// is that of both, reply, finish; then all of an exchange, both sides, as "exchange"; and the operations of the KEM that it
// takes, those of one side that are of a kind in one batch, as "kem".
extern const std::vector<Operation> exchange_operations;

// The three operations without the random generator: derandomised key generation and encapsulation, decapsulation.
extern const std::vector<Operation> core_operations;

#endif
