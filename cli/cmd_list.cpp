// `latkem list`: the parameter sets and backends, or the kernels.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <latkem/backend.h>
#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "sets.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp help = {"list", "[--kernels] [--json]", "Show the parameter sets and backends, or the kernels.",
                          R"(Sizes are in bytes: encapsulation key (ek), decapsulation key (dk), ciphertext
(ct), shared secret (ss) and key generation seed. A set marked "standard" is in
FIPS 203. One marked "research" is complete and tested, but is there to be
studied and compared, not for new deployments.

Hybrids are ML-KEM beside an elliptic curve. Those of RFC 10024 are for TLS, which
hashes their secret; X-Wing and its kin, of Internet-Drafts, hash it themselves.

--kernels shows what each backend that this CPU can run has for each kernel:
"native" code, written for the machine; "recompiled", the portable C compiled for
the backend's instructions; the "portable" function; or "none".

Examples:
  latkem list
  latkem list --json | jq -r '.sets[].name'
  latkem list --kernels)",
                          "standard output could not be written"};

ordered_json describe(const latkem_kem *kem)
{
    return {{"name", latkem_kem_name(kem)},
            {"family", latkem_kem_family(kem)},
            {"standard", latkem_kem_is_standard(kem) == 1},
            {"standing", standing(kem)},
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

std::string status(const latkem_kem *kem)
{
    return is_mlkem(kem) ? "standard" : standing(kem);
}

void print_table()
{
    print("SET                FAMILY     STATUS    LEVEL    EK    DK    CT  SS  SEED\n");
    for (const latkem_kem *kem : find_sets({}))
        print(format("%-18s %-10s %-9s %5d %5zu %5zu %5zu %3zu %5zu\n", latkem_kem_name(kem), latkem_kem_family(kem),
                     status(kem).c_str(), latkem_kem_level(kem), latkem_ek_bytes(kem), latkem_dk_bytes(kem),
                     latkem_ct_bytes(kem), latkem_ss_bytes(kem), latkem_seed_bytes(kem)));
    print("\nbackends: " + join(backends()) + "; in use: " + latkem_backend_name() + "\n");
}

// The code that each backend runs for a kernel.
ordered_json origins(size_t kernel)
{
    ordered_json all;
    for (const std::string &backend : backends()) all[backend] = latkem_kernel_origin(kernel, backend.c_str());
    return all;
}

void print_kernels_json()
{
    ordered_json all = {{"version", latkem_version()}, {"backends", backends()}};
    for (size_t i = 0; latkem_kernel_at(i) != nullptr; i++)
        all["kernels"].push_back({{"name", latkem_kernel_at(i)}, {"origin", origins(i)}});
    print(all.dump(2) + "\n");
}

std::string row(const std::string &name, const std::vector<std::string> &columns)
{
    std::string line = format("%-32s", name.c_str());
    for (const std::string &column : columns) line += format(" %-10s", column.c_str());
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

void print_kernels()
{
    print(row("KERNEL", backends()));
    for (size_t i = 0; latkem_kernel_at(i) != nullptr; i++) {
        std::vector<std::string> columns;
        for (const std::string &backend : backends()) columns.emplace_back(latkem_kernel_origin(i, backend.c_str()));
        print(row(latkem_kernel_at(i), columns));
    }
}

struct Options {
    std::string backend;
    bool json = false, kernels = false;
};

void list(const Options &options)
{
    use_backend(options.backend);
    if (options.kernels)
        options.json ? print_kernels_json() : print_kernels();
    else
        options.json ? print_json() : print_table();
}

} // namespace

void add_list(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { list(*options); });
    add_backend(command, options->backend);
    add_flag(command, "--kernels", options->kernels, "Show what each backend runs for each kernel");
    add_json(command, options->json);
}
