// The stack meter: how deep each operation's stack goes.
//
// The operation runs on a stack of its own that is filled with a pattern before; the deepest changed word is the mark.
// The depth that a call doing nothing reaches is taken off. SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <stdexcept>

#include "report_main.h"
#include "workload.h"

namespace
{

enum {
    STACK_WORDS = 1 << 17, // 1 MiB on 64-bit machines
    GUARD_BYTES = 1 << 16  // a multiple of every page size
};

// A stack of its own for one call at a time.
class PaintedStack
{
  public:
    PaintedStack()
    {
        void *memory = mmap(nullptr, GUARD_BYTES + bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0)
            throw std::runtime_error("cannot make a stack");
        words_ = reinterpret_cast<uintptr_t *>(static_cast<char *>(memory) + GUARD_BYTES);
    }
    ~PaintedStack()
    {
        munmap(reinterpret_cast<char *>(words_) - GUARD_BYTES, GUARD_BYTES + bytes());
    }
    PaintedStack(const PaintedStack &) = delete;
    PaintedStack &operator=(const PaintedStack &) = delete;

    // Runs the operation on this stack and returns how many bytes from its top have changed.
    size_t depth(const Operation &operation, Workload &w, size_t step);

  private:
    static size_t bytes()
    {
        return STACK_WORDS * sizeof(uintptr_t);
    }
    static void enter();

    // A different value in each word, so that copying the stack's own content does not hide a write.
    static uintptr_t pattern(size_t i)
    {
        return static_cast<uintptr_t>(0x9E3779B97F4A7C15u) * (i + 1);
    }

    struct Call {
        const Operation *operation;
        Workload *w;
        size_t step;
        int result;
        ucontext_t here, there;
    };
    static inline Call call_;
    uintptr_t *words_;
};

void PaintedStack::enter()
{
    call_.result = call_.operation->run(*call_.w, call_.step);
}

size_t PaintedStack::depth(const Operation &operation, Workload &w, size_t step)
{
    for (size_t i = 0; i < STACK_WORDS; i++) words_[i] = pattern(i);
    call_ = {};
    call_.operation = &operation;
    call_.w = &w;
    call_.step = step;
    if (getcontext(&call_.there) != 0) throw std::runtime_error("cannot make a context");
    call_.there.uc_stack.ss_sp = words_;
    call_.there.uc_stack.ss_size = bytes();
    call_.there.uc_link = &call_.here;
    makecontext(&call_.there, enter, 0);
    if (swapcontext(&call_.here, &call_.there) != 0) throw std::runtime_error("cannot switch to a stack");

    int result = call_.result;
    if (result == LATKEM_OK) result = operation.verify(w, step);
    if (result != LATKEM_OK) throw std::runtime_error(std::string(operation.name) + ": " + describe_failure(result));
    size_t untouched = 0;
    while (untouched < STACK_WORDS && words_[untouched] == pattern(untouched)) untouched++;
    return (STACK_WORDS - untouched) * sizeof(uintptr_t);
}

// The deepest of several runs on different inputs, after one for the dynamic linker to find what the operation calls.
size_t deepest(PaintedStack &stack, const Operation &operation, Workload &w, unsigned rounds)
{
    size_t depth = 0;
    stack.depth(operation, w, 0);
    for (unsigned step = 0; step < rounds; step++) depth = std::max(depth, stack.depth(operation, w, step));
    return depth;
}

const Operation no_operation = {"none", "nothing", 1, [](Workload &, size_t) -> int { return LATKEM_OK; },
                                [](Workload &, size_t) -> int { return LATKEM_OK; }};

void measure_set(const Options &options, const latkem_kem *kem, const std::string &backend,
                 nlohmann::ordered_json &rows)
{
    if (latkem_backend_use(backend.c_str()) != LATKEM_OK) throw std::runtime_error("cannot use " + backend);
    Workload w(kem);
    PaintedStack stack;
    const size_t harness = deepest(stack, no_operation, w, 1);
    for (const Operation &operation : all_operations)
        rows.push_back({{"set", latkem_kem_name(kem)},
                        {"operation", operation.name},
                        {"tier", operation.tier},
                        {"backend", backend},
                        {"bytes", deepest(stack, operation, w, options.rounds) - harness}});
}

void measure_all(const Options &options, nlohmann::ordered_json &report)
{
    nlohmann::ordered_json &rows = report["stack"] = nlohmann::ordered_json::array();
    for (const std::string &backend : options.backends)
        for (const latkem_kem *kem : options.sets) measure_set(options, kem, backend, rows);
}

} // namespace

int main(int argc, char **argv)
{
    return report_main(argc, argv, "The stack that each operation uses, in bytes.", 4, measure_all);
}
