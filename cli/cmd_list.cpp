// `latkem list`: the parameter sets and backends.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <latkem/backend.h>
#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp help = {"list", "[--json]", "Show the parameter sets and backends.",
                          R"(Sizes are in bytes: encapsulation key (ek), decapsulation key (dk), ciphertext
(ct), shared secret (ss) and key generation seed. A set marked "standard" is in
FIPS 203. One marked "research" is complete and tested, but is there to be
studied and compared, not for new deployments.

Examples:
  latkem list
  latkem list --json | jq -r '.sets[].name')",
                          "standard output could not be written"};

ordered_json describe(const latkem_kem *kem)
{
    return {{"name", latkem_kem_name(kem)},
            {"family", latkem_kem_family(kem)},
            {"standard", latkem_kem_is_standard(kem) == 1},
            {"level", latkem_kem_level(kem)},
            {"ek_bytes", latkem_ek_bytes(kem)},
            {"dk_bytes", latkem_dk_bytes(kem)},
            {"ct_bytes", latkem_ct_bytes(kem)},
            {"ss_bytes", latkem_ss_bytes(kem)},
            {"seed_bytes", latkem_seed_bytes(kem)}};
}

void print_json()
{
    ordered_json all = {{"version", latkem_version()}, {"backend", latkem_backend_name()}, {"backends", backends()}};
    for (const latkem_kem *kem : find_sets({})) all["sets"].push_back(describe(kem));
    print(all.dump(2) + "\n");
}

void print_table()
{
    print("SET                FAMILY     STATUS    LEVEL    EK    DK    CT  SS  SEED\n");
    for (const latkem_kem *kem : find_sets({}))
        print(format("%-18s %-10s %-9s %5d %5zu %5zu %5zu %3zu %5zu\n", latkem_kem_name(kem), latkem_kem_family(kem),
                     latkem_kem_is_standard(kem) ? "standard" : "research", latkem_kem_level(kem), latkem_ek_bytes(kem),
                     latkem_dk_bytes(kem), latkem_ct_bytes(kem), latkem_ss_bytes(kem), latkem_seed_bytes(kem)));
    print("\nbackends: " + join(backends()) + "; in use: " + latkem_backend_name() + "\n");
}

struct Options {
    std::string backend;
    bool json = false;
};

void list(const Options &options)
{
    use_backend(options.backend);
    options.json ? print_json() : print_table();
}

} // namespace

void add_list(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { list(*options); });
    add_backend(command, options->backend);
    add_json(command, options->json);
}
