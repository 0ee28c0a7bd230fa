// Key files: the known-answer files, read and written; what is refused; lengths and arguments.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>

#include <map>

#include "harness/model/crypto.h"
#include "kem_test.h"
#include "keyfile_model.h"
#include "tests/unit/guarded.h"
#include "vectors.h"

namespace
{

const latkem_kem *kem_of(const std::string &set)
{
    return set == "X-Wing" ? latkem_hybrid_find("X-Wing") : latkem_kem_find(set.c_str());
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
        if (file.kind == kind && file.ok == ok) chosen.push_back(file);
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

Verdict try_file(const File &file, const Bytes &der)
{
    return file.is_private() ? try_private(der) : try_public(der);
}

// The model, which the tests below and the fuzz target believe, writes the files of the vectors.
TEST(KeyFile, Model)
{
    for (const File &file : files()) {
        const Verdict verdict = try_file(file, file.der);
        EXPECT_EQ(verdict.complaint, "") << testing::PrintToString(file);
        EXPECT_EQ(verdict.error, file.error) << testing::PrintToString(file);
    }
}

// A whole file is one to its last byte.
TEST(KeyFile, CutAndLengthened)
{
    for (const char *kind : {"private", "public"})
        for (const File &file : files_of(kind, true)) {
            SCOPED_TRACE(testing::PrintToString(file));
            for (size_t length = 1; length < file.der.size(); length++) {
                const Bytes cut = slice(file.der, 0, length);
                const int error = file.is_private() ? read_private(cut).error : read_public(cut).error;
                ASSERT_EQ(error, LATKEM_ERR_FORMAT) << length << " bytes";
            }
            for (const uint8_t more : {0x00, 0x05, 0x30, 0xff})
                EXPECT_EQ(try_file(file, file.der + Bytes{more}).error, LATKEM_ERR_FORMAT);
        }
}

void mark(std::vector<bool> &places, const Bytes &der, const Bytes &part, size_t from, size_t length)
{
    const auto at = static_cast<size_t>(std::search(der.begin(), der.end(), part.begin(), part.end()) - der.begin());
    ASSERT_LE(at + part.size(), der.size());
    for (size_t i = 0; i < length; i++) places[at + from + i] = true;
}

// The bytes of a file that nothing else in it vouches for: a lone seed and the last byte of its OID, because it may be
// a seed of any set of ML-KEM; of a seed with its publicKey z alone; s and z of a dk without a seed; the ek of a public
// key; attributes.
std::vector<bool> free_bytes(const File &file)
{
    std::vector<bool> free(file.der.size());
    if (!file.is_private()) {
        const size_t bytes = latkem_ek_bytes(kem_of(file.set));
        mark(free, file.der, slice(file.der, file.der.size() - bytes, bytes), 0, bytes);
        return free;
    }
    if (file.form == LATKEM_FORM_BOTH) return free;
    const Key key = read_private(file.der);
    if (file.what.find("publicKey") != std::string::npos) {
        mark(free, file.der, key.seed, 32, 32);
    } else if (!key.seed.empty()) {
        mark(free, file.der, key.seed, 0, key.seed.size());
        if (file.set != "X-Wing") mark(free, file.der, from_hex("6086480165030404"), 8, 1);
    } else {
        mark(free, file.der, key.dk, 0, key.dk.size() - latkem_ek_bytes(key.kem) - 64);
        mark(free, file.der, key.dk, key.dk.size() - 32, 32);
    }
    const Bytes friendly_name = from_hex("a00d300b");
    const auto at = std::search(file.der.begin(), file.der.end(), friendly_name.begin(), friendly_name.end());
    if (file.what.find("attributes") != std::string::npos)
        std::fill(free.begin() + (at - file.der.begin()), free.end(), true);
    return free;
}

// Each byte of each file with other values, those beside it among them, so that each length is off by one. A byte for
// which something vouches cannot change.
TEST(KeyFile, EveryByte)
{
    for (const char *kind : {"private", "public"})
        for (const File &file : files_of(kind, true)) {
            SCOPED_TRACE(testing::PrintToString(file));
            const std::vector<bool> free = free_bytes(file);
            Bytes der = file.der;
            for (size_t i = 0; i < der.size(); i++) {
                const uint8_t good = der[i];
                for (const int other : {good + 1, good - 1, good ^ 0x80}) {
                    der[i] = static_cast<uint8_t>(other);
                    const Verdict verdict = try_file(file, der);
                    ASSERT_EQ(verdict.complaint, "") << "byte " << i << " is " << other;
                    ASSERT_TRUE(verdict.error || free[i]) << "byte " << i << " is " << other;
                }
                der[i] = good;
            }
        }
}

// Random faults of structure and bytes, the same in every run. Enough of the files are good, have a bad key or are no key
// file to mean something.
TEST(KeyFile, Mutations)
{
    Stream stream("key files");
    std::map<int, size_t> count;
    for (int i = 0; i < 100000; i++) {
        const Bytes input = stream.bytes(3 + stream.below(14));
        const Verdict verdict = try_mutation(input);
        ASSERT_EQ(verdict.complaint, "") << to_hex(input);
        count[verdict.error]++;
    }
    EXPECT_GT(count[0], 1000u);
    EXPECT_GT(count[LATKEM_ERR_DK], 1000u);
    EXPECT_GT(count[LATKEM_ERR_EK], 10u);
    EXPECT_GT(count[LATKEM_ERR_FORMAT], 10000u);
}

// Attributes with any content are whole elements: a SET of SEQUENCEs of an OID and a SET. They end the file: each is
// read in several places, that what lies behind the end would be met.
TEST(KeyFile, Attributes)
{
    const auto error_with = [](const char *attributes) {
        Element file = private_file(keys_of_sets()[0], LATKEM_FORM_SEED, {false, false});
        file.parts.push_back({-1, from_hex(attributes)});
        for (int place = 0; place < 10; place++) (void)read_private(file.encode());
        return read_private(file.encode()).error;
    };
    for (const char *good :
         {"a000", "a00730050601013100", "a00a30080601013103010100", "a00e3005060101310030050601023100"})
        EXPECT_EQ(error_with(good), 0) << good;
    for (const char *bad : {"a0", "8000", "a100", "a00130", "a0020500", "a0023000", "a0053003060101",
                            "a00730050601013000", "a00830060601013100", "a009300706010131000500", "a00730050601013101",
                            "a00730060601013101", "a080300506010131000000", "a0810730050601013100", "a000a000"})
        EXPECT_EQ(error_with(bad), LATKEM_ERR_FORMAT) << bad;
}

// X-Wing's private key is its seed: no form, no publicKey, not even its own.
TEST(KeyFile, XWingHasOneShape)
{
    const KeyOfSet &key = keys_of_sets().back();
    ASSERT_FALSE(key.is_mlkem);
    EXPECT_EQ(try_private(private_file(key, LATKEM_FORM_SEED, {false, false}).encode()).error, 0);
    EXPECT_EQ(try_private(private_file(key, LATKEM_FORM_SEED, {true, false}).encode()).error, 0);
    EXPECT_EQ(try_private(private_file(key, LATKEM_FORM_SEED, {false, true}).encode()).error, LATKEM_ERR_FORMAT);
    for (const int form : {LATKEM_FORM_EXPANDED, LATKEM_FORM_BOTH, LATKEM_FORM_OQS})
        EXPECT_EQ(try_private(private_file(key, form, {false, false}).encode()).error, LATKEM_ERR_FORMAT) << form;
}

// ---- Arguments ----

struct Room {
    size_t seed, dk;
};

// Reads into buffers of just that room.
int read_into(const File &file, Room room, Room &told)
{
    Guarded<uint8_t> seed(room.seed, 0), dk(room.dk, 0);
    const latkem_kem *kem = kem_of("ML-KEM-512");
    int form = -1;
    told = room;
    const int error = latkem_private_key_read(&kem, &form, seed.out(), &told.seed, dk.out(), &told.dk, file.der.data(),
                                              file.der.size());
    EXPECT_EQ(kem != nullptr && form != 0, error == 0);
    EXPECT_TRUE(!error || (is_filled(seed.out(), room.seed, 0) && is_filled(dk.out(), room.dk, 0)));
    return error;
}

TEST(KeyFile, RoomForPrivate)
{
    for (const File &file : files_of("private", true)) {
        SCOPED_TRACE(testing::PrintToString(file));
        const Room need = {file.seed.size(), latkem_dk_bytes(kem_of(file.set))};
        Room told = {};
        EXPECT_EQ(read_into(file, need, told), 0);
        EXPECT_TRUE(told.seed == need.seed && told.dk == need.dk);
        std::vector<Room> small = {{need.seed, 0}, {need.seed, need.dk - 1}, {need.seed + 9, need.dk - 1}};
        if (need.seed > 0) small.insert(small.end(), {{0, need.dk}, {need.seed - 1, need.dk + 9}, {0, 0}});
        for (const Room &room : small) {
            EXPECT_EQ(read_into(file, room, told), LATKEM_ERR_LENGTH);
            EXPECT_TRUE(told.seed == need.seed && told.dk == need.dk) << "needs " << told.seed << ", " << told.dk;
        }
    }
}

TEST(KeyFile, RoomForPublic)
{
    for (const File &file : files_of("public", true)) {
        const latkem_kem *kem = kem_of("ML-KEM-512");
        const size_t need = latkem_ek_bytes(kem_of(file.set));
        for (const size_t room : {need, need - 1, size_t{0}}) {
            Guarded<uint8_t> ek(room, 0);
            size_t told = room;
            const int error = latkem_public_key_read(&kem, ek.out(), &told, file.der.data(), file.der.size());
            EXPECT_EQ(error, room < need ? LATKEM_ERR_LENGTH : 0);
            EXPECT_EQ(told, need);
            EXPECT_EQ(kem, error ? nullptr : kem_of(file.set));
            EXPECT_TRUE(!error || is_filled(ek.out(), room, 0));
        }
    }
}

// That there is no room is found before the key is checked, and after the shape.
TEST(KeyFile, RoomComesBeforeChecks)
{
    for (const File &file : files_of("private", false)) {
        Room told = {};
        EXPECT_EQ(read_into(file, {64, 0}, told), file.error == LATKEM_ERR_DK ? LATKEM_ERR_LENGTH : LATKEM_ERR_FORMAT);
    }
}

// Writes into a buffer of just that room.
int write_into(const KeyOfSet &key, int form, const Bytes &from, size_t room, size_t &told)
{
    Guarded<uint8_t> der(room, 0);
    told = room;
    const int error = form == 0 ? latkem_public_key_write(key.kem, der.out(), &told, from.data(), from.size())
                                : latkem_private_key_write(key.kem, form, der.out(), &told, from.data(), from.size());
    EXPECT_TRUE(!error || is_filled(der.out(), room, 0));
    return error;
}

// Form 0 is a public key's file.
TEST(KeyFile, RoomToWrite)
{
    for (const KeyOfSet &key : keys_of_sets())
        for (int form = 0; form <= (key.is_mlkem ? LATKEM_FORM_BOTH : LATKEM_FORM_SEED); form++) {
            const Element file = form == 0 ? public_file(key) : private_file(key, form, {false, false});
            const Bytes &from = form == 0 ? key.ek : key.seed;
            const size_t need = file.encode().size();
            size_t told = 0;
            EXPECT_LE(need, form == 0 ? LATKEM_PUBLIC_KEY_DER_MAX : LATKEM_PRIVATE_KEY_DER_MAX);
            for (const size_t room : {need, need + 9}) {
                EXPECT_EQ(write_into(key, form, from, room, told), 0);
                EXPECT_EQ(told, need);
            }
            for (const size_t room : {need - 1, size_t{0}}) {
                EXPECT_EQ(write_into(key, form, from, room, told), LATKEM_ERR_LENGTH);
                EXPECT_EQ(told, need);
            }
        }
}

TEST(KeyFile, WrongKeyLengths)
{
    for (const KeyOfSet &key : keys_of_sets()) {
        for (const size_t length : {size_t{1}, key.seed.size() - 1, key.seed.size() + 1, key.dk.size() + 1})
            for (int form = LATKEM_FORM_SEED; form <= LATKEM_FORM_BOTH; form++)
                EXPECT_EQ(write_private(key.kem, form, Bytes(length)).error, LATKEM_ERR_LENGTH) << length;
        for (const size_t length : {size_t{1}, key.ek.size() - 1, key.ek.size() + 1})
            EXPECT_EQ(write_public(key.kem, Bytes(length)).error, LATKEM_ERR_LENGTH) << length;
    }
}

TEST(KeyFile, FormsThatAreNotWritten)
{
    for (const KeyOfSet &key : keys_of_sets()) {
        for (const int form : {-1, 0, 4, 5, 6, 7, 1000})
            for (const Bytes &from : {key.seed, key.dk})
                EXPECT_EQ(write_private(key.kem, form, from).error, LATKEM_ERR_ARGUMENT) << form;
        const int wrong = key.is_mlkem ? LATKEM_FORM_SEED : LATKEM_FORM_EXPANDED;
        for (const int form : {wrong, static_cast<int>(LATKEM_FORM_BOTH)})
            EXPECT_EQ(write_private(key.kem, form, key.dk).error, LATKEM_ERR_ARGUMENT) << form;
    }
}

std::vector<const latkem_kem *> all_sets()
{
    std::vector<const latkem_kem *> sets;
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++) sets.push_back(kem);
    for (size_t i = 0; const latkem_kem *kem = latkem_hybrid_at(i); i++) sets.push_back(kem);
    return sets;
}

TEST(KeyFile, SetsWithoutEncoding)
{
    size_t others = 0;
    for (const latkem_kem *kem : all_sets()) {
        const std::string name = latkem_kem_name(kem);
        if (name.substr(0, 7) == "ML-KEM-" || name == "X-Wing") continue;
        const Bytes ek(latkem_ek_bytes(kem)), seed(latkem_seed_bytes(kem)), dk(latkem_dk_bytes(kem));
        EXPECT_EQ(write_public(kem, ek).error, LATKEM_ERR_ARGUMENT) << latkem_kem_name(kem);
        for (const Bytes &key : {seed, dk})
            for (int form = LATKEM_FORM_SEED; form <= LATKEM_FORM_BOTH; form++)
                EXPECT_EQ(write_private(kem, form, key).error, LATKEM_ERR_ARGUMENT) << latkem_kem_name(kem);
        others++;
    }
    EXPECT_GE(others, 15u);
}

// A writer refuses what the reader would: a dk that its hash contradicts or that does not belong to its ek, an ek that is
// not reduced.
TEST(KeyFile, BadKeysAreNotWritten)
{
    size_t count = 0;
    for (const File &file : files_of("private", false)) {
        if (file.error != LATKEM_ERR_DK || file.what.substr(0, 8) != "expanded") continue;
        const size_t bytes = latkem_dk_bytes(kem_of(file.set));
        const Bytes dk = slice(file.der, file.der.size() - bytes, bytes);
        EXPECT_EQ(write_private(kem_of(file.set), LATKEM_FORM_EXPANDED, dk).error, LATKEM_ERR_DK) << file.what;
        count++;
    }
    EXPECT_EQ(count, 9u);
    for (const KeyOfSet &key : keys_of_sets()) {
        Bytes ek = key.ek;
        ek[0] = 0x01, ek[1] = static_cast<uint8_t>((ek[1] & 0xf0) | 0x0d); /* 3329 */
        EXPECT_EQ(write_public(key.kem, ek).error, LATKEM_ERR_EK);
    }
}

// The arguments of a call; a test puts each in place of a right one.
struct ReadCall {
    Bytes der;
    Bytes seed = Bytes(64, 0xaa), dk = Bytes(3168, 0xaa);
    size_t seed_len = 64, dk_len = 3168;
    const latkem_kem *kem = keys_of_sets()[0].kem;
    int form = -1;

