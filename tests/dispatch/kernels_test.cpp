// Proves which kernels run: each operation of each set on each backend calls exactly the kernels that its definition
// asks for, through the table of the backend in force.
// SPDX-License-Identifier: Apache-2.0
#include "counting.h"
#include "harness/model/ntru.h"
#include "operations.h"

namespace
{

Names operator+(Names a, const Names &b)
{
    a.insert(b.begin(), b.end());
    return a;
}

class Dispatch : public Operations
{
  protected:
    void SetUp() override
    {
        Operations::SetUp();
        native_ = lk_backend_current();
        lk_backend_force(count_kernels(*native_));
    }

    // The kernels of each part of an operation, by the parameters of the set.
    bool is_90s() const
    {
        return set().family == Family::kyber_90s;
    }
    bool is_mlkem() const
    {
        return set().family == Family::mlkem;
    }

    bool is_saber() const
    {
        return set().family == Family::saber;
    }
    bool is_ntru() const
    {
        return set().family == Family::ntru;
    }
    std::string mu() const
    {
        return "mu" + std::to_string(set().ring.noise_bits);
    }

    Names keccak() const
    {
        return {"keccak.absorb", "keccak.permute", "keccak.squeeze"};
    }
    Names hash_h() const
    {
        return is_90s() ? Names{"sha2.sha256_compress"} : keccak();
    }
    Names hash_g() const
    {
        return is_90s() ? Names{"sha2.sha512_compress"} : keccak();
    }
    Names prf() const
    {
        return is_90s() ? Names{"aes.expand_key", "aes.ctr"}
                        : Names{"keccak.absorb_seed", "keccak.permute", "keccak.squeeze"};
    }

    Names matrix() const
    {
        const lk_q3329_kernels &ring = *native_->q3329;
        Names names = {ring.rej_uniform_lanes_vartime && !is_90s() ? "q3329.rej_uniform_lanes_vartime"
                                                                   : "q3329.rej_uniform_vartime"};
        if (ring.ntt_order) names.insert("q3329.ntt_order");
        if (is_90s()) return names + prf();
        names = names + Names{"keccak.absorb_seed", "keccak.permute"};
        return ring.rej_uniform_lanes_vartime ? names : names + Names{"keccak.squeeze"};
    }

    Names eta1() const
    {
        return {"q3329.cbd_eta" + std::to_string(set().ring.noise_bits / 2)};
    }
    std::string du() const
    {
        return "d" + std::to_string(set().ring.du);
    }
    std::string dv() const
    {
        return "d" + std::to_string(set().ring.dv);
    }

    // NTRU's randomness from the operating system.
    Names key_stream() const
    {
        return is_ntru() && native_->symmetric.aes->instructions ? Names{"aes.expand_key", "aes.ctr"} : Names{};
    }

    // Saber's work with a secret drawn from a seed: products with it and their rounding.
    Names saber_products() const
    {
        return keccak() + Names{"negacyclic.cbd_" + mu(), "negacyclic.evaluate_small", "negacyclic.inner_product",
                                "negacyclic.round_d10"};
    }

    // NTRU's packing is of as many bits as q has, and HPS and HRSS differ in the sampling and in what they do to m.
    std::string bits() const
    {
        return set().ring.q == 2048 ? "d11" : set().ring.q == 4096 ? "d12" : "d13";
    }
    Names hps_or_hrss(const Names &hps, const Names &hrss) const
    {
        return ntru::Parameters(set()).is_hrss ? hrss : hps;
    }
    Names fixed_type() const
    {
        return {"ternary.fixed_type_words", "ternary.sort", "ternary.words_to_trits"};
    }
    Names lift() const
    {
        return Names{"cyclic.from_trits"} + hps_or_hrss({}, {"ternary.lift_quotient", "cyclic.times_x_minus_1"});
    }

    // Backends that have these save a step of Newton's iteration.
    Names squares_mod4() const
    {
        return native_->cyclic->lift_inverse ? Names{"cyclic.lift_inverse", "cyclic.square_of_bits"} : Names{};
    }

    Names product_mod3() const
    {
        return native_->ternary->multiply ? Names{"ternary.multiply"} : Names{"cyclic.mod3"};
    }

    Names key_generation() const
    {
        if (is_ntru())
            return hps_or_hrss(fixed_type(), {"ternary.make_nonnegative", "cyclic.times_x_minus_1"}) + squares_mod4() +
                   Names{"ternary.sample_iid", "ternary.invert",       "ternary.pack",       "cyclic.from_trits",
                         "cyclic.evaluate",    "cyclic.product",       "cyclic.invert_mod2", "cyclic.two_minus",
                         "cyclic.mod_phi",     "cyclic.pack_" + bits()};
        if (is_saber())
            return saber_products() + Names{"negacyclic.unpack_d13", "negacyclic.evaluate", "negacyclic.pack_d13"};
        return hash_g() + matrix() + prf() + eta1() + hash_h() +
               Names{"q3329.ntt", "q3329.mulcache", "q3329.inner_product", "q3329.tomont",
                     "q3329.add", "q3329.reduce",   "q3329.encode_d12"};
    }

    // NTRU's keys of a group share their inversions, by products modulo 3 among others.
    Names shared_inversions() const
    {
        return is_ntru() ? product_mod3() : Names{};
    }

