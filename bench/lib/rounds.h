// How operations and kernels are timed: in rounds. In each round every row is timed once, for one small block of calls,
// in a new random order; a block that was disturbed is timed again. docs/benchmarking.md says why.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_ROUNDS_H
#define LATKEM_BENCH_ROUNDS_H

#include <functional>
#include <string>
#include <vector>

#include "report_main.h"

// One thing that is timed. Its functions throw std::runtime_error where a result is wrong.
struct Row {
    std::string name;
    size_t items = 1;                                    // operations done by one call
    std::function<void()> prepare;                       // before each block; not timed
    std::function<void(size_t first, size_t calls)> run; // calls on the inputs first, first + 1, ...: the block
    std::function<void(size_t last)> verify;             // after each block; not timed
};

// The main function of a program that times rows: report_main with --seconds and --filter. The report has rounds, seconds,
// what was disturbed, and in "rows" each row's name, calls of a block, nanoseconds of one operation in each round (null
// where every attempt was disturbed), cycles where they are counted, or its error; with an error the status is 1.
int rounds_main(int argc, char **argv, const std::string &title,
                const std::function<std::vector<Row>(const Options &)> &make_rows,
                const std::function<void(CLI::App &)> &add_options = nullptr);

#endif
