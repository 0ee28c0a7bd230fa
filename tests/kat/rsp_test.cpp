// The NIST .rsp file of every set, written again and compared by its SHA-256.
// SPDX-License-Identifier: Apache-2.0
#include "nist.h"

namespace
{

class Rsp : public KemTest
{
};

std::string rsp_record(size_t count, const NistEntry &entry)
{
    std::string text = "count = " + std::to_string(count) + "\n";
    const std::pair<const char *, const Bytes &> fields[] = {{"seed", entry.seed},
                                                             {"pk", entry.keys.ek},
                                                             {"sk", entry.keys.dk},
                                                             {"ct", entry.encapsulation.ct},
                                                             {"ss", entry.encapsulation.ss}};
    for (const auto &[name, value] : fields) text += std::string(name) + " = " + to_upper_hex(value) + "\n";
    return text + "\n";
}

TEST_P(Rsp, FullFile)
{
    std::string file = "# " + std::string(set().rsp_header) + "\n\n";
    const std::vector<Bytes> seeds = nist_seeds();
    for (size_t count = 0; count < seeds.size(); count++) {
        const NistEntry entry = nist_entry(kem, seeds[count]);
        file += rsp_record(count, entry);
        EXPECT_EQ(to_hex(decaps(entry.keys.dk, entry.encapsulation.ct)), to_hex(entry.encapsulation.ss))
            << "decapsulation of entry " << count;
    }
    EXPECT_EQ(to_hex(sha256(file)), set().rsp_sha256);
}

LATKEM_FOR_EVERY_CASE(Rsp);

} // namespace
