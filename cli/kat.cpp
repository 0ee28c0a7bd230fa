// The NIST known-answer tests.
// SPDX-License-Identifier: Apache-2.0
#include "kat.h"

#include <cstring>
#include <numeric>

#include "failure.h"

namespace
{

const KatFile files[] = {
    {"ML-KEM-512", "Kyber512", "a30184edee53b3b009356e1e31d7f9e93ce82550e3c622d7192e387b0cc84f2e"},
    {"ML-KEM-768", "Kyber768", "729367b590637f4a93c68d5e4a4d2e2b4454842a52c9eec503e3a0d24cb66471"},
    {"ML-KEM-1024", "Kyber1024", "3fba7327d0320cb6134badf2a1bcb963a5b3c0026c7dece8f00d6a6155e47b33"},
    {"Kyber512", "Kyber512", "e9c2bd37133fcb40772f81559f14b1f58dccd1c816701be9ba6214d43baf4547"},
    {"Kyber768", "Kyber768", "a1e122cad3c24bc51622e4c242d8b8acbcd3f618fee4220400605ca8f9ea02c2"},
    {"Kyber1024", "Kyber1024", "89248f2f33f7f4f7051729111f3049c409a933ec904aedadf035f30fa5646cd5"},
    {"Kyber512-90s", "Kyber512-90s", "a3d271762446e5d0996aef8e8a76e714dce2ece7e0354c77212a86f398f4cf52"},
    {"Kyber768-90s", "Kyber768-90s", "890176520882068007cdcc009d7651cd11c4e54b443df131ad12340e61ddd8e6"},
    {"Kyber1024-90s", "Kyber1024-90s", "0aae7ad05d260939e1235906598c04d4120e25c608c2189de90d4d026eb8101b"},
    {"LightSaber", "LightSaber", "d15eabf67e7a00aa1429369d2dd3c54a091c3bc33c733a7c50963b4d3b68f347"},
    {"Saber", "Saber", "4066d962d8e71dad0b389d321771dd509cd273ec266e032029995516fb351053"},
    {"FireSaber", "FireSaber", "f1cbf649d410da9fdb32dfeb7963b2b6e91c199c3e7208ed487116aa1462978a"},
    {"NTRU-HPS-2048-509", "ntruhps2048509", "f85cbfd585ee9e03feb10817f7a4ba42695a67af95db383c5ebbc2beab27e6bc"},
    {"NTRU-HPS-2048-677", "ntruhps2048677", "0e1d2eccfbc6e4f4d6f139b21de27417316202a5c113602d25704316aebb9303"},
    {"NTRU-HPS-4096-821", "ntruhps4096821", "95235f04c6206a82477fd5a877f184e99906d658a242dcd7ebb8337048129a4b"},
    {"NTRU-HRSS-701", "ntruhrss701", "1e7c8e02f7dc1a9796332d60d1b08995fff5dfe81f2ae7394ec2f4816dedf4b6"},
};

// The generator of the seeds starts from the bytes 00 01 .. 2F.
KatDrbg::Seed counting_bytes()
{
    KatDrbg::Seed seed{};
    std::iota(seed.begin(), seed.end(), uint8_t{0});
    return seed;
}

} // namespace

const KatFile &kat_file(const latkem_kem *kem)
{
    for (const KatFile &file : files)
        if (std::strcmp(file.set, latkem_kem_name(kem)) == 0) return file;
    fail(latkem_kem_name(kem), "no known answers are kept for this set");
}

KatSequence::KatSequence(const latkem_kem *kem) : kem_(kem), seeds_(counting_bytes())
{
}

KatEntry KatSequence::next()
{
    KatEntry entry{count_++,
                   {},
                   Buffer(latkem_ek_bytes(kem_)),
                   Buffer(latkem_dk_bytes(kem_)),
                   Buffer(latkem_ct_bytes(kem_)),
                   Buffer(latkem_ss_bytes(kem_))};
    const std::string thing = std::string(latkem_kem_name(kem_)) + " entry " + std::to_string(entry.count);
    seeds_.fill(entry.seed.data(), entry.seed.size());
    KatDrbg drbg(entry.seed);
    require(latkem_keypair_rng(kem_, entry.ek.data(), entry.dk.data(), KatDrbg::fill_callback, &drbg), thing);
    require(latkem_encaps_rng(kem_, entry.ct.data(), entry.ss.data(), entry.ek.data(), entry.ek.size(),
                              KatDrbg::fill_callback, &drbg),
            thing);
    Buffer ss(entry.ss.size());
    require(latkem_decaps(kem_, ss.data(), entry.ct.data(), entry.ct.size(), entry.dk.data(), entry.dk.size()), thing);
    if (ss != entry.ss) fail(thing, "decapsulation gives another ss than encapsulation");
    return entry;
}

std::string upper_hex(const uint8_t *data, size_t size)
{
    std::string text;
    text.reserve(2 * size);
    for (size_t i = 0; i < size; i++) {
        text += "0123456789ABCDEF"[data[i] >> 4];
        text += "0123456789ABCDEF"[data[i] & 15];
    }
    return text;
}

std::string rsp_head(const KatFile &file)
{
    return std::string("# ") + file.header + "\n\n";
}

std::string rsp_record(const KatEntry &entry)
{
    auto line = [](const char *name, const auto &bytes) { return name + upper_hex(bytes.data(), bytes.size()) + "\n"; };
    return "count = " + std::to_string(entry.count) + "\n" + line("seed = ", entry.seed) + line("pk = ", entry.ek) +
           line("sk = ", entry.dk) + line("ct = ", entry.ct) + line("ss = ", entry.ss) + "\n";
}
