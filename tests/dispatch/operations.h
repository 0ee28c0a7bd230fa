// Every operation of the public API, ready to be run on a parameter set.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_OPERATIONS_H
#define LATKEM_TESTS_OPERATIONS_H

#include <memory>

#include "parts.h"

// The fixture: a key pair, its ciphertext, and both keys prepared. Each function runs one operation once.
class Operations : public KemTest
{
  protected:
    void SetUp() override;

    // New keys and everything that follows from them; `number` distinguishes seeds.
    void make_keys(unsigned number);

    void run_keypair();
    void run_encaps();
    void run_decaps();
    void run_decaps_rejecting();
    void run_check_ek();
    void run_check_dk();
    void run_prepare_ek();
    void run_prepare_dk();
    void run_encaps_prepared();
    void run_decaps_prepared();

    // Of sets with parts.
    void run_ek_split();
    void run_ek_join();
    void run_encaps1();
    void run_encaps2();

    static constexpr size_t batch = 11; // more than the lanes of any backend, and no multiple of them
    void run_keypair_batch();
    void run_encaps_batch();
    void run_decaps_batch();

    KeyPair keys;
    Encapsulation encapsulation;

  private:
    Bytes seed_, coins_, altered_;
    KeyParts parts_;
    FirstPart first_;
    std::unique_ptr<Prepared> prepared_ek_, prepared_dk_;
};

#endif
