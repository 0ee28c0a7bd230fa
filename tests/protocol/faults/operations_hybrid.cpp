// The hybrids' operations: see operations.h. SPDX-License-Identifier: Apache-2.0
#include "opened_hybrid.h"
#include "operations.h"

namespace
{

// A hybrid with what its operations need. Batches are of two. Only seed, coins and what follows from them depend on the
// number: ek and ct are the peer's, of number 1.
struct Inputs {
    std::shared_ptr<const OpenedHybrid> opened; // or none
    const latkem_kem *kem;
    std::string name;
    Bytes seed, coins, ek, dk, ct, ss, prepared_ek, prepared_dk;
    std::vector<Bytes> shares;

    Inputs(const latkem_kem *of, bool open, int number)
        : opened(open ? std::make_shared<const OpenedHybrid>(of, nullptr) : nullptr), kem(open ? opened->kem : of),
          name((open ? "opened " : "") + std::string(latkem_kem_name(of))),
          seed(secret("seed", latkem_seed_bytes(of), number)), coins(secret("coins", latkem_coins_bytes(of), number)),
          ek(latkem_ek_bytes(of)), dk(latkem_dk_bytes(of)), ct(latkem_ct_bytes(of)), ss(latkem_ss_bytes(of)),
          prepared_ek(latkem_prepared_ek_bytes(of)), prepared_dk(latkem_prepared_dk_bytes(of))
    {
        EXPECT_EQ(make(secret("seed", seed.size(), 1), secret("coins", coins.size(), 1)), 0) << name;
    }

  private:
    int make(const Bytes &peer_seed, const Bytes &peer_coins)
    {
        Bytes own_ek(ek.size()), own_ct(ct.size());
        int error = latkem_keypair_derand(kem, ek.data(), dk.data(), peer_seed.data(), peer_seed.size());
        if (!error) error = encapsulate(ct, peer_coins);
        if (!error) error = encapsulate(own_ct, coins);
        if (!error) error = latkem_keypair_derand(kem, own_ek.data(), dk.data(), seed.data(), seed.size());
        if (!error) error = latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
        if (!error) error = latkem_prepare_ek(kem, prepared_ek.data(), ek.data(), ek.size());
        if (!error) error = latkem_prepare_dk(kem, prepared_dk.data(), dk.data(), dk.size());
        shares = {share_in(kem, own_ek), share_in(kem, own_ct)};
        return error;
    }

