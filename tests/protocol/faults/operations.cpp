// The common part of all operations: see operations.h. SPDX-License-Identifier: Apache-2.0
#include "operations.h"

#include <openssl/err.h>

#include <cctype>

#include "kem_test.h"
#include "libcrypto_heap.h"

Outputs Operation::fresh() const
{
    Outputs out;
    for (const size_t size : outputs) out.emplace_back(size, uint8_t{0xaa});
    begin();
    return out;
}

std::string Operation::output_fault(const Outputs &out, const Outputs &right) const
{
    bool all_right = !out.empty();
    for (size_t i = 0; i < out.size(); i++) {
        if (out[i] == Bytes(out[i].size())) {
            all_right = false;
        } else if (!apart || out[i] != right[i]) {
            return "output " + std::to_string(i) + " is not zeroed";
        }
    }
    return all_right ? "nothing is zeroed" : "";
}

void PrintTo(const Operation &operation, std::ostream *os)
{
    *os << operation.name;
}

void raise_entry()
{
    ERR_clear_error();
    ERR_put_error(ERR_LIB_USER, 0, 1, __FILE__, __LINE__);
}

std::string queue_fault()
{
    if (ERR_GET_LIB(ERR_get_error()) != ERR_LIB_USER) return "libcrypto's error queue has lost an entry";
    return ERR_get_error() ? "libcrypto's error queue has one entry more" : "";
}

void add_dk(Operation &operation, const std::string &whose, const Bytes &dk)
{
    const size_t s_len = (dk.size() - 96) / 2;
    operation.secrets.emplace_back(whose + " s", slice(dk, 0, s_len));
    operation.secrets.emplace_back(whose + " z", slice(dk, dk.size() - 32, 32));
}

std::string plain(const std::string &name)
{
    std::string out;
    for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return out;
}

std::vector<Operation> operations(int number)
{
    libcrypto_heap::install();
    std::vector<Operation> all;
    add_crypto(all, number);
    add_hybrids(all, number);
    add_keyfiles(all, number);
    add_noise(all, number);
    add_hpke(all, number);
    return all;
}

Bytes secret(const std::string &label, size_t length, int number)
{
    return Stream("operations: " + label + " " + std::to_string(number)).bytes(length);
}

// The beginning of the group's part of an object, and its bytes; of other sets none.
static std::pair<size_t, size_t> share_place(const latkem_kem *kem, size_t object_size)
{
    for (const HybridFacts &facts : all_hybrid_facts()) {
        if (facts.set.name != std::string(latkem_kem_name(kem))) continue;
        const size_t size = facts.group == "X25519" ? 32 : facts.group == "P-256" ? 65 : 97;
        return {facts.group_first ? 0 : object_size - size, size};
    }
    return {0, 0};
}

Bytes share_in(const latkem_kem *kem, const Bytes &object)
{
    const auto [at, size] = share_place(kem, object.size());
    return slice(object, at, size);
}

Bytes with_bad_share(const latkem_kem *kem, Bytes object)
{
    const auto [at, size] = share_place(kem, object.size());
    object.at(at + size - 1) ^= 1;
    return object;
}
