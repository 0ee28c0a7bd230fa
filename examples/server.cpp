// A server prepares its private key once and serves many clients with it; latkem in C++.
// c++ server.cpp $(pkg-config --cflags --libs latkem). SPDX-License-Identifier: Apache-2.0
#include <latkem/prepared.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <vector>

using Bytes = std::vector<uint8_t>;

// The functions return error codes; here they become exceptions.
void check(int error)
{
    if (error != LATKEM_OK) throw std::runtime_error(latkem_strerror(error));
}

// A private key, checked and expanded once. The storage must be aligned like std::max_align_t.
class Server
{
  public:
    Server(const latkem_kem *kem, const Bytes &dk)
        : kem_(kem), key_(latkem_prepared_dk_bytes(kem) / sizeof(std::max_align_t) + 1)
    {
        check(latkem_prepare_dk(kem_, key_.data(), dk.data(), dk.size()));
    }
    // Any number of threads may use the key at a time.
    Bytes accept(const Bytes &ct) const
    {
        Bytes ss(latkem_ss_bytes(kem_));
        check(latkem_decaps_prepared(kem_, ss.data(), ct.data(), ct.size(), key_.data()));
        return ss;
    }

  private:
    const latkem_kem *kem_;
    std::vector<std::max_align_t> key_; // secret: a program that lives on wipes it
};

int main()
try {
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    Bytes ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    check(latkem_keypair(kem, ek.data(), dk.data()));
    const Server server(kem, dk);
    for (int client = 1; client <= 3; client++) {
        Bytes ct(latkem_ct_bytes(kem)), ss(latkem_ss_bytes(kem));
        check(latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()));
        if (server.accept(ct) != ss) throw std::runtime_error("the secrets differ");
        std::cout << "client " << client << " and the server agree\n";
    }
} catch (const std::exception &error) {
    std::cerr << "server: " << error.what() << "\n";
    return 1;
}