    Names encryption() const
    {
        if (is_ntru())
            return hps_or_hrss(fixed_type(), {}) + lift() + Names{"ternary.sample_iid", "ternary.pack",
                                                                  "cyclic.evaluate",    "cyclic.product",
                                                                  "cyclic.add",         "cyclic.pack_" + bits()};
        if (is_saber()) return saber_products() + Names{"negacyclic.encrypt_" + dv()};
        return prf() + eta1() + Names{"q3329.cbd_eta2",        "q3329.ntt",           "q3329.mulcache",
                                      "q3329.inner_product",   "q3329.invntt_tomont", "q3329.add",
                                      "q3329.decompress_d1",   "q3329.reduce",        "q3329.compress_" + du(),
                                      "q3329.compress_" + dv()};
    }

    // NTRU does not encrypt again.
    Names reencryption() const
    {
        return is_ntru() ? Names{} : encryption();
    }

    Names decryption() const
    {
        if (is_ntru())
            return hps_or_hrss({"ternary.weight_differs"}, {}) + lift() +
                   Names{"cyclic.unpack_" + bits(), "cyclic.sum_zero", "cyclic.evaluate",
                         "cyclic.product",          "cyclic.mod3",     "cyclic.sub",
                         "cyclic.mod_phi",          "cyclic.to_trits", "ternary.pack"} +
                   product_mod3();
        if (is_saber())
            return {"negacyclic.unpack_d10", "negacyclic.evaluate", "negacyclic.inner_product",
                    "negacyclic.decrypt_" + dv()};
        return {"q3329.decompress_" + du(), "q3329.decompress_" + dv(), "q3329.ntt",      "q3329.mulcache",
                "q3329.inner_product",      "q3329.invntt_tomont",      "q3329.sub_from", "q3329.reduce",
                "q3329.compress_d1"};
    }

    // ML-KEM hashes with G and J; Kyber with H, G and KDF, which in the 90s sets is H; NTRU with H.
    Names fujisaki_okamoto() const
    {
        return is_mlkem() ? hash_g() : hash_g() + hash_h();
    }

    Names ek_expansion() const
    {
        if (is_ntru()) return {"cyclic.unpack_" + bits(), "cyclic.sum_zero", "cyclic.evaluate"};
        if (is_saber())
            return keccak() + Names{"negacyclic.unpack_d13", "negacyclic.unpack_d10", "negacyclic.evaluate"};
        return Names{"q3329.decode_d12"} + matrix();
    }
    Names dk_expansion() const
    {
        if (is_ntru()) return {"ternary.unpack", "cyclic.from_trits", "cyclic.unpack_" + bits(), "cyclic.evaluate"};
        return ek_expansion() + (is_saber() ? Names{"negacyclic.evaluate_small"} : Names{});
    }
    Names hash_of_ek() const
    {
        return is_ntru() ? Names{} : hash_h();
    }
    Names dk_check() const
    {
        return is_mlkem() ? hash_h() : Names{};
    }

    const lk_backend *native_ = nullptr;
};

TEST_P(Dispatch, KeyGeneration)
{
    run_keypair();
    EXPECT_EQ(called_kernels(), key_generation());
}

TEST_P(Dispatch, Encapsulation)
{
    run_encaps();
    EXPECT_EQ(called_kernels(), ek_expansion() + hash_of_ek() + fujisaki_okamoto() + encryption());
}

TEST_P(Dispatch, Decapsulation)
{
    run_decaps();
    EXPECT_EQ(called_kernels(), dk_expansion() + dk_check() + fujisaki_okamoto() + decryption() + reencryption());
}

TEST_P(Dispatch, RejectionRunsTheSameKernels)
{
    run_decaps();
    const Names accepting = called_kernels();
    forget_calls();
    run_decaps_rejecting();
    EXPECT_EQ(called_kernels(), accepting);
}

TEST_P(Dispatch, CheckEk)
{
    run_check_ek();
    EXPECT_EQ(called_kernels(), is_mlkem() ? Names{"q3329.decode_d12"} : Names{});
}

TEST_P(Dispatch, CheckDk)
{
    run_check_dk();
    EXPECT_EQ(called_kernels(), dk_check());
}

TEST_P(Dispatch, PrepareEk)
{
    run_prepare_ek();
    EXPECT_EQ(called_kernels(), ek_expansion() + hash_of_ek());
}

TEST_P(Dispatch, PrepareDk)
{
    run_prepare_dk();
    EXPECT_EQ(called_kernels(), dk_expansion() + dk_check());
}

TEST_P(Dispatch, EncapsulationWithAPreparedKey)
{
    run_prepare_ek();
    forget_calls();
    run_encaps_prepared();
    EXPECT_EQ(called_kernels(), key_stream() + fujisaki_okamoto() + encryption());
}

TEST_P(Dispatch, DecapsulationWithAPreparedKey)
{
    run_prepare_dk();
    forget_calls();
    run_decaps_prepared();
    EXPECT_EQ(called_kernels(), fujisaki_okamoto() + decryption() + reencryption());
}

TEST_P(Dispatch, Batches)
{
    run_keypair_batch();
    EXPECT_EQ(called_kernels(), key_stream() + key_generation() + shared_inversions());
    forget_calls();
    run_encaps_batch();
    EXPECT_EQ(called_kernels(), key_stream() + ek_expansion() + hash_of_ek() + fujisaki_okamoto() + encryption());
    forget_calls();
    run_decaps_batch();
    EXPECT_EQ(called_kernels(), dk_expansion() + dk_check() + fujisaki_okamoto() + decryption() + reencryption());
}

// A prepared key stays with the backend that prepared it, as its polynomials are in that backend's order.
TEST_P(Dispatch, PreparedKeysKeepTheirBackend)
{
    run_encaps_prepared(); // prepared before the counting backend came
    run_decaps_prepared();
    EXPECT_EQ(called_kernels(), Names{});
}

LATKEM_FOR_EVERY_CASE(Dispatch);

} // namespace
