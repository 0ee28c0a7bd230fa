// Prepared keys: they agree with keys in bytes, move with memcpy, and are refused where they do not belong.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <set>

#include "harness/model/kem.h"
#include "kem_test.h"

extern "C" {
#include "arch/backend.h"
#include "arch/cpu.h"
}

namespace
{

class PreparedKey : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream(std::string("prepared ") + set().name);
        keys_ = keypair(stream);
        encapsulation_ = encaps(keys_.ek, stream.bytes(sizes().coins));
    }

    void prepare(Prepared &ek, Prepared &dk) const
    {
        ASSERT_EQ(latkem_prepare_ek(kem, ek.data(), keys_.ek.data(), keys_.ek.size()), LATKEM_OK);
        ASSERT_EQ(latkem_prepare_dk(kem, dk.data(), keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
    }

    void expect_works(const void *ek, const void *dk) const
    {
        for (int i = 0; i < 3; i++) {
            Bytes ct(sizes().ct), ss(sizes().ss), opened(sizes().ss);
            EXPECT_EQ(latkem_encaps_prepared(kem, ct.data(), ss.data(), ek), LATKEM_OK);
            EXPECT_EQ(latkem_decaps_prepared(kem, opened.data(), ct.data(), ct.size(), dk), LATKEM_OK);
            EXPECT_EQ(to_hex(opened), to_hex(ss));
            EXPECT_EQ(to_hex(decaps(keys_.dk, ct)), to_hex(ss));
        }
        Bytes opened(sizes().ss);
        EXPECT_EQ(latkem_decaps_prepared(kem, opened.data(), encapsulation_.ct.data(), sizes().ct, dk), LATKEM_OK);
        EXPECT_EQ(to_hex(opened), to_hex(encapsulation_.ss));
    }

    void expect_refused(const latkem_kem *used, const void *ek, const void *dk) const
    {
        Bytes ct(latkem_ct_bytes(used), 0xee), ss(latkem_ss_bytes(used), 0xee);
        EXPECT_EQ(latkem_encaps_prepared(used, ct.data(), ss.data(), ek), LATKEM_ERR_PREPARED);
        EXPECT_TRUE(all_zero(ct + ss));
        ct.assign(ct.size(), 0x11);
        ss.assign(ss.size(), 0xee);
        EXPECT_EQ(latkem_decaps_prepared(used, ss.data(), ct.data(), ct.size(), dk), LATKEM_ERR_PREPARED);
        EXPECT_TRUE(all_zero(ss));
    }

    Prepared ek_storage() const
    {
        return Prepared(latkem_prepared_ek_bytes(kem));
    }
    Prepared dk_storage() const
    {
        return Prepared(latkem_prepared_dk_bytes(kem));
    }

    KeyPair keys_;
    Encapsulation encapsulation_;
};

TEST_P(PreparedKey, AgreesWithWire)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    expect_works(ek.data(), dk.data());
}

TEST_P(PreparedKey, NeedsTheBytesNoLonger)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    KeyPair copy = keys_;
    ASSERT_EQ(latkem_prepare_ek(kem, ek.data(), copy.ek.data(), copy.ek.size()), LATKEM_OK);
    ASSERT_EQ(latkem_prepare_dk(kem, dk.data(), copy.dk.data(), copy.dk.size()), LATKEM_OK);
    copy.ek.assign(copy.ek.size(), 0xff);
    copy.dk.assign(copy.dk.size(), 0xff);
    expect_works(ek.data(), dk.data());
}

TEST_P(PreparedKey, MayBeCopiedToAnotherAddress)
{
    constexpr size_t alignment = alignof(std::max_align_t);
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    for (size_t shift = 0; shift < 128; shift += alignment) {
        Prepared new_ek(ek.size() + shift), new_dk(dk.size() + shift);
        auto *ek_at = static_cast<uint8_t *>(new_ek.data()) + shift,
             *dk_at = static_cast<uint8_t *>(new_dk.data()) + shift;
        std::memcpy(ek_at, ek.data(), ek.size());
        std::memcpy(dk_at, dk.data(), dk.size());
        SCOPED_TRACE("shifted by " + std::to_string(shift));
        expect_works(ek_at, dk_at);
    }
    std::memset(ek.data(), 0, ek.size());
    std::memset(dk.data(), 0, dk.size());
}

TEST_P(PreparedKey, PreparesAtAnyMaxAlignedAddress)
{
    constexpr size_t alignment = alignof(std::max_align_t);
    for (size_t shift = 0; shift < 128; shift += alignment) {
        Prepared ek(latkem_prepared_ek_bytes(kem) + shift), dk(latkem_prepared_dk_bytes(kem) + shift);
        auto *ek_at = static_cast<uint8_t *>(ek.data()) + shift, *dk_at = static_cast<uint8_t *>(dk.data()) + shift;
        ASSERT_EQ(latkem_prepare_ek(kem, ek_at, keys_.ek.data(), keys_.ek.size()), LATKEM_OK);
        ASSERT_EQ(latkem_prepare_dk(kem, dk_at, keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
        SCOPED_TRACE("shifted by " + std::to_string(shift));
        expect_works(ek_at, dk_at);
    }
}

// A prepared key keeps working on whatever backend is in force later.
TEST_P(PreparedKey, SurvivesAChangeOfBackend)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) {
        ASSERT_EQ(latkem_backend_use(backend), LATKEM_OK);
        SCOPED_TRACE(backend);
        expect_works(ek.data(), dk.data());
    }
    EXPECT_EQ(latkem_backend_use(GetParam().backend.c_str()), LATKEM_OK);
}