    int encapsulate(Bytes &to, const Bytes &with)
    {
        return latkem_encaps_derand(kem, to.data(), ss.data(), ek.data(), ek.size(), with.data(), with.size());
    }
};

using Shared = std::shared_ptr<const Inputs>;
using Secret = std::vector<std::pair<std::string, Bytes>>;

// The secrets that grow from the seed and the coins: scalars of the group, and ML-KEM's seed and shared secret.
Secret inner_secrets(const Inputs &in)
{
    const bool large = in.name.find("1024") != std::string::npos, is_seed = in.dk.size() == 32;
    const latkem_kem *mlkem = latkem_kem_find(large ? "ML-KEM-1024" : "ML-KEM-768");
    const Bytes seed = is_seed ? shake256(in.seed, 64 + in.coins.size() - 32) : in.seed;
    const Bytes d_z = slice(seed, 0, 64), m = slice(in.coins, 0, 32);
    const size_t scalar = in.coins.size() - 32 == 48 ? 48 : 32;
    Bytes ek(latkem_ek_bytes(mlkem)), dk(latkem_dk_bytes(mlkem)), ct(latkem_ct_bytes(mlkem)), ss(32);
    int error = latkem_keypair_derand(mlkem, ek.data(), dk.data(), d_z.data(), d_z.size());
    if (!error) error = latkem_encaps_derand(mlkem, ct.data(), ss.data(), ek.data(), ek.size(), m.data(), m.size());
    EXPECT_EQ(error, 0) << in.name;
    Operation with{};
    add_dk(with, "ML-KEM's", dk);
    with.secrets.insert(with.secrets.end(), {{"seed", in.seed},
                                             {"ML-KEM's seed", d_z},
                                             {"the scalar", slice(seed, 64, scalar)},
                                             {"m", m},
                                             {"the ephemeral scalar", slice(in.coins, 32, scalar)},
                                             {"ML-KEM's ss", ss},
                                             {"ss", in.ss}});
    return with.secrets;
}

bool has_points(const latkem_kem *kem)
{
    return share_in(kem, Bytes(latkem_ek_bytes(kem))).size() > 32;
}

// AWS-LC's curves are constants, and its X25519 is functions without objects. That for a share cannot fail.
#ifdef OPENSSL_IS_AWSLC
constexpr bool makes_objects = false;
#else
constexpr bool makes_objects = true;
#endif

// A share of X25519 is checked without libcrypto, and a dk that is no seed.
bool calls_libcrypto(const Inputs &in, const std::string &name)
{
    if (name == "check_ek" || name == "prepare_ek") return has_points(in.kem);
    if (in.dk.size() == 32) return true;
    if (!makes_objects && name.rfind("keypair", 0) == 0) return has_points(in.kem);
    return name != "check_dk" && name != "prepare_dk";
}

bool takes_memory(const Inputs &in, const std::string &name)
{
    return calls_libcrypto(in, name) && (makes_objects || has_points(in.kem) || in.dk.size() == 32);
}

void add_one(std::vector<Operation> &all, const Shared &in, const std::string &name, const Operation &operation)
{
    all.push_back(operation);
    all.back().calls_libcrypto = calls_libcrypto(*in, name);
    all.back().takes_memory = takes_memory(*in, name);
    all.back().name = in->name + " " + name;
    all.back().secrets = inner_secrets(*in);
    all.back().shares = in->shares;
}

void add_key_operations(std::vector<Operation> &all, const Shared &in)
{
    add_one(all, in, "keypair", {"", {in->ek.size(), in->dk.size()}, [in](Outputs &out) {
                                     return latkem_keypair_derand(in->kem, out[0].data(), out[1].data(),
                                                                  in->seed.data(), in->seed.size());
                                 }});
    add_one(
        all, in, "check_ek",
        {"", {}, [in](Outputs &) { return latkem_check_ek(in->kem, in->ek.data(), in->ek.size()); }, LATKEM_ERR_EK});
    add_one(
        all, in, "check_dk",
        {"", {}, [in](Outputs &) { return latkem_check_dk(in->kem, in->dk.data(), in->dk.size()); }, LATKEM_ERR_DK});
    add_one(all, in, "prepare_ek",
            {"",
             {in->prepared_ek.size()},
             [in](Outputs &out) { return latkem_prepare_ek(in->kem, out[0].data(), in->ek.data(), in->ek.size()); },
             LATKEM_ERR_EK});
    add_one(all, in, "prepare_dk",
            {"",
             {in->prepared_dk.size()},
             [in](Outputs &out) { return latkem_prepare_dk(in->kem, out[0].data(), in->dk.data(), in->dk.size()); },
             LATKEM_ERR_DK});
}

void add_secret_operations(std::vector<Operation> &all, const Shared &in)
{
    add_one(all, in, "encaps",
            {"",
             {in->ct.size(), in->ss.size()},
             [in](Outputs &out) {
                 return latkem_encaps_derand(in->kem, out[0].data(), out[1].data(), in->ek.data(), in->ek.size(),
                                             in->coins.data(), in->coins.size());
             },
             LATKEM_ERR_EK});
    add_one(all, in, "encaps_prepared",
            {"",
             {in->ct.size(), in->ss.size()},
             [in](Outputs &out) {
                 RecordingRng rng{in->coins};
                 return latkem_encaps_prepared_rng(in->kem, out[0].data(), out[1].data(), in->prepared_ek.data(),
                                                   RecordingRng::fill, &rng);
             },
             LATKEM_ERR_EK});
    add_one(all, in, "decaps",
            {"",
             {in->ss.size()},
             [in](Outputs &out) {
                 return latkem_decaps(in->kem, out[0].data(), in->ct.data(), in->ct.size(), in->dk.data(),
                                      in->dk.size());
             },
             LATKEM_ERR_CT});
    add_one(all, in, "decaps_prepared",
            {"",
             {in->ss.size()},
             [in](Outputs &out) {
                 return latkem_decaps_prepared(in->kem, out[0].data(), in->ct.data(), in->ct.size(),
                                               in->prepared_dk.data());
             },
             LATKEM_ERR_CT});
}

// Of a set with points: one of ct, and one of ek, that is not on its curve.
void add_refused_shares(std::vector<Operation> &all, const Shared &in)
{
    const Bytes ct = with_bad_share(in->kem, in->ct), ek = with_bad_share(in->kem, in->ek);
    Operation decaps{"",
                     {in->ss.size()},
                     [in, ct](Outputs &out) {
                         return latkem_decaps(in->kem, out[0].data(), ct.data(), ct.size(), in->dk.data(),
                                              in->dk.size());
                     },
                     LATKEM_ERR_CT};
    Operation encaps{"",
                     {in->ct.size(), in->ss.size()},
                     [in, ek](Outputs &out) {
                         return latkem_encaps_derand(in->kem, out[0].data(), out[1].data(), ek.data(), ek.size(),
                                                     in->coins.data(), in->coins.size());
                     },
                     LATKEM_ERR_EK};
    decaps.result = decaps.refusal;
    encaps.result = encaps.refusal;
    add_one(all, in, "decaps of a point off the curve", decaps);
    add_one(all, in, "encaps to a point off the curve", encaps);
}

// An output of a batch, as two.
void part(const Bytes &both, Bytes &first, Bytes &second)
{
    first = slice(both, 0, both.size() / 2);
    second = slice(both, both.size() / 2, both.size() / 2);
}

void add_batches(std::vector<Operation> &all, const Shared &in)
{
    const size_t ek = in->ek.size(), dk = in->dk.size(), ct = in->ct.size(), ss = in->ss.size();
    Operation keypairs{"", {ek, ek, dk, dk}, [=](Outputs &out) {
                           Bytes eks(2 * ek, 0xaa), dks(2 * dk, 0xaa);
                           RecordingRng rng{in->seed + in->seed};
                           const int error = latkem_keypair_batch_rng(in->kem, 2, eks.data(), dks.data(),
                                                                      RecordingRng::fill, &rng);
                           part(eks, out[0], out[1]);
                           part(dks, out[2], out[3]);
                           return error;
                       }};
    Operation encaps{"",
                     {ct, ct, ss, ss},
                     [=](Outputs &out) {
                         Bytes cts(2 * ct, 0xaa), sss(2 * ss, 0xaa);
                         const Bytes eks = in->ek + in->ek;
                         RecordingRng rng{in->coins + in->coins};
                         const int error = latkem_encaps_batch_rng(in->kem, 2, cts.data(), sss.data(), eks.data(),
                                                                   RecordingRng::fill, &rng);
                         part(cts, out[0], out[1]);
                         part(sss, out[2], out[3]);
                         return error;
                     },
                     LATKEM_ERR_EK};
    Operation decaps{"",
                     {ss, ss},
                     [=](Outputs &out) {
                         Bytes sss(2 * ss, 0xaa);
                         const Bytes cts = in->ct + in->ct, dks = in->dk + in->dk;
                         const int error = latkem_decaps_batch(in->kem, 2, sss.data(), cts.data(), dks.data());
                         part(sss, out[0], out[1]);
                         return error;
                     },
                     LATKEM_ERR_CT};
    keypairs.apart = encaps.apart = decaps.apart = true;
    add_one(all, in, "keypair_batch", keypairs);
    add_one(all, in, "encaps_batch", encaps);
    add_one(all, in, "decaps_batch", decaps);
}

// The opening of a hybrid, which is closed again: its storage is zeroed either way.
void add_opening(std::vector<Operation> &all, const latkem_kem *hybrid)
{
    const auto kem = std::make_shared<const latkem_kem *>(nullptr);
    Operation open{"opening of " + std::string(latkem_kem_name(hybrid)), {latkem_hybrid_bytes()}, [=](Outputs &out) {
                       const int error = latkem_hybrid_open(kem.get(), out[0].data(), hybrid, nullptr);
                       if (!error) latkem_hybrid_close(out[0].data());
                       return error;
                   }};
    open.fault = [=] { return std::string(*kem ? "there is a hybrid" : ""); };
    open.calls_libcrypto = has_points(hybrid);
    open.takes_memory = makes_objects && has_points(hybrid);
    all.push_back(open);
}

void add_operations(std::vector<Operation> &all, const Shared &in)
{
    add_key_operations(all, in);
    add_secret_operations(all, in);
    add_batches(all, in);
    if (has_points(in->kem)) add_refused_shares(all, in);
}

} // namespace

// Of opened hybrids only those with points, because X25519 keeps nothing.
void add_hybrids(std::vector<Operation> &all, int number)
{
    for (size_t i = 0; latkem_hybrid_at(i); i++) {
        add_opening(all, latkem_hybrid_at(i));
        add_operations(all, std::make_shared<const Inputs>(latkem_hybrid_at(i), false, number));
    }
    for (const char *name : {"SecP256r1MLKEM768", "MLKEM1024-P384"})
        add_operations(all, std::make_shared<const Inputs>(latkem_hybrid_find(name), true, number));
}
