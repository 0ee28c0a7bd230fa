// libcrypto fails at every call that liblatkem-protocol makes, one at a time: each operation reports it, zeroes its
// outputs, leaves libcrypto's error queue as it was and frees what it took, and works the next time. The library here
// is a copy with calls that go through trampolines.c; calls.txt says which functions cannot fail, and what else a
// failure may mean. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/evp.h>

#include <algorithm>
#include <map>
#include <set>

#include "libcrypto_heap.h"
#include "operations.h"

extern "C" {
#include "crypto/crypto.h"
extern uint64_t lkt_count, lkt_at;
extern int64_t lkt_result;
extern const char *lkt_hit;
}

namespace
{

// The kinds of calls.txt.
const std::map<std::string, std::string> &calls()
{
    static const std::map<std::string, std::string> all = {
#define CALL(name, kind) {#name, kind},
#include "calls.inc"
#undef CALL
    };
    return all;
}

bool is(const std::string &call, const char *kind)
{
    return calls().at(call).find(kind) != std::string::npos;
}

// Calls the operation and has call number `at` of libcrypto return `result`; the name of that call, or nothing if there are
// not so many.
std::string with_fault(const Operation &operation, uint64_t at, int64_t result, Outputs &out, int &error)
{
    lkt_result = result;
    lkt_hit = nullptr;
    lkt_count = 0;
    lkt_at = at;
    error = operation.call(out);
    lkt_at = 0;
    return lkt_hit ? lkt_hit : "";
}

// The names of all calls that an operation makes, in so far as each has failed once.
std::multiset<std::string> calls_of(const Operation &operation)
{
    std::multiset<std::string> names;
    for (uint64_t at = 1;; at++) {
        Outputs out = operation.fresh();
        int error = 0;
        const std::string call = with_fault(operation, at, 0, out, error);
        if (call.empty()) return names;
        names.insert(call);
    }
}

#ifdef OPENSSL_IS_AWSLC
constexpr const char *making_the_curve = "EC_GROUP_new_by_curve_name", *making_numbers = "BN_CTX_new";
constexpr bool imports_keys = false; // of X25519

// AWS-LC's methods are constants.
std::vector<Bytes> methods()
{
    return {};
}
#else
constexpr const char *making_the_curve = "EC_GROUP_new_by_curve_name_ex", *making_numbers = "BN_CTX_secure_new_ex";
constexpr bool imports_keys = true; // of X25519

// A method that libcrypto keeps, as it is on the heap: it counts there who refers to it.
template <typename Method>
Bytes method(Method *fetch(OSSL_LIB_CTX *, const char *, const char *), void release(Method *), const char *name)
{
    Method *const kept = fetch(nullptr, name, nullptr);
    release(kept);
    return libcrypto_heap::content(kept);
}

// Those that the library asks for.
std::vector<Bytes> methods()
{
    std::vector<Bytes> all = {method(EVP_MAC_fetch, EVP_MAC_free, "HMAC")};
    for (const lkp_digest *digest :
         {&lkp_sha256, &lkp_sha384, &lkp_sha512, &lkp_sha3_256, &lkp_shake128, &lkp_shake256})
        all.push_back(method(EVP_MD_fetch, EVP_MD_free, digest->name));
    for (const lkp_aead *aead : {&lkp_aes_128_gcm, &lkp_aes_256_gcm, &lkp_chacha20_poly1305})
        all.push_back(method(EVP_CIPHER_fetch, EVP_CIPHER_free, aead->name));
    return all;
}
#endif

class Faults : public testing::TestWithParam<Operation>
{
  protected:
    void SetUp() override
    {
        for (int i = 0; i < 2; i++) { // what libcrypto keeps for good it has then
            right_ = operation().fresh();
            ASSERT_EQ(operation().call(right_), operation().result);
        }
    }

    const Operation &operation() const
    {
        return GetParam();
    }

    std::string run(uint64_t at, int64_t result)
    {
        out_ = operation().fresh();
        raise_entry();
        const std::vector<Bytes> kept = methods();
        const size_t live = libcrypto_heap::live();
        const std::string call = with_fault(operation(), at, result, out_, error_);
        EXPECT_EQ(libcrypto_heap::live(), live) << call << ": blocks of libcrypto's heap are lost";
        EXPECT_EQ(methods(), kept) << call << ": a reference is lost";
        EXPECT_EQ(queue_fault(), "") << call;
        return call;
    }

