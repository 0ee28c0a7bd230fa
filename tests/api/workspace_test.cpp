// Operations in a workspace: the same results as without, of every backend; in memory of any content and size, which
// they wipe. Alignments, overlaps, NULL and lengths of inputs are those of every call (calls.h).
// SPDX-License-Identifier: Apache-2.0
#include <latkem/workspace.h>

#include <algorithm>

#include "kem_test.h"

#if !defined(_WIN32)
#include "own_stack.h"
#endif

namespace
{

constexpr uint8_t poison = 0xa7;

class Workspace : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream(std::string("workspace ") + set().name);
        seed_ = stream.bytes(sizes().seed);
        coins_ = stream.bytes(sizes().coins);
        keys_ = keypair(seed_);
        encapsulation_ = encaps(keys_.ek, coins_);
        space_ = stream.bytes(latkem_workspace_bytes(kem));
    }

    int run_keypair()
    {
        made_ = {Bytes(sizes().ek, poison), Bytes(sizes().dk, poison)};
        return latkem_keypair_derand_in(space_.data(), space_.size(), kem, made_.ek.data(), made_.dk.data(),
                                        seed_.data(), seed_.size());
    }

    int run_encaps(const Bytes &ek)
    {
        sent_ = {Bytes(sizes().ct, poison), Bytes(sizes().ss, poison)};
        return latkem_encaps_derand_in(space_.data(), space_.size(), kem, sent_.ct.data(), sent_.ss.data(), ek.data(),
                                       ek.size(), coins_.data(), coins_.size());
    }

    int run_decaps(const Bytes &ct, const Bytes &dk)
    {
        ss_ = Bytes(sizes().ss, poison);
        return latkem_decaps_in(space_.data(), space_.size(), kem, ss_.data(), ct.data(), ct.size(), dk.data(),
                                dk.size());
    }

    Bytes seed_, coins_, space_, ss_;
    KeyPair keys_, made_;
    Encapsulation encapsulation_, sent_;
};

TEST_P(Workspace, ResultsAreTheSame)
{
    EXPECT_EQ(run_keypair(), LATKEM_OK);
    EXPECT_TRUE(all_zero(space_));
    EXPECT_EQ(to_hex(made_.ek + made_.dk), to_hex(keys_.ek + keys_.dk));
    space_ = Stream("anything").bytes(space_.size());
    EXPECT_EQ(run_encaps(keys_.ek), LATKEM_OK);
    EXPECT_TRUE(all_zero(space_));
    EXPECT_EQ(to_hex(sent_.ct + sent_.ss), to_hex(encapsulation_.ct + encapsulation_.ss));
    space_.assign(space_.size(), 0xff);
    Bytes altered = sent_.ct;
    altered[1] ^= 1;
    for (const Bytes &ct : {sent_.ct, altered}) {
        EXPECT_EQ(run_decaps(ct, keys_.dk), LATKEM_OK);
        EXPECT_TRUE(all_zero(space_));
        EXPECT_EQ(to_hex(ss_), to_hex(decaps(keys_.dk, ct)));
    }
}

// It is enough for every backend, and no more is said than one of them takes.
TEST_P(Workspace, BytesAreTheSameOnEveryBackend)
{
    const size_t bytes = latkem_workspace_bytes(kem);
    EXPECT_GT(bytes, sizes().dk);
    EXPECT_LE(bytes, latkem_stack_bytes(kem));
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) {
        ASSERT_EQ(latkem_backend_use(backend), LATKEM_OK);
        EXPECT_EQ(latkem_workspace_bytes(kem), bytes) << backend;
    }
    ASSERT_EQ(latkem_backend_use(GetParam().backend.c_str()), LATKEM_OK);
}

TEST_P(Workspace, TooFewBytes)
{
    const size_t bytes = space_.size();
    for (size_t size : {bytes - 1, bytes / 2, size_t{64}, size_t{1}}) {
        space_.assign(size, poison);
        EXPECT_EQ(run_keypair(), LATKEM_ERR_LENGTH) << size;
        EXPECT_TRUE(all_zero(space_ + made_.ek + made_.dk)) << size;
        space_.assign(size, poison);
        EXPECT_EQ(run_encaps(keys_.ek), LATKEM_ERR_LENGTH) << size;
        EXPECT_TRUE(all_zero(space_ + sent_.ct + sent_.ss)) << size;
        space_.assign(size, poison);
        EXPECT_EQ(run_decaps(encapsulation_.ct, keys_.dk), LATKEM_ERR_LENGTH) << size;
        EXPECT_TRUE(all_zero(space_ + ss_)) << size;
    }
}

// Bytes beyond those that are needed stay.
TEST_P(Workspace, MoreBytes)
{
    const size_t bytes = space_.size();
    space_ = space_ + Bytes(1000, poison);
    const auto is_left = [&] {
        return all_zero(slice(space_, 0, bytes)) && slice(space_, bytes, 1000) == Bytes(1000, poison);
    };
    EXPECT_EQ(run_keypair(), LATKEM_OK);
    EXPECT_TRUE(is_left());
    EXPECT_EQ(run_encaps(keys_.ek), LATKEM_OK);
    EXPECT_TRUE(is_left());
    EXPECT_EQ(run_decaps(encapsulation_.ct, keys_.dk), LATKEM_OK);
    EXPECT_TRUE(is_left());
}

TEST_P(Workspace, BadKeys)
{
    if (!checks_keys(set())) return;
    Bytes ek = keys_.ek, dk = keys_.dk;
    ek[0] = ek[1] = 0xff;
    dk[dk.size() - 33] ^= 1;
    EXPECT_EQ(run_encaps(ek), LATKEM_ERR_EK);
    EXPECT_TRUE(all_zero(space_ + sent_.ct + sent_.ss));
    space_.assign(space_.size(), poison);
    EXPECT_EQ(run_decaps(encapsulation_.ct, dk), LATKEM_ERR_DK);
    EXPECT_TRUE(all_zero(space_ + ss_));
}

#if !defined(_WIN32)
// A few frames remain on the stack, and below them the bytes that are wiped.
TEST_P(Workspace, LittleIsOnTheStack)
{
#if !defined(__OPTIMIZE__)
    GTEST_SKIP() << "skipped: the figures are those of optimised code";
#endif
    if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
    constexpr size_t most = 8192;
    OwnStack stack;
    stack.run([] {});
    const size_t thread = stack.depth();
    const std::function<int()> calls[] = {[&] { return run_keypair(); }, [&] { return run_encaps(keys_.ek); },
                                          [&] { return run_decaps(encapsulation_.ct, keys_.dk); }};
    for (const auto &call : calls) {
        int rc = -1;
        for (int i = 0; i < 2; i++) stack.run([&] { rc = call(); });
        EXPECT_EQ(rc, LATKEM_OK);
        EXPECT_LE(stack.depth(), thread + most);
    }
}
#endif

LATKEM_FOR_EVERY_CASE(Workspace);

TEST(WorkspaceOfNoSet, HasNoBytes)
{
    Bytes out(64, poison), space(64, poison);
    EXPECT_EQ(latkem_workspace_bytes(nullptr), 0u);
    EXPECT_EQ(latkem_decaps_in(space.data(), space.size(), nullptr, out.data(), out.data(), 1, out.data(), 1),
              LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(out + space, Bytes(128, poison));
}

} // namespace
