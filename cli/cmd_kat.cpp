// `latkem kat`: the NIST known-answer file of a set.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "failure.h"
#include "kat.h"
#include "sets.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp help = {"kat", "SET [--count N] [--json]", "Print known answers as NIST's generator does.",
                          R"(Prints the .rsp file that the official reference code's PQCgenKAT program
writes, byte for byte. The randomness is the AES-256-CTR DRBG of that program, so
every key in it is public. Each ciphertext is decapsulated too; a shared secret
that differs ends the command. The ML-KEM files begin with "# Kyber512" and so
on, because the reference code kept that name. Hybrids have no such file.

Examples:
  latkem kat ML-KEM-768 | sha256sum
  latkem kat Kyber512-90s --count 1)",
                          "decapsulation disagreed, or standard output could not be written"};

struct Options {
    std::string set, backend;
    unsigned count = kat_entries;
    bool json = false;
};

ordered_json describe(const KatEntry &entry)
{
    auto hex = [](const auto &bytes) { return upper_hex(bytes.data(), bytes.size()); };
    return {{"count", entry.count}, {"seed", hex(entry.seed)}, {"pk", hex(entry.ek)},
            {"sk", hex(entry.dk)},  {"ct", hex(entry.ct)},     {"ss", hex(entry.ss)}};
}

void print_json(const latkem_kem *kem, unsigned count)
{
    ordered_json all = {{"set", latkem_kem_name(kem)}, {"header", kat_file(kem).header}};
    KatSequence sequence(kem);
    for (unsigned i = 0; i < count; i++) all["entries"].push_back(describe(sequence.next()));
    print(all.dump(2) + "\n");
}

void print_rsp(const latkem_kem *kem, unsigned count)
{
    print(rsp_head(kat_file(kem)));
    KatSequence sequence(kem);
    for (unsigned i = 0; i < count; i++) print(rsp_record(sequence.next()));
}

void kat(const Options &options)
{
    const latkem_kem *kem = find_set(options.set);
    if (is_hybrid(kem))
        misuse(options.set, "NIST's known-answer files have no hybrid; 'latkem selftest' checks its published answers");
    use_backend(options.backend);
    options.json ? print_json(kem, options.count) : print_rsp(kem, options.count);
}

} // namespace

void add_kat(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { kat(*options); });
    add_set(command, options->set);
    add_number(command, "--count", options->count, 1000000, "number of entries (default: 100, the official file)");
    add_backend(command, options->backend);
    add_json(command, options->json);
}
