// The functions of examples/pqclean give what PQClean's own tests ask of its code: the digests `nistkat-sha256` of the
// META.yml of each scheme, which are of the first NIST known answer, secret key included. ML-KEM's are those of PQClean's
// commit 3730b32a, Kyber's of d5759e60, Saber's and NTRU's of 6cd3167b. SPDX-License-Identifier: Apache-2.0
#include <map>
#include <numeric>

#include "examples/pqclean/pqclean.h"
#include "kem_test.h"

namespace
{

const std::map<std::string, std::string> digests = {
    // clang-format off
    {"MLKEM512", "c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782"},
    {"MLKEM768", "5352539586b6c3df58be6158a6250aeff402bd73060b0a3de68850ac074c17c3"},
    {"MLKEM1024", "f580d851e5fb27e6876e5e203fa18be4cdbfd49e05d48fec3d3992c8f43a13e6"},
    {"KYBER512", "bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca"},
    {"KYBER768", "89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172"},
    {"KYBER1024", "5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60"},
    {"KYBER51290S", "7bfe0653b63b3fac7ee300a6e4801046c1a3d8d445b271633b6c9d81ed125e5b"},
    {"KYBER76890S", "68bf2e3914c0b4e053cefc67dd9f10f567946da5720f0b453b347610c3cc2c0a"},
    {"KYBER102490S", "a1b564348a126a118fbc49a6aeaebcb74896753fd99f30eeb0f75f0b2d25115f"},
    {"LIGHTSABER", "dc2233ae221cfabbb1db5ab1a76c93967d37de9f87a8092561f95ab28eff6061"},
    {"SABER", "c9e2c16f41f162c607a1d5704107159e5e12713b9bb8c356b1d68b216e79096e"},
    {"FIRESABER", "937d9b2e139112e13d4093a6afe715deff476e4d578208b9e8e1809de43835cd"},
    {"NTRUHPS2048509", "fc314366fbe795e2db6d29abb9f5b2ff43f0f608d0bd66161f9450364f0d271b"},
    {"NTRUHPS2048677", "33e2cad6c2a2f17991517050d7a1b745908c84b8283a4e0f07dbe6f62d166507"},
    {"NTRUHPS4096821", "1a8382ae0c801a43cf461c98d22743f5b2d8a1ffed1b1df0dd767de2c2874597"},
    {"NTRUHRSS701", "501e000c3eb374ffbfb81b0f16673a6282116465936608d7d164b05635e769e8"},
    // clang-format on
};

struct Functions {
    std::string name, set; // PQClean's and latkem's
    size_t pk, sk, ct, ss;
    int (*keypair)(uint8_t *pk, uint8_t *sk);
    int (*enc)(uint8_t *ct, uint8_t *ss, const uint8_t *pk);
    int (*dec)(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
};

#define FUNCTIONS(NAME, SET, PK, SK, CT)                                                                               \
    {#NAME,                                                                                                            \
     SET,                                                                                                              \
     PQCLEAN_##NAME##_CLEAN_CRYPTO_PUBLICKEYBYTES,                                                                     \
     PQCLEAN_##NAME##_CLEAN_CRYPTO_SECRETKEYBYTES,                                                                     \
     PQCLEAN_##NAME##_CLEAN_CRYPTO_CIPHERTEXTBYTES,                                                                    \
     PQCLEAN_##NAME##_CLEAN_CRYPTO_BYTES,                                                                              \
     PQCLEAN_##NAME##_CLEAN_crypto_kem_keypair,                                                                        \
     PQCLEAN_##NAME##_CLEAN_crypto_kem_enc,                                                                            \
     PQCLEAN_##NAME##_CLEAN_crypto_kem_dec},

const Functions all[] = {LATKEM_PQCLEAN_KEMS(FUNCTIONS)};

Drbg *generator; // NULL: it fails

// The sets of this build.
std::vector<Functions> built()
{
    std::vector<Functions> found;
    for (const Functions &f : all)
        if (latkem_kem_find(f.set.c_str())) found.push_back(f);
    return found;
}

TEST(PqClean, SizesAreTheLibrarys)
{
    size_t sets = 0;
    while (latkem_kem_at(sets)) sets++;
    EXPECT_EQ(built().size(), sets);
    for (const Functions &f : built()) {
        const latkem_kem *kem = latkem_kem_find(f.set.c_str());
        EXPECT_EQ(f.pk, latkem_ek_bytes(kem)) << f.set;
        EXPECT_EQ(f.sk, latkem_dk_bytes(kem)) << f.set;
        EXPECT_EQ(f.ct, latkem_ct_bytes(kem)) << f.set;
        EXPECT_EQ(f.ss, latkem_ss_bytes(kem)) << f.set;
    }
}

// The text that PQClean's nistkat program prints.
std::string nistkat(const Functions &f)
{
    Bytes entropy(48), pk(f.pk), sk(f.sk), ct(f.ct), ss(f.ss), opened(f.ss);
    std::iota(entropy.begin(), entropy.end(), uint8_t{0});
    const Bytes seed = Drbg(entropy).bytes(48);
    Drbg drbg(seed);
    generator = &drbg;
    EXPECT_EQ(f.keypair(pk.data(), sk.data()), 0);
    EXPECT_EQ(f.enc(ct.data(), ss.data(), pk.data()), 0);
    EXPECT_EQ(f.dec(opened.data(), ct.data(), sk.data()), 0);
    EXPECT_EQ(to_hex(opened), to_hex(ss));
    return "count = 0\nseed = " + to_upper_hex(seed) + "\npk = " + to_upper_hex(pk) + "\nsk = " + to_upper_hex(sk) +
           "\nct = " + to_upper_hex(ct) + "\nss = " + to_upper_hex(ss) + "\n";
}

TEST(PqClean, KnownAnswersArePqCleans)
{
    for (const Functions &f : built()) EXPECT_EQ(to_hex(sha256(nistkat(f))), digests.at(f.name)) << f.name;
}

TEST(PqClean, AFailureOfTheGeneratorIsPassedOn)
{
    generator = nullptr;
    for (const Functions &f : built()) {
        Bytes pk(f.pk, 1), sk(f.sk, 1);
        EXPECT_EQ(f.keypair(pk.data(), sk.data()), LATKEM_ERR_RNG) << f.set;
        EXPECT_EQ(to_hex(sk), to_hex(Bytes(f.sk))) << f.set;
    }
}

} // namespace

int PQCLEAN_randombytes(uint8_t *out, size_t len)
{
    return generator ? Drbg::callback(generator, out, len) : -1;
}