TEST_P(PreparedKey, IsRefusedByOtherSets)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    for (size_t i = 0; const latkem_kem *other = latkem_kem_at(i); i++) {
        if (other == kem) continue;
        // Another set may read as much as its own keys have.
        Prepared wide_ek(std::max(ek.size(), latkem_prepared_ek_bytes(other)));
        Prepared wide_dk(std::max(dk.size(), latkem_prepared_dk_bytes(other)));
        std::memcpy(wide_ek.data(), ek.data(), ek.size());
        std::memcpy(wide_dk.data(), dk.data(), dk.size());
        SCOPED_TRACE(latkem_kem_name(other));
        expect_refused(other, wide_ek.data(), wide_dk.data());
    }
}

TEST_P(PreparedKey, IsRefusedAsTheOtherKind)
{
    const size_t size = std::max(latkem_prepared_ek_bytes(kem), latkem_prepared_dk_bytes(kem));
    Prepared ek(size), dk(size);
    prepare(ek, dk);
    expect_refused(kem, dk.data(), ek.data());
}

TEST_P(PreparedKey, EmptyStorageIsRefused)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    for (int fill : {0x00, 0xff, 0x5a}) {
        std::memset(ek.data(), fill, ek.size());
        std::memset(dk.data(), fill, dk.size());
        SCOPED_TRACE("filled with " + std::to_string(fill));
        expect_refused(kem, ek.data(), dk.data());
    }
}

// After a failed preparation over a good key nothing of the good key is left.
TEST_P(PreparedKey, FailureZeroesTheStorage)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    EXPECT_EQ(latkem_prepare_ek(kem, ek.data(), keys_.ek.data(), keys_.ek.size() - 1), LATKEM_ERR_LENGTH);
    EXPECT_EQ(latkem_prepare_dk(kem, dk.data(), keys_.dk.data(), keys_.dk.size() - 1), LATKEM_ERR_LENGTH);
    EXPECT_TRUE(all_zero(ek.bytes()));
    EXPECT_TRUE(all_zero(dk.bytes()));
    expect_refused(kem, ek.data(), dk.data());
}

TEST_P(PreparedKey, CiphertextLength)
{
    Prepared ek = ek_storage(), dk = dk_storage();
    prepare(ek, dk);
    for (size_t length : {size_t{0}, sizes().ct - 1, sizes().ct + 1, SIZE_MAX}) {
        const Bytes ct(sizes().ct + 1);
        Bytes ss(sizes().ss, 0xee);
        EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), length, dk.data()), LATKEM_ERR_LENGTH) << length;
        EXPECT_TRUE(all_zero(ss));
    }
}

// ---- Storage that names other functions to be called ----

class ForgedKey : public PreparedKey
{
  protected:
    void SetUp() override
    {
        PreparedKey::SetUp();
        ek_ = ek_storage();
        dk_ = dk_storage();
        prepare(ek_, dk_);
    }

    // Puts another address in the place of the backend's, which is once in the header.
    static void name_backend(Prepared &prepared, const void *backend)
    {
        const void *const known = lk_backend_current();
        auto *cells = static_cast<uint8_t *>(prepared.data());
        size_t found = 0;
        for (size_t i = 0; i < 64; i += sizeof backend) {
            if (std::memcmp(cells + i, &known, sizeof known) != 0) continue;
            std::memcpy(cells + i, &backend, sizeof backend);
            found++;
        }
        ASSERT_EQ(found, 1u);
    }

    void expect_backend_refused(const void *backend)
    {
        Prepared ek = ek_, dk = dk_;
        name_backend(ek, backend);
        name_backend(dk, backend);
        expect_refused(kem, ek.data(), dk.data());
    }

    Prepared ek_{0}, dk_{0};
};

// A table that would do: only its place is wrong.
TEST_P(ForgedKey, TablesOutsideTheLibraryAreRefused)
{
    const lk_backend own = *lk_backend_current();
    expect_backend_refused(&own);
    expect_backend_refused(nullptr);
    expect_backend_refused(kem);
    expect_backend_refused(reinterpret_cast<const uint8_t *>(lk_backend_current()) + sizeof(void *));
    expect_backend_refused(own.symmetric.keccak);
}

// Those that CPUs with any of the features (cpu.h) would be given.
std::set<const lk_backend *> all_variants()
{
    std::set<const lk_backend *> all;
    const uint32_t kinds_of_cores[] = {0, LK_CPU_ARM_ROTATES, LK_CPU_ARM_IN_ORDER};
    for (uint32_t features = 0; features < 2 * LK_CPU_ARM_SHA3; features++)
        for (uint32_t cores : kinds_of_cores)
            for (size_t i = 0; const lk_backend *backend = lk_backend_list_for(features | cores, i); i++)
                all.insert(backend);
    return all;
}

// The table that prepared a key may be any that the CPU can run, and then uses it with its own kernels.
TEST_P(ForgedKey, VariantsAreTakenIfTheCpuRunsThem)
{
    size_t taken = 0;
    for (const lk_backend *variant : all_variants()) {
        SCOPED_TRACE(std::string(variant->name) + ", which needs " + std::to_string(variant->needs));
        if ((variant->needs & ~lk_cpu_features()) != 0) {
            expect_backend_refused(variant);
            continue;
        }
        if (GetParam().backend != variant->name) continue;
        Prepared ek = ek_storage(), dk = dk_storage();
        const lk_backend *const own = lk_backend_current();
        lk_backend_force(variant);
        prepare(ek, dk);
        lk_backend_force(own);
        expect_works(ek.data(), dk.data());
        taken++;
    }
    EXPECT_GE(taken, 1u);
}

LATKEM_FOR_EVERY_CASE(PreparedKey);
LATKEM_FOR_EVERY_CASE(ForgedKey);

} // namespace
