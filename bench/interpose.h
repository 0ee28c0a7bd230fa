// Timers on the kernels of a backend, and the log of the calls that they timed.
//
// Every pointer of a backend's tables is replaced by a wrapper that times the call, and the copy is put in force with
// lk_backend_force(). A wrapper does the same for every kernel, so that what it costs can be taken off: see profiler.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_INTERPOSE_H
#define LATKEM_BENCH_INTERPOSE_H

#include <cstdint>
#include <utility>
#include <vector>

#include "kernel_list.h"
#include "ticks.h"

// One timed call: the kernel's index among those of for_each_kernel, or a number past them for what else a program
// times, and the call's ticks without those of the calls inside it.
struct Call {
    size_t kernel;
    uint64_t ticks;
};

// The calls since the log was cleared, in the order in which they ended.
inline std::vector<Call> call_log;

// The time from a span's making to its end is one call.
class Span
{
  public:
    explicit Span(size_t kernel) : kernel_(kernel), outer_(innermost), start_(ticks())
    {
        innermost = this;
    }
    ~Span()
    {
        const uint64_t time = ticks() - start_;
        call_log.push_back({kernel_, time - inner_});
        if (outer_ != nullptr) outer_->inner_ += time;
        innermost = outer_;
    }
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;

  private:
    static inline Span *innermost = nullptr;
    size_t kernel_;
    Span *outer_;
    uint64_t inner_ = 0;
    uint64_t start_;
};

// A kernel of the same type that calls the interposed one.
template <auto Member> struct Timed;
template <class Table, class Result, class... Arguments, Result (*Table::*Member)(Arguments...)> struct Timed<Member> {
    static inline Result (*kernel)(Arguments...) = nullptr;
    static inline size_t index = 0;

    static Result call(Arguments... arguments)
    {
        const Span span(index);
        return kernel(arguments...);
    }
    static void interpose(Table &table, size_t place)
    {
        index = place;
        kernel = table.*Member;
        if (kernel != nullptr) table.*Member = call;
    }
};

// A copy of a backend with a timer on each kernel. The timers are global: one of these at a time.
class InterposedBackend
{
  public:
    struct Name {
        const char *family, *kernel;
    };

    explicit InterposedBackend(const lk_backend &original) : backend_(original), original_(original)
    {
        for_each_family([&](auto family) { interpose_family(family); });
    }
    InterposedBackend(const InterposedBackend &) = delete;
    InterposedBackend &operator=(const InterposedBackend &) = delete;

    const lk_backend &interposed() const
    {
        return backend_;
    }
    const lk_backend &original() const
    {
        return original_;
    }

    // The kernels by their indices.
    const std::vector<Name> &names() const
    {
        return names_;
    }

  private:
    template <class Table> void interpose_family(Family<Table> family)
    {
        const Table *&slot = family.in(backend_);
        table<Table> = *slot;
        slot = &table<Table>;
        std::apply([&](auto... kernel) { (interpose<Table>(kernel), ...); }, family.list.kernels);
    }
    template <class Table, auto Member> void interpose(Kernel<Member> kernel)
    {
        Timed<Member>::interpose(table<Table>, names_.size());
        names_.push_back({Family<Table>::name, kernel.name});
    }

    template <class Table> static inline Table table; // the copy of each family
    lk_backend backend_;
    const lk_backend &original_;
    std::vector<Name> names_;
};

#endif
