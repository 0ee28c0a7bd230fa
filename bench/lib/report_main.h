// The command line and the output of the benchmark programs.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_REPORT_MAIN_H
#define LATKEM_BENCH_REPORT_MAIN_H

#include <latkem/latkem.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

struct Options {
    std::vector<const latkem_kem *> sets; // all, or the chosen ones
    std::vector<std::string> backends;
    unsigned rounds = 0;
    int core = -1; // that the process stays on, or -1
};

// report_main parses the options, pins to a core where asked, has fill add its results to a JSON object that holds
// "context", and writes it to --out or standard output. rounds is the default of --rounds; add_options adds what
// the program has beyond Options. Returns main's exit status: 2 for wrong use, 1 where fill threw an exception or the
// output could not be written.
int report_main(int argc, char **argv, const std::string &title, unsigned rounds,
                const std::function<void(const Options &, nlohmann::ordered_json &)> &fill,
                const std::function<void(CLI::App &)> &add_options = nullptr);

#endif