    explicit ReadCall(const KeyOfSet &key) : der(private_file(key, LATKEM_FORM_BOTH, {false, false}).encode())
    {
    }
};

TEST(KeyFile, NullArguments)
{
    const KeyOfSet &key = keys_of_sets()[0];
    for (int missing = 0; missing < 8; missing++) {
        ReadCall c(key);
        const auto or_null = [missing](int i, auto *at) { return i == missing ? nullptr : at; };
        const int error = latkem_private_key_read(or_null(0, &c.kem), or_null(1, &c.form), or_null(2, c.seed.data()),
                                                  or_null(3, &c.seed_len), or_null(4, c.dk.data()),
                                                  or_null(5, &c.dk_len), or_null(6, c.der.data()), c.der.size());
        EXPECT_EQ(error, missing == 7 ? 0 : LATKEM_ERR_ARGUMENT) << missing;
        if (!error) continue;
        EXPECT_TRUE(missing == 0 || !c.kem);
        EXPECT_TRUE(missing == 1 || c.form == 0);
        EXPECT_TRUE(missing == 2 || missing == 3 || all_zero(c.seed));
        EXPECT_TRUE(missing == 4 || missing == 5 || all_zero(c.dk));
    }
    ReadCall c(key);
    EXPECT_EQ(
        latkem_private_key_read(&c.kem, &c.form, nullptr, nullptr, c.dk.data(), &c.dk_len, c.der.data(), c.der.size()),
        0);
    EXPECT_EQ(to_hex(slice(c.dk, 0, c.dk_len)), to_hex(key.dk));
}

TEST(KeyFile, NullArgumentsOfTheOthers)
{
    const KeyOfSet &key = keys_of_sets()[0];
    const Bytes der = public_file(key).encode();
    for (int missing = 0; missing < 5; missing++) {
        const auto or_null = [missing](int i, auto *at) { return i == missing ? nullptr : at; };
        const int expected = missing == 4 ? 0 : LATKEM_ERR_ARGUMENT;
        const latkem_kem *kem = nullptr;
        Bytes out(1800);
        size_t length = out.size();
        EXPECT_EQ(latkem_public_key_read(or_null(0, &kem), or_null(1, out.data()), or_null(2, &length),
                                         or_null(3, der.data()), der.size()),
                  expected);
        length = out.size();
        EXPECT_EQ(latkem_public_key_write(or_null(0, key.kem), or_null(1, out.data()), or_null(2, &length),
                                          or_null(3, key.ek.data()), key.ek.size()),
                  expected);
        length = out.size();
        EXPECT_EQ(latkem_private_key_write(or_null(0, key.kem), LATKEM_FORM_BOTH, or_null(1, out.data()),
                                           or_null(2, &length), or_null(3, key.seed.data()), key.seed.size()),
                  expected);
    }
}

// The bytes that are needed are not said of a buffer that is not there.
TEST(KeyFile, NullBuffersOfNoBytes)
{
    const KeyOfSet &key = keys_of_sets()[0];
    const Bytes der = public_file(key).encode();
    const latkem_kem *kem = nullptr;
    size_t length = 0;
    EXPECT_EQ(latkem_public_key_read(&kem, nullptr, &length, der.data(), der.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_public_key_write(key.kem, nullptr, &length, key.ek.data(), key.ek.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_private_key_write(key.kem, LATKEM_FORM_SEED, nullptr, &length, key.seed.data(), key.seed.size()),
              LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(length, 0u);
    ReadCall c(key);
    c.seed_len = c.dk_len = 0;
    EXPECT_EQ(latkem_private_key_read(&c.kem, &c.form, nullptr, &c.seed_len, c.dk.data(), &c.dk_len, c.der.data(),
                                      c.der.size()),
              LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(c.dk_len, 0u);
}

// Outputs that share a byte with the file, with one another, or with a length.
TEST(KeyFile, OverlappingBuffers)
{
    const KeyOfSet &key = keys_of_sets()[0];
    Bytes memory(8000);
    const auto read = [&](size_t seed, size_t dk, size_t der, bool one_length) {
        ReadCall c(key);
        std::copy(c.der.begin(), c.der.end(), memory.begin() + static_cast<long>(der));
        return latkem_private_key_read(&c.kem, &c.form, &memory[seed], &c.seed_len, &memory[dk],
                                       one_length ? &c.seed_len : &c.dk_len, &memory[der], c.der.size());
    };
    EXPECT_EQ(read(0, 64, 3232, false), 0);
    EXPECT_EQ(read(0, 63, 3232, false), LATKEM_ERR_ARGUMENT) << "seed and dk";
    EXPECT_EQ(read(0, 64, 3231, false), LATKEM_ERR_ARGUMENT) << "dk and file";
    EXPECT_EQ(read(1667, 1731, 0, false), LATKEM_ERR_ARGUMENT) << "file and seed";
    EXPECT_EQ(read(0, 64, 3232, true), LATKEM_ERR_ARGUMENT) << "lengths";
    EXPECT_TRUE(is_filled(memory.data(), 64, 0));

    const auto write = [&](size_t der, size_t from) {
        size_t length = 1730;
        std::copy(key.seed.begin(), key.seed.end(), memory.begin() + static_cast<long>(from));
        return latkem_private_key_write(key.kem, LATKEM_FORM_BOTH, &memory[der], &length, &memory[from], 64);
    };
    EXPECT_EQ(write(0, 1730), 0);
    EXPECT_EQ(write(0, 1729), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(write(63, 0), LATKEM_ERR_ARGUMENT);
    size_t length = 822;
    EXPECT_EQ(latkem_public_key_write(key.kem, &memory[0], &length, &memory[821], 800), LATKEM_ERR_ARGUMENT);
    const latkem_kem *kem = nullptr;
    EXPECT_EQ(latkem_public_key_read(&kem, &memory[0], &(length = 800), &memory[799], 822), LATKEM_ERR_ARGUMENT);
}

} // namespace
