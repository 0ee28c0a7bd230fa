// Key files: the known-answer files, read and written; what is refused; lengths and arguments.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>

#include "harness/model/crypto.h"
#include "kem_test.h"
#include "tests/unit/guarded.h"
#include "vectors.h"

namespace
{

const latkem_kem *kem_of(const std::string &set)
{
    return latkem_kem_find(set.c_str());
}

// A file of the vectors.
struct File {
    std::string what, kind, set;
    Bytes der;
    bool ok = false, may_accept = false;
    int error = 0, form = 0;
    Bytes seed;
    std::string dk_sha256, ek_sha256;

    bool is_private() const
    {
        return kind == "private";
    }
};

void PrintTo(const File &file, std::ostream *os)
{
    *os << file.set << ", " << file.kind << ": " << file.what;
}

int form_named(const std::string &name)
{
    static const char *const names[] = {"seed", "expanded", "both", "oqs", "bare-seed", "bare-expanded"};
    for (int i = 0; i < 6; i++)
        if (name == names[i]) return i + 1;
    throw std::runtime_error("no such form: " + name);
}

int error_named(const std::string &name)
{
    if (name == "LATKEM_ERR_FORMAT") return LATKEM_ERR_FORMAT;
    if (name == "LATKEM_ERR_DK") return LATKEM_ERR_DK;
    if (name == "LATKEM_ERR_EK") return LATKEM_ERR_EK;
    throw std::runtime_error("no such error: " + name);
}

File file_of(const nlohmann::json &row)
{
    File file;
    file.what = row.at("what");
    file.kind = row.at("kind");
    file.set = row.at("set");
    file.der = hex_field(row, "der");
    file.ok = row.at("ok");
    file.may_accept = row.value("may_accept", false);
    if (!file.ok) file.error = error_named(row.at("error"));
    if (row.contains("form")) file.form = form_named(row.at("form"));
    if (row.contains("seed")) file.seed = hex_field(row, "seed");
    file.dk_sha256 = row.value("dk_sha256", "");
    file.ek_sha256 = row.value("ek_sha256", "");
    return file;
}

const std::vector<File> &files()
{
    static const std::vector<File> list = [] {
        std::vector<File> all;
        const nlohmann::json json = load_json("hybrid/keyfiles.json");
        for (const auto &row : json.at("files")) all.push_back(file_of(row));
        return all;
    }();
    return list;
}

std::vector<File> files_of(const char *kind, bool ok)
{
    std::vector<File> chosen;
    for (const File &file : files())
        if (file.kind == kind && file.ok == ok && kem_of(file.set)) chosen.push_back(file);
    return chosen;
}

struct Key {
    int error = 0;
    const latkem_kem *kem = nullptr;
    int form = 0;
    Bytes seed, dk, ek;
};

constexpr size_t seed_max = 64, dk_max = 3168, ek_max = 1568;

bool is_filled(const uint8_t *bytes, size_t length, uint8_t with)
{
    return std::all_of(bytes, bytes + length, [with](uint8_t b) { return b == with; });
}

// Reads from memory that ends or begins where nothing may be read, and holds that nothing is given with an error.
Key read_private(const Bytes &der)
{
    Key key;
    Guarded<uint8_t> in(der.data(), der.size(), next_byte_offset()), seed(seed_max, 0), dk(dk_max, 0);
    size_t seed_len = seed_max, dk_len = dk_max;
    key.kem = kem_of("ML-KEM-512");
    key.form = -1;
    key.error = latkem_private_key_read(&key.kem, &key.form, seed.out(), &seed_len, dk.out(), &dk_len, in.in(),
                                        der.size());
    if (key.error) {
        EXPECT_TRUE(is_filled(seed.out(), seed_max, 0) && is_filled(dk.out(), dk_max, 0)) << "a key with an error";
        EXPECT_TRUE(!key.kem && key.form == 0 && seed_len == 0 && dk_len == 0);
        return key;
    }
    key.seed = Bytes(seed.out(), seed.out() + seed_len);
    key.dk = Bytes(dk.out(), dk.out() + dk_len);
    return key;
}

Key read_public(const Bytes &der)
{
    Key key;
    Guarded<uint8_t> in(der.data(), der.size(), next_byte_offset()), ek(ek_max, 0);
    size_t ek_len = ek_max;
    key.kem = kem_of("ML-KEM-512");
    key.error = latkem_public_key_read(&key.kem, ek.out(), &ek_len, in.in(), der.size());
    if (key.error) {
        EXPECT_TRUE(is_filled(ek.out(), ek_max, 0)) << "a key with an error";
        EXPECT_TRUE(!key.kem && ek_len == 0);
        return key;
    }
    key.ek = Bytes(ek.out(), ek.out() + ek_len);
    return key;
}

struct Written {
    int error;
    Bytes der;
};

Written write_private(const latkem_kem *kem, int form, const Bytes &key)
{
    Guarded<uint8_t> in(key.data(), key.size(), next_byte_offset()), out(LATKEM_PRIVATE_KEY_DER_MAX, 0);
    size_t length = LATKEM_PRIVATE_KEY_DER_MAX;
    const int error = latkem_private_key_write(kem, form, out.out(), &length, in.in(), key.size());
    EXPECT_TRUE(!error || (is_filled(out.out(), LATKEM_PRIVATE_KEY_DER_MAX, 0) && length == 0));
    return {error, Bytes(out.out(), out.out() + length)};
}

Written write_public(const latkem_kem *kem, const Bytes &ek)
{
    Guarded<uint8_t> in(ek.data(), ek.size(), next_byte_offset()), out(LATKEM_PUBLIC_KEY_DER_MAX, 0);
    size_t length = LATKEM_PUBLIC_KEY_DER_MAX;
    const int error = latkem_public_key_write(kem, out.out(), &length, in.in(), ek.size());
    EXPECT_TRUE(!error || (is_filled(out.out(), LATKEM_PUBLIC_KEY_DER_MAX, 0) && length == 0));
    return {error, Bytes(out.out(), out.out() + length)};
}

TEST(KeyFile, Private)
{
    const auto good = files_of("private", true);
    ASSERT_GE(good.size(), 30u);
    for (const File &file : good) {
        SCOPED_TRACE(testing::PrintToString(file));
        const Key key = read_private(file.der);
        ASSERT_EQ(key.error, 0);
        EXPECT_EQ(key.kem, kem_of(file.set));
        EXPECT_EQ(key.form, file.form);
        EXPECT_EQ(to_hex(key.seed), to_hex(file.seed));
        EXPECT_EQ(to_hex(sha256(key.dk)), file.dk_sha256);
    }
}

TEST(KeyFile, Public)
{
    const auto good = files_of("public", true);
    ASSERT_GE(good.size(), 5u);
    for (const File &file : good) {
        SCOPED_TRACE(testing::PrintToString(file));
        const Key key = read_public(file.der);
        ASSERT_EQ(key.error, 0);
        EXPECT_EQ(key.kem, kem_of(file.set));
        EXPECT_EQ(to_hex(sha256(key.ek)), file.ek_sha256);
        const Written written = write_public(key.kem, key.ek);
        EXPECT_EQ(written.error, 0);
        EXPECT_EQ(to_hex(written.der), to_hex(file.der));
    }
}

bool is_in_vectors(const Bytes &der)
{
    return std::any_of(files().begin(), files().end(), [&](const File &file) { return file.ok && file.der == der; });
}

// The vectors have each of their keys in every form that can be written: what is written is one of these files, and is
// read as the same key again.
void expect_written(const Key &key, int form, const Bytes &from)
{
    const Written written = write_private(key.kem, form, from);
    ASSERT_EQ(written.error, 0);
    EXPECT_TRUE(is_in_vectors(written.der)) << to_hex(written.der);
    const Key again = read_private(written.der);
    ASSERT_EQ(again.error, 0);
    EXPECT_EQ(again.form, form);
    EXPECT_EQ(to_hex(again.dk), to_hex(key.dk));
    EXPECT_EQ(to_hex(again.seed), form == LATKEM_FORM_EXPANDED ? "" : to_hex(key.seed));
}

TEST(KeyFile, Written)
{
    for (const File &file : files_of("private", true)) {
        SCOPED_TRACE(testing::PrintToString(file));
        const Key key = read_private(file.der);
        ASSERT_EQ(key.error, 0);
        if (!key.seed.empty()) expect_written(key, LATKEM_FORM_SEED, key.seed);
        if (file.set == "X-Wing") continue;
        expect_written(key, LATKEM_FORM_EXPANDED, key.dk);
        if (key.seed.empty()) continue;
        expect_written(key, LATKEM_FORM_EXPANDED, key.seed);
        expect_written(key, LATKEM_FORM_BOTH, key.seed);
    }
}

// BER and versions that others let pass are refused too.
TEST(KeyFile, Refused)
{
    size_t count = 0;
    for (const char *kind : {"private", "public"})
        for (const File &file : files_of(kind, false)) {
            SCOPED_TRACE(testing::PrintToString(file));
            EXPECT_EQ(file.is_private() ? read_private(file.der).error : read_public(file.der).error, file.error);
            count++;
        }
    EXPECT_GE(count, 90u);
}

} // namespace
