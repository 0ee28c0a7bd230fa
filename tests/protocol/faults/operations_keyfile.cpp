// Reading and writing key files as operations: see operations.h. SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>

#include "kem_test.h"
#include "operations.h"

namespace
{

// A set with a key pair and its two files. Of ML-KEM the private one has the seed and dk.
struct Inputs {
    const latkem_kem *kem;
    std::string name;
    int form;
    Bytes seed, ek, dk;
    Bytes public_file = Bytes(LATKEM_PUBLIC_KEY_DER_MAX), private_file = Bytes(LATKEM_PRIVATE_KEY_DER_MAX);

    Inputs(const latkem_kem *of, int wanted, int number)
        : kem(of), name(latkem_kem_name(of)), form(wanted), seed(secret("seed", latkem_seed_bytes(of), number)),
          ek(latkem_ek_bytes(of)), dk(latkem_dk_bytes(of))
    {
        size_t public_len = public_file.size(), private_len = private_file.size();
        int error = latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size());
        if (!error) error = latkem_public_key_write(kem, public_file.data(), &public_len, ek.data(), ek.size());
        if (!error)
            error = latkem_private_key_write(kem, form, private_file.data(), &private_len, seed.data(), seed.size());
        EXPECT_EQ(error, 0) << name;
        public_file.resize(public_len);
        private_file.resize(private_len);
    }
};

using Shared = std::shared_ptr<const Inputs>;

void add_public(std::vector<Operation> &all, const Shared &in)
{
    all.push_back({in->name + " public_key_write",
                   {in->public_file.size()},
                   [in](Outputs &out) {
                       size_t len = out[0].size();
                       return latkem_public_key_write(in->kem, out[0].data(), &len, in->ek.data(), in->ek.size());
                   },
                   LATKEM_ERR_EK});
    all.push_back({in->name + " public_key_read",
                   {in->ek.size()},
                   [in](Outputs &out) {
                       const latkem_kem *kem = nullptr;
                       size_t len = out[0].size();
                       return latkem_public_key_read(&kem, out[0].data(), &len, in->public_file.data(),
                                                     in->public_file.size());
                   },
                   LATKEM_ERR_EK});
}

void add_private(std::vector<Operation> &all, const Shared &in)
{
    all.push_back({in->name + " private_key_write",
                   {in->private_file.size()},
                   [in](Outputs &out) {
                       size_t len = out[0].size();
                       return latkem_private_key_write(in->kem, in->form, out[0].data(), &len, in->seed.data(),
                                                       in->seed.size());
                   },
                   LATKEM_ERR_DK});
    all.push_back({in->name + " private_key_read",
                   {in->seed.size(), in->dk.size()},
                   [in](Outputs &out) {
                       const latkem_kem *kem = nullptr;
                       int form = 0;
                       size_t seed_len = out[0].size(), dk_len = out[1].size();
                       return latkem_private_key_read(&kem, &form, out[0].data(), &seed_len, out[1].data(), &dk_len,
                                                      in->private_file.data(), in->private_file.size());
                   },
                   LATKEM_ERR_DK});
}

} // namespace

void add_keyfiles(std::vector<Operation> &all, int number)
{
    const std::pair<const latkem_kem *, int> sets[] = {{latkem_kem_find("ML-KEM-768"), LATKEM_FORM_BOTH},
                                                       {latkem_hybrid_find("X-Wing"), LATKEM_FORM_SEED}};
    for (const auto &[kem, form] : sets) {
        const auto in = std::make_shared<const Inputs>(kem, form, number);
        const size_t before = all.size();
        add_public(all, in);
        add_private(all, in);
        for (size_t i = before; i < all.size(); i++) {
            all[i].secrets = {{"seed", in->seed}};
            all[i].shares = {share_in(in->kem, in->ek)};
            if (in->name != "X-Wing") add_dk(all[i], "ML-KEM's", in->dk);
            all[i].calls_libcrypto = all[i].takes_memory = false;
        }
    }
}
