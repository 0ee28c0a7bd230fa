// A core in C++ with the ports of a verilated one, which answers by liblatkem and may break a rule of the streams: what
// the bench is tried on. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_STAND_IN_H
#define LATKEM_HW_STAND_IN_H

#include "model/golden.h"

enum class Fault {
    None,
    WrongBit,     // in the last word of an answer
    ShortAnswer,  // TLAST a word early
    TakesBack,    // valid falls while a beat waits
    ChangesData,  // while a beat waits
    ChangesLast,  // while a beat waits
    AnswersEarly, // before the request's end
    NotBusy,      // after a command
    NoAnswer,
    NoEnd // busy for ever after an answer
};

class StandIn
{
  public:
    explicit StandIn(VerilatedContext *)
    {
    }

    uint8_t clk_i = 0, rst_ni = 0, zeroize_i = 0, busy_o = 0;
    uint8_t s_axis_tvalid = 0, s_axis_tready = 0, s_axis_tlast = 0;
    uint8_t m_axis_tvalid = 0, m_axis_tready = 0, m_axis_tlast = 0;
    uint64_t s_axis_tdata = 0, m_axis_tdata = 0;
    static inline Fault fault = Fault::None;

    void eval()
    {
        const bool edge = clk_i && !clock_;
        clock_ = clk_i;
        if (!rst_ni || (edge && zeroize_i)) {
            request_.clear();
            answer_.clear();
            complete_ = false;
            sent_ = 0;
            left_ = wipe;
        } else if (edge) {
            step();
        }
        drive();
    }

  private:
    static constexpr unsigned think = 20, wipe = 30; // cycles

    void step()
    {
        waits_ = m_axis_tvalid && !m_axis_tready;
        if (m_axis_tvalid && m_axis_tready && ++sent_ == answer_.size()) {
            request_.clear();
            answer_.clear();
            complete_ = false;
            sent_ = 0;
            left_ = fault == Fault::NoEnd ? ~0u : wipe;
        } else if (s_axis_tvalid && s_axis_tready) {
            request_.push_back(s_axis_tdata);
            complete_ = s_axis_tlast;
            left_ = think;
            if (complete_ || (fault == Fault::AnswersEarly && request_.size() == 3)) {
                answer_ = golden_response(request_);
                if (fault == Fault::WrongBit) answer_.back() ^= 1;
                if (fault == Fault::ShortAnswer) answer_.pop_back();
            }
        } else if (left_ > 0) {
            --left_;
        }
    }

    void drive()
    {
        const bool answers = !answer_.empty() && fault != Fault::NoAnswer && (left_ == 0 || !complete_);
        m_axis_tvalid = rst_ni && answers && !(waits_ && fault == Fault::TakesBack);
        m_axis_tdata = answers ? answer_[sent_] ^ (waits_ && fault == Fault::ChangesData) : 0;
        m_axis_tlast = answers && ((sent_ + 1 == answer_.size()) != (waits_ && fault == Fault::ChangesLast));
        s_axis_tready = rst_ni && !complete_ && (left_ == 0 || !request_.empty() || fault == Fault::NoEnd);
        busy_o = request_.empty() ? left_ > 0 : fault != Fault::NotBusy;
    }

    bool clock_ = false, complete_ = false, waits_ = false;
    Words request_, answer_;
    size_t sent_ = 0;
    unsigned left_ = wipe;
};

#endif
