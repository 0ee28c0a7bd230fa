// The whole state of a simulated model as bytes, to be searched and compared. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_STATE_H
#define LATKEM_HW_STATE_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>

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

// The state while the core's inputs are zero: what a request left on the wires is no state, nor are Verilator's
// variables that clear_temporaries clears.
template <class Model> std::string state_of(Model &model)
{
    clear_temporaries(*model.rootp);
    model.s_axis_tdata = 0;
    model.s_axis_tlast = model.s_axis_tvalid = model.m_axis_tready = 0;
    model.eval();
    return state_bytes(model);
}

// Pieces of secrets to search a state for, of eight bytes or more.
class Pieces
{
  public:
    // Those of so many bytes that begin at each multiple of `step`. If less than a quarter of its bytes are not zero, a
    // piece is left out: small coefficients have pieces that are two ones among zeros, as the flags of an idle core are.
    void add(const void *data, size_t size, size_t piece, size_t step)
    {
        const std::string all(static_cast<const char *>(data), size);
        for (size_t at = 0; at + piece <= size; at += step) {
            const std::string bytes = all.substr(at, piece);
            const auto zeros = static_cast<size_t>(std::count(bytes.begin(), bytes.end(), 0));
            if (4 * (piece - zeros) >= piece) pieces_.emplace(word(bytes, 0), bytes);
        }
    }

    // How many are there.
    size_t held_in(const std::string &state) const
    {
        std::set<std::string> found;
        for (size_t at = 0; at + 8 <= state.size(); ++at) {
            const auto [first, last] = pieces_.equal_range(word(state, at));
            for (auto piece = first; piece != last; ++piece)
                if (state.compare(at, piece->second.size(), piece->second) == 0) found.insert(piece->second);
        }
        return found.size();
    }

  private:
    static uint64_t word(const std::string &bytes, size_t at)
    {
        uint64_t word;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        return word;
    }

    std::unordered_multimap<uint64_t, std::string> pieces_; // by the first eight bytes
};

#endif
