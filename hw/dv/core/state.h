// The whole state of a simulated model as bytes, to be searched and compared. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_STATE_H
#define LATKEM_HW_STATE_H

#include <gtest/gtest.h>

#include <string>

// Models that count what they reach cannot write their state: tests of it say so and end.
#ifdef LATKEM_HW_COVERAGE
#define LATKEM_NEEDS_STATE() GTEST_SKIP() << "models with counters do not save their state"

template <class Model> std::string state_bytes(Model &)
{
    return {};
}
#else
#define LATKEM_NEEDS_STATE() static_cast<void>(0)

#include "verilated_save.h"

// A verilated model writes itself, as for a file.
class StateBytes final : public VerilatedSerialize
{
  public:
    void flush() override
    {
        bytes.append(reinterpret_cast<const char *>(m_bufp), static_cast<size_t>(m_cp - m_bufp));
        m_cp = m_bufp;
    }

    std::string bytes;
};

template <class Model> std::string state_bytes(Model &model)
{
    StateBytes state;
    state << model;
    state.flush();
    return state.bytes;
}
#endif

// The state while the core's inputs are zero: what a request left on the wires is no state.
template <class Model> std::string state_of(Model &model)
{
    model.s_axis_tdata = 0;
    model.s_axis_tlast = model.s_axis_tvalid = model.m_axis_tready = 0;
    model.eval();
    return state_bytes(model);
}

#endif
