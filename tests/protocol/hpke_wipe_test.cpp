// The secrets of HPKE do not stay behind on the stack: each call runs on a stack of the test's own, which is then searched.
// Secrets in libcrypto's memory are its own matter. SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <numeric>

#include "hpke_pair.h"
#include "leaving_libcrypto.h"
#include "tests/api/own_stack.h"
#include "tests/api/secrets.h"

using namespace hpke;

namespace
{

// The secrets of an exchange that our code handles as bytes.
Secrets secrets_of(Pair &pair, const Bytes &shared)
{
    const lkp_hpke_secrets &inside = pair.sender.inside().secrets;
    Secrets secrets;
    secrets.add("sk", pair.keys.sk);
    secrets.add("shared secret", shared);
    secrets.add("exporter", Bytes(inside.exporter, inside.exporter + 32));
    secrets.add("key", Bytes(inside.key, inside.key + 16));
    return secrets;
}

void expect_left_nothing(OwnStack &stack, const Secrets &secrets, const char *what,
                         const std::function<int()> &operation)
{
    const LeavingLibcrypto leaving;
    int error = -1;
    stack.run([&] { error = operation(); });
    EXPECT_EQ(error, 0) << what;
    EXPECT_EQ(secrets.search(stack.deepest(), stack.depth()), "") << "left on the stack by " << what;
}

TEST(HpkeWipe, LeavesNothingOnTheStack)
{
    if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
    OwnStack stack;
    for (unsigned kdf : all_kdfs) {
        Pair pair(kem_of(0x41), kdf, 1);
        const Bytes info = bytes_of("info");
        Bytes shared(32), ek(pair.keys.ek.size()), dk(latkem_dk_bytes(pair.keys.kem)), sk(64), ikm(64), ct, out;
        std::iota(ikm.begin(), ikm.end(), uint8_t{1});
        const KeyPair &keys = pair.keys;
        ASSERT_EQ(latkem_keypair_derand(keys.kem, ek.data(), dk.data(), keys.sk.data(), 64), 0);
        ASSERT_EQ(latkem_decaps(keys.kem, shared.data(), keys.enc.data(), keys.enc.size(), dk.data(), dk.size()), 0);
        const Secrets secrets = secrets_of(pair, shared);
        Secrets input;
        input.add("ikm", ikm);
        const auto expect = [&](const char *what, const std::function<int()> &operation) {
            expect_left_nothing(stack, secrets, what, operation);
        };
        expect_left_nothing(stack, input, "derive_keypair", [&] {
            return latkem_hpke_derive_keypair(keys.kem, ek.data(), sk.data(), ikm.data(), ikm.size());
        });
        expect("recipient", [&] { return keys.recipient(pair.recipient, kdf, 1, info); });
        expect("export", [&] { return pair.recipient.exported(out, {}, 32); });
        expect("seal", [&] { return pair.sender.seal(ct, {}, Bytes(20, 1)); });
        expect("open", [&] { return pair.recipient.open(out, {}, ct); });
    }
}

} // namespace