    void expect_reported(const std::string &call, int64_t result)
    {
        SCOPED_TRACE(call + " returns " + std::to_string(result));
        const bool refused = is(call, "refuses") && operation().refusal != 0 && error_ == operation().refusal;
        EXPECT_TRUE(refused || error_ == LATKEM_ERR_CRYPTO) << latkem_strerror(error_);
        EXPECT_EQ(operation().output_fault(out_, right_), "");
        EXPECT_EQ(operation().fault(), "");
    }

    Outputs right_, out_;
    int error_ = 0;
};

TEST_P(Faults, EachCallFails)
{
    uint64_t at = 1;
    for (std::string call; !(call = run(at, 0)).empty() && !HasFailure(); at++) {
        expect_reported(call, 0);
        if (is(call, "negative")) {
            run(at, -1);
            expect_reported(call, -1);
        }
    }
    EXPECT_EQ(at > 1, operation().calls_libcrypto);
    if (HasFailure()) return;
    EXPECT_EQ(error_, operation().result);
    EXPECT_EQ(out_, right_);
}

#ifndef OPENSSL_IS_AWSLC
// libcrypto without a provider that has any algorithm; what is in no provider, as arithmetic on P-256, still works.
TEST_P(Faults, NoAlgorithms)
{
    bool needs_algorithms = false;
    for (const std::string &call : calls_of(operation()))
        needs_algorithms |= call.find("_fetch") != std::string::npos || call == "EVP_PKEY_CTX_new_from_name";
    out_ = operation().fresh();
    ASSERT_EQ(EVP_set_default_properties(nullptr, "provider=none"), 1);
    raise_entry();
    error_ = operation().call(out_);
    EXPECT_EQ(queue_fault(), "");
    ASSERT_EQ(EVP_set_default_properties(nullptr, ""), 1);
    EXPECT_EQ(error_, needs_algorithms ? LATKEM_ERR_CRYPTO : operation().result);
    if (needs_algorithms) {
        EXPECT_EQ(operation().output_fault(out_, right_), "");
        EXPECT_EQ(operation().fault(), "");
        out_ = operation().fresh();
        EXPECT_EQ(operation().call(out_), operation().result);
    }
    EXPECT_EQ(out_, right_);
}
#endif

// A function that was never seen to fail could fail unseen.
TEST(FaultsTogether, EveryCallOfTheLibraryIsInAnOperation)
{
    std::set<std::string> seen;
    for (const Operation &operation : operations()) seen.merge(calls_of(operation));
    for (const auto &[name, kind] : calls()) EXPECT_EQ(seen.count(name), 1u) << name << " is in no operation";
}

// An opened hybrid keeps the curve, and its opening fetches nothing.
TEST(FaultsTogether, OpenedHybridsMakeTheCurveOnce)
{
    const std::string curve = making_the_curve;
    std::set<std::string> of_opening;
    for (const Operation &operation : operations()) {
        if (operation.name.rfind("opening of ", 0) == 0) of_opening.merge(calls_of(operation));
        if (operation.name.rfind("opened ", 0) == 0) {
            EXPECT_EQ(calls_of(operation).count(curve), 0u) << operation.name;
        }
    }
    EXPECT_EQ(of_opening, std::set<std::string>{curve});
}

// A call has one context for its imports and one for its numbers. A derivation takes two keys, each imported once.
TEST(FaultsTogether, ContextsAndKeysAreMadeOnce)
{
    size_t imports = 0, numbers = 0;
    for (const Operation &operation : operations()) {
        SCOPED_TRACE(operation.name);
        const std::multiset<std::string> made = calls_of(operation);
        const size_t derivations = made.count("EVP_PKEY_CTX_new_from_pkey");
        EXPECT_LE(made.count("EVP_PKEY_CTX_new_from_name"), 1u);
        EXPECT_LE(made.count(making_numbers), 1u);
        if (derivations > 0) {
            EXPECT_EQ(made.count("EVP_PKEY_fromdata"), 2 * derivations);
        }
        imports += made.count("EVP_PKEY_fromdata");
        numbers += made.count(making_numbers);
    }
    EXPECT_EQ(imports > 0, imports_keys);
    EXPECT_GT(numbers, 0u);
}

std::string name_of(const testing::TestParamInfo<Operation> &info)
{
    return plain(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Operations, Faults, testing::ValuesIn(operations()), name_of);

} // namespace
