// A clocked model under test and the chances that its streams pause. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_BENCH_H
#define LATKEM_HW_BENCH_H

#include <cstdint>
#include <memory>
#include <random>

#include "verilated.h"
#ifdef LATKEM_HW_COVERAGE
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "verilated_cov.h"

inline unsigned models_counted = 0; // of all kinds
#endif

// `Model` has clk_i and, where it has state to reset, rst_ni. Inputs are set between steps; outputs are read after one.
template <class Model> class Bench
{
  public:
    Bench() : model(std::make_unique<Model>(&context_))
    {
        model->clk_i = 0;
        model->eval();
    }

#ifdef LATKEM_HW_COVERAGE
    // A file of its own for what each model counted.
    ~Bench()
    {
        const std::string name = std::to_string(getpid()) + '-' + std::to_string(models_counted++) + ".dat";
        const char *folder = std::getenv("LATKEM_HW_COUNTS");
        if (folder != nullptr) context_.coveragep()->write((std::string(folder) + '/' + name).c_str());
    }
#endif

    // One rising edge. The edge samples the values set before it.
    void step()
    {
        model->eval();
        model->clk_i = 1;
        model->eval();
        context_.timeInc(1);
        model->clk_i = 0;
        model->eval();
        context_.timeInc(1);
        ++edges;
    }

    void reset()
    {
        model->rst_ni = 0;
        step();
        step();
        model->rst_ni = 1;
        model->eval();
    }

    // True in `percent` of the calls; the sequence is the same in every run.
    bool chance(unsigned percent)
    {
        return random() % 100 < percent;
    }

    VerilatedContext context_;
    std::unique_ptr<Model> model;
    std::mt19937_64 random{20240813};
    uint64_t edges = 0;
};

#endif
