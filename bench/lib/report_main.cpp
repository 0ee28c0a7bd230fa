// The command line of the benchmark programs: see report_main.h. SPDX-License-Identifier: Apache-2.0
#include "report_main.h"

#include <latkem/backend.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "machine.h"

namespace
{

std::vector<std::string> set_names()
{
    std::vector<std::string> names;
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++) names.push_back(latkem_kem_name(kem));
    return names;
}

std::vector<std::string> backend_names()
{
    std::vector<std::string> names;
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) names.push_back(name);
    return names;
}

void write(const nlohmann::ordered_json &report, const std::string &path)
{
    std::ofstream file;
    if (!path.empty()) file.open(path);
    std::ostream &out = path.empty() ? std::cout : file;
    out << report.dump(1) << std::endl;
    if (!out) throw std::runtime_error("cannot write " + (path.empty() ? "to standard output" : path));
}

} // namespace

int report_main(int argc, char **argv, const std::string &title, unsigned rounds,
                const std::function<void(const Options &, nlohmann::ordered_json &)> &fill,
                const std::function<void(CLI::App &)> &add_options)
{
    CLI::App app(title);
    Options options;
    options.rounds = rounds;
    std::vector<std::string> sets = set_names();
    options.backends = backend_names();
    std::string out;
    app.add_option("--set", sets, "Only these parameter sets")->check(CLI::IsMember(set_names()));
    app.add_option("--backend", options.backends, "Only these backends")->check(CLI::IsMember(backend_names()));
    app.add_option("--rounds", options.rounds, "Rounds of each measurement")
        ->capture_default_str()
        ->check(CLI::Range(1u, 100000u));
    app.add_option("--pin", options.core, "Stay on this core")->envname("LATKEM_BENCH_PIN");
    app.add_option("--out", out, "Write the JSON here instead of to standard output");
    if (add_options) add_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    for (const std::string &name : sets) options.sets.push_back(latkem_kem_find(name.c_str()));
    try {
        if (options.core >= 0) pin_to_core(options.core);
        nlohmann::ordered_json report;
        for (const auto &[name, value] : machine_context()) report["context"][name] = value;
        report["context"]["pinned_to_core"] = options.core < 0 ? "no" : std::to_string(options.core);
        fill(options, report);
        write(report, out);
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}
