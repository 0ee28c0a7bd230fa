// CCTV vectors for ML-KEM-512 and ML-KEM-1024: long rejection sampling, unreduced keys, and a ciphertext that differs from
// its re-encryption after a zero byte.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "kem_test.h"
#include "vectors.h"

namespace
{

class Cctv : public KemTest
{
  protected:
    // The lines "name = hex" of a file.
    std::map<std::string, Bytes> fields(const char *folder) const
    {
        std::map<std::string, Bytes> found;
        for (const std::string &line : load_lines(std::string("cctv/") + folder + "/" + set().name + ".txt")) {
            const size_t sign = line.find(" = ");
            if (sign != std::string::npos) found[line.substr(0, sign)] = from_hex(line.substr(sign + 3));
        }
        return found;
    }
};

TEST_P(Cctv, UnluckySample)
{
    const auto file = fields("unluckysample");
    const KeyPair keys = keypair(file.at("d") + file.at("z"));
    EXPECT_EQ(to_hex(keys.ek), to_hex(file.at("ek")));
    EXPECT_EQ(to_hex(keys.dk), to_hex(file.at("dk")));
    const Encapsulation e = encaps(keys.ek, file.at("m"));
    EXPECT_EQ(to_hex(e.ct), to_hex(file.at("c")));
    EXPECT_EQ(to_hex(e.ss), to_hex(file.at("K")));
    EXPECT_EQ(to_hex(decaps(keys.dk, e.ct)), to_hex(file.at("K")));
}

TEST_P(Cctv, Strcmp)
{
    const auto file = fields("strcmp");
    EXPECT_EQ(to_hex(decaps(file.at("dk"), file.at("c"))), to_hex(file.at("K")));
}

TEST_P(Cctv, Modulus)
{
    const auto lines = load_lines(std::string("cctv/modulus/") + set().name + ".txt");
    for (const std::string &line : lines) {
        const Bytes ek = from_hex(line);
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), LATKEM_ERR_EK);
    }
    EXPECT_GT(lines.size(), 0u);
    std::cout << lines.size() << " cases\n";
}

LATKEM_FOR_CASES(Cctv, [](const SetFacts &set) { return set.family == Family::mlkem && set.ring.rank != 3; });

} // namespace
