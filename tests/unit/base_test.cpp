// Byte order, constant-time selection and comparison, wiping, and workspaces. That workspaces are wiped is shown in
// tests/api, on stacks that can be read afterwards.
// SPDX-License-Identifier: Apache-2.0
#if !defined(_WIN32)
#include <sys/wait.h>
#endif

#include <csignal>

#include "backends.h"
#include "guarded.h"

namespace
{

constexpr uint32_t all_ones = 0xffffffff;

TEST(ByteOrder, LoadsAtEveryAlignment)
{
    const uint8_t bytes[] = {0x81, 0x02, 0x83, 0x04, 0x85, 0x06, 0x87, 0x08};
    for (size_t offset = 0; offset < 16; offset++) {
        Guarded<uint8_t> memory(bytes, sizeof bytes, offset);
        const uint8_t *p = memory.in();
        EXPECT_EQ(lk_load16_le(p), 0x0281u);
        EXPECT_EQ(lk_load32_le(p), 0x04830281u);
        EXPECT_EQ(lk_load64_le(p), 0x0887068504830281u);
        EXPECT_EQ(lk_load32_be(p), 0x81028304u);
        EXPECT_EQ(lk_load64_be(p), 0x8102830485068708u);
    }
}

template <class Word> Bytes stored(void (*store)(uint8_t *, Word), Word word, size_t offset)
{
    Guarded<uint8_t> memory(sizeof(Word), offset);
    store(memory.out(), word);
    return Bytes(memory.out(), memory.out() + sizeof(Word));
}

TEST(ByteOrder, StoresAtEveryAlignment)
{
    for (size_t offset = 0; offset < 16; offset++) {
        EXPECT_EQ(to_hex(stored<uint32_t>(lk_store32_le, 0x04830281, offset)), "81028304");
        EXPECT_EQ(to_hex(stored<uint64_t>(lk_store64_le, 0x0887068504830281, offset)), "8102830485068708");
        EXPECT_EQ(to_hex(stored<uint32_t>(lk_store32_be, 0x81028304, offset)), "81028304");
        EXPECT_EQ(to_hex(stored<uint64_t>(lk_store64_be, 0x8102830485068708, offset)), "8102830485068708");
    }
}

TEST(ConstantTime, Nonzero)
{
    EXPECT_EQ(lk_ct_nonzero(0), 0u);
    for (unsigned bit = 0; bit < 32; bit++) {
        EXPECT_EQ(lk_ct_nonzero(uint32_t{1} << bit), all_ones) << "bit " << bit;
        EXPECT_EQ(lk_ct_nonzero(all_ones << bit), all_ones) << "from bit " << bit;
        EXPECT_EQ(lk_ct_nonzero(all_ones >> bit), all_ones) << "down from bit " << 31 - bit;
    }
}

TEST(ConstantTime, Barrier)
{
    for (unsigned bit = 0; bit < 32; bit++) EXPECT_EQ(lk_barrier(uint32_t{1} << bit), uint32_t{1} << bit);
}

TEST(ConstantTime, DifferSeesEveryBit)
{
    Random random(23);
    for (size_t length = 0; length <= 200; length++) {
        const Bytes bytes = random.bytes(length);
        Guarded<uint8_t> a(bytes.data(), length, next_byte_offset());
        Guarded<uint8_t> b(bytes.data(), length, next_byte_offset());
        ASSERT_EQ(lk_ct_differ(a.out(), b.out(), length), 0u);
        for (size_t bit = 0; bit < 8 * length; bit++) {
            b.out()[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            ASSERT_EQ(lk_ct_differ(a.out(), b.out(), length), all_ones)
                << "bit " << bit << " of " << length << " bytes";
            b.out()[bit / 8] = a.out()[bit / 8];
        }
    }
}

// Differences that cancel in a sum or an exclusive or.
TEST(ConstantTime, DifferSeesManyDifferences)
{
    const Bytes a(32, 0x0f);
    Bytes b(32, 0x0f);
    b[7] ^= 0x80;
    b[15] ^= 0x80;
    EXPECT_EQ(lk_ct_differ(a.data(), b.data(), 32), all_ones);
    EXPECT_EQ(lk_ct_same(a.data(), b.data(), 32), 0u);
    b.assign(32, 0xf0);
    EXPECT_EQ(lk_ct_differ(a.data(), b.data(), 32), all_ones);
    EXPECT_EQ(lk_ct_same(a.data(), b.data(), 32), 0u);
}

// Each bit, the longest ciphertext, and all words different.
TEST(ConstantTime, SameSeesEveryBit)
{
    Random random(37);
    for (size_t length = 0; length <= 1568; length += length < 200 ? 8 : 456) {
        const Bytes bytes = random.bytes(length);
        Guarded<uint8_t> a(bytes.data(), length, next_byte_offset()), b(bytes.data(), length, next_byte_offset());
        ASSERT_EQ(lk_ct_same(a.out(), b.out(), length), all_ones) << length;
        for (size_t bit = 0; bit < 8 * length; bit++) {
            b.out()[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            ASSERT_EQ(lk_ct_same(a.out(), b.out(), length), 0u) << "bit " << bit << " of " << length << " bytes";
            b.out()[bit / 8] = a.out()[bit / 8];
        }
        for (size_t i = 0; i < length; i++) b.out()[i] ^= 0x10;
        ASSERT_EQ(lk_ct_same(a.out(), b.out(), length), length == 0 ? all_ones : 0u) << length;
    }
}

TEST(ConstantTime, MoveNeedsBothMasks)
{
    Random random(29);
    for (size_t length = 0; length <= 200; length += 8)
        for (unsigned masks = 0; masks < 4; masks++) {
            const Bytes from = random.bytes(length), to = random.bytes(length);
            Guarded<uint8_t> src(from.data(), length, next_byte_offset()), dst(to.data(), length, next_byte_offset());
            lk_ct_move(dst.out(), src.in(), length, masks & 1 ? all_ones : 0, masks & 2 ? all_ones : 0);
            ASSERT_EQ(Bytes(dst.out(), dst.out() + length), masks == 3 ? from : to);
        }
}

TEST(Wipe, ExactlyItsLength)
{
    for (size_t length = 0; length <= 200; length++) {
        Guarded<uint8_t> memory(length, next_byte_offset());
        lk_wipe(memory.out(), length);
        ASSERT_EQ(Bytes(memory.out(), memory.out() + length), Bytes(length, 0));
    }
}

TEST(Workspace, CountingAndTakingAgree)
{
    Random random(31);
    std::vector<size_t> sizes = {0, 1, LK_ALIGN - 1, LK_ALIGN, LK_ALIGN + 1};
    for (int i = 0; i < 50; i++) sizes.push_back(random.below(2000));
    lk_arena counting = {nullptr, 0};
    for (size_t size : sizes) ASSERT_EQ(lk_take(&counting, size), nullptr);

    Guarded<unsigned char> memory(counting.used, 0);
    lk_arena arena = {memory.out(), 0};
    const unsigned char *end = memory.out();
    for (size_t size : sizes) {
        auto *piece = static_cast<unsigned char *>(lk_take(&arena, size));
        ASSERT_EQ(reinterpret_cast<uintptr_t>(piece) % LK_ALIGN, 0u);
        ASSERT_GE(piece, end) << "pieces overlap";
        ASSERT_LT(piece - end, LK_ALIGN) << "bytes are lost between pieces";
        memset(piece, 0, size);
        end = piece + size;
    }
    EXPECT_EQ(arena.used, counting.used);
}

struct Operation {
    size_t bytes;
    int result;
    void *piece = nullptr;
    size_t counts = 0, takes = 0, runs = 0;
};

void take(void *ctx, lk_arena *arena)
{
    Operation &expected = *static_cast<Operation *>(ctx);
    EXPECT_EQ(arena->used, 0u);
    expected.piece = lk_take(arena, expected.bytes);
    (arena->base == nullptr ? expected.counts : expected.takes)++;
}

int run(void *ctx)
{
    Operation &expected = *static_cast<Operation *>(ctx);
    expected.runs++;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(expected.piece) % LK_ALIGN, 0u);
    memset(expected.piece, 0xff, expected.bytes);
    return expected.result;
}

// Not even by a byte: beyond the largest frame is the stack of whoever called.
TEST(Workspace, ALargerOneEndsTheProgram)
{
#if defined(_WIN32)
    GTEST_SKIP() << "skipped: how a program ended is told in signals";
#else
    const auto trapped = [](int status) { // s390x compares and traps at once, which is an exception of its own
        return WIFSIGNALED(status) &&
               (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP || WTERMSIG(status) == SIGFPE);
    };
    Operation expected = {LK_WORKSPACE_MAX + 1, 0};
    EXPECT_EXIT(lk_with_workspace(take, run, &expected), trapped, "");
#endif
}

// Sizes up to the largest. AddressSanitizer sees a frame that is too small.
TEST(Workspace, EverySizeIsCountedAndRunOnce)
{
    std::vector<size_t> sizes = {0, 1, 64, LK_WORKSPACE_MAX};
    for (size_t size = 512; size < LK_WORKSPACE_MAX; size += 512) {
        sizes.push_back(size - 1);
        sizes.push_back(size);
        sizes.push_back(size + 1);
    }
    for (size_t size : sizes) {
        Operation expected = {size, static_cast<int>(size % 7) - 3};
        ASSERT_EQ(lk_with_workspace(take, run, &expected), expected.result);
        ASSERT_EQ(expected.counts, 1u) << size << " bytes";
        ASSERT_EQ(expected.takes, 1u) << size << " bytes";
        ASSERT_EQ(expected.runs, 1u) << size << " bytes";
    }
}

} // namespace
