// One call of each kernel of a backend's tables, for programs that time or count them.
//
// A kernel is called on inputs that its contract allows. Those that work in place get their last output as input again:
// it is allowed where they take any value or make no value larger, and for the others the polynomials are zero, which
// stays zero. That says nothing about the time, because kernels run in constant time.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_CALLS_H
#define LATKEM_HARNESS_KERNELS_CALLS_H

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "list.h"

namespace kernel_calls
{

enum {
    POOL = 8,              // objects that a kernel is applied to in turn
    STREAM_BYTES = 576,    // three blocks of SHAKE128 with room to spare: bytes for any kernel, and 36 blocks of AES
    SCRATCH_BYTES = 65536, // for the kernels that ask for scratch memory
    UNITS_MAX = LK_CYCLIC_PLACES / LK_CYCLIC_UNIT,
    SAMPLE_BYTES = 3075 // of the longest sample of NTRU
};

// POOL inputs of each kind, contiguous so that they spread over the cache: random words and bytes, canonical
// polynomials, and caches and keys made by the kernels themselves.
struct alignas(LK_ALIGN) Pool {
    lk_poly poly[POOL], vector[POOL][LK_Q3329_RANK_MAX], samples[POOL][LK_KECCAK_LANES_MAX];
    lk_mulcache cache[POOL][LK_Q3329_RANK_MAX];
    lk_negacyclic_poly negacyclic[POOL];
    alignas(LK_ALIGN) uint8_t evaluated[POOL][LK_NEGACYCLIC_RANK_MAX * LK_NEGACYCLIC_EVALUATED_MAX];
    alignas(LK_ALIGN) uint8_t scratch[SCRATCH_BYTES];
    alignas(LK_ALIGN) lk_cyclic_poly cyclic[POOL];
    lk_trits trits[POOL];
    lk_ternary_words words[POOL];
    alignas(LK_ALIGN) uint8_t cyclic_evaluated[POOL][UNITS_MAX * LK_CYCLIC_EVALUATED_UNIT_MAX];
    uint8_t sample[POOL][SAMPLE_BYTES];
    alignas(LK_ALIGN) uint64_t states[POOL][LK_KECCAK_WORDS * LK_KECCAK_LANES_MAX];
    uint8_t bytes[POOL][STREAM_BYTES], blocks[POOL][LK_KECCAK_LANES_MAX][LK_SHAKE128_RATE];
    alignas(LK_ALIGN) lk_aes256_key key[POOL];
    uint32_t sha256_state[POOL][8];
    uint64_t sha512_state[POOL][8];
};

// Fills arrays of any depth.
class Filler
{
  public:
    template <class T, size_t n> void operator()(T (&array)[n])
    {
        for (T &element : array) (*this)(element);
    }
    void operator()(lk_poly &poly)
    {
        for (int16_t &c : poly.c) c = static_cast<int16_t>(generator_() % LK_Q3329);
    }
    void operator()(lk_negacyclic_poly &poly)
    {
        for (uint16_t &c : poly.c) c = static_cast<uint16_t>(generator_());
    }
    void operator()(lk_cyclic_poly &poly)
    {
        for (uint16_t &c : poly.c) c = static_cast<uint16_t>(generator_());
    }
    void operator()(lk_trits &trits)
    {
        for (uint8_t &c : trits.c) c = static_cast<uint8_t>(generator_() % 3);
    }
    void operator()(lk_ternary_words &words)
    {
        for (int32_t &c : words.c) c = static_cast<int32_t>(generator_());
    }
    void operator()(uint8_t &x)
    {
        x = static_cast<uint8_t>(generator_());
    }
    void operator()(uint32_t &x)
    {
        x = static_cast<uint32_t>(generator_());
    }
    void operator()(uint64_t &x)
    {
        x = generator_();
    }

  private:
    std::mt19937_64 generator_;
};

inline std::unique_ptr<Pool> make_pool(const lk_backend &backend, bool zero)
{
    auto pool = std::make_unique<Pool>();
    Filler fill;
    if (!zero) fill(pool->poly), fill(pool->vector);
    fill(pool->states), fill(pool->bytes), fill(pool->blocks);
    fill(pool->sha256_state), fill(pool->sha512_state), fill(pool->negacyclic);
    fill(pool->cyclic), fill(pool->trits), fill(pool->words), fill(pool->sample);
    const lk_negacyclic_kernels &saber = *backend.negacyclic;
    const size_t unit = std::max(backend.cyclic->scratch_unit, backend.ternary->scratch_unit);
    if (std::max(saber.scratch_bytes, UNITS_MAX * unit) > SCRATCH_BYTES)
        throw std::runtime_error("the pool's scratch memory is too small");
    for (size_t i = 0; i < POOL; i++) {
        backend.symmetric.aes->expand_key(&pool->key[i], pool->bytes[i]);
        for (size_t j = 0; j < LK_Q3329_RANK_MAX; j++) backend.q3329->mulcache(&pool->cache[i][j], &pool->vector[i][j]);
        for (size_t j = 0; j < LK_NEGACYCLIC_RANK_MAX; j++)
            saber.evaluate(pool->evaluated[i] + j * saber.evaluated_bytes, &pool->negacyclic[i], pool->scratch);
        backend.cyclic->evaluate(pool->cyclic_evaluated[i], &pool->cyclic[i], LK_CYCLIC_N_MAX, pool->scratch);
    }
    return pool;
}

// Adds the calls of one kernel: visit(name, zero, call), where call(pool, i) is one on the i-th inputs of a pool that
// make_pool made with that `zero`, and the name is kernel/<family>/<kernel><shape>/<backend>.
template <class Visit> struct Adder {
    std::string family, kernel;
    const lk_backend *backend;
    Visit &visit;

    template <class Call> void operator()(const std::string &shape, Call call, bool zero = false) const
    {
        visit("kernel/" + family + '/' + kernel + shape + '/' + backend->name, zero, call);
    }
};

// Whether a kernel's output may be its input again, whatever the values.
template <auto Member> constexpr bool reapplicable = true;
template <> constexpr bool reapplicable<&lk_q3329_kernels::ntt> = false;
template <> constexpr bool reapplicable<&lk_q3329_kernels::add> = false;

// One overload for each type of kernel, which gives the shapes of its inputs.

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_poly *), bool zero)
{
    add(
        "", [kernel](Pool &p, size_t i) { kernel(&p.poly[i]); }, zero);
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_poly *, const lk_poly *), bool zero)
{
    add(
        "", [kernel](Pool &p, size_t i) { kernel(&p.poly[i], &p.vector[i][0]); }, zero);
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_mulcache *, const lk_poly *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.cache[i][0], &p.vector[i][0]); });
}

template <class Add>
void add_shapes(const Add &add,
                void (*kernel)(lk_poly *, const lk_poly *, const lk_poly *, const lk_mulcache *, size_t), bool)
{
    for (size_t k = 2; k <= LK_Q3329_RANK_MAX; k++)
        add("_k" + std::to_string(k),
            [kernel, k](Pool &p, size_t i) { kernel(&p.poly[i], p.vector[i], p.vector[i], p.cache[i], k); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint8_t *, const lk_poly *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.bytes[i], &p.poly[i]); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_poly *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.poly[i], p.bytes[i]); });
}

template <class Add> void add_shapes(const Add &add, uint32_t (*kernel)(lk_poly *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) { (void)kernel(&p.poly[i], p.bytes[i]); });
}

template <class Add>
void add_shapes(const Add &add, uint32_t (*kernel)(lk_poly *, const uint8_t *, const lk_poly *), bool)
{
    add("", [kernel](Pool &p, size_t i) { (void)kernel(&p.poly[i], p.bytes[i], &p.vector[i][0]); });
}

template <class Add>
void add_shapes(const Add &add, size_t (*kernel)(lk_poly *, const lk_poly *, size_t, const uint8_t *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) {
        (void)kernel(&p.poly[i], &p.vector[i][0], 0, p.bytes[i], 3 * LK_SHAKE128_RATE);
    });
}

template <class Add> void add_shapes(const Add &add, size_t (*kernel)(lk_poly *, size_t, const uint8_t *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { (void)kernel(&p.poly[i], 0, p.bytes[i], 3 * LK_SHAKE128_RATE); });
}

template <class Add>
void add_shapes(const Add &add, uint32_t (*kernel)(lk_sink_state *const *, uint32_t, const uint64_t *, size_t, size_t),
                bool)
{
    const size_t lanes = add.backend->symmetric.keccak->lanes;
    add("", [kernel, lanes](Pool &p, size_t i) {
        lk_sink_state state[LK_KECCAK_LANES_MAX], *streams[LK_KECCAK_LANES_MAX];
        for (size_t l = 0; l < lanes; l++) state[l] = {nullptr, &p.samples[i][l], 0}, streams[l] = &state[l];
        (void)kernel(streams, (uint32_t{1} << lanes) - 1, p.states[i], lanes, LK_SHAKE128_RATE);
    });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(void *, const lk_negacyclic_poly *, void *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.evaluated[i], &p.negacyclic[i], p.scratch); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_negacyclic_poly *, const void *, const void *, size_t, void *), bool)
{
    for (size_t l = 2; l <= LK_NEGACYCLIC_RANK_MAX; l++)
        add("_l" + std::to_string(l), [kernel, l](Pool &p, size_t i) {
            kernel(&p.negacyclic[i], p.evaluated[i], p.evaluated[(i + 1) % POOL], l, p.scratch);
        });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_negacyclic_poly *, const lk_negacyclic_poly *, const void *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.negacyclic[i], &p.negacyclic[(i + 1) % POOL], p.evaluated[i]); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint8_t *, const lk_negacyclic_poly *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.bytes[i], &p.negacyclic[i]); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_negacyclic_poly *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.negacyclic[i], p.bytes[i]); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(uint8_t *, const lk_negacyclic_poly *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.bytes[i], &p.negacyclic[i], p.blocks[i][0]); });
}

template <class Add> void add_shapes(const Add &add, size_t (*kernel)(uint64_t *, size_t), bool)
{
    for (size_t used = 1; used <= add.backend->symmetric.keccak->lanes; used++)
        add("_x" + std::to_string(used), [kernel, used](Pool &p, size_t i) { kernel(p.states[i], used); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(uint64_t *, uint32_t, const uint8_t *, const uint64_t *, size_t), bool)
{
    const uint32_t all = (uint32_t{1} << add.backend->symmetric.keccak->lanes) - 1;
    add("", [kernel, all](Pool &p, size_t i) {
        const uint64_t ends[LK_KECCAK_LANES_MAX] = {};
        kernel(p.states[i], all, p.bytes[i], ends, LK_SHAKE128_RATE / 8 - 1);
    });
}

constexpr uint8_t WHOLE_BLOCKS[LK_KECCAK_LANES_MAX] = {21, 21, 21, 21, 21, 21, 21, 21};

template <class Add>
void add_shapes(const Add &add, void (*kernel)(uint64_t *, const uint8_t *const *, const uint8_t *, uint32_t), bool)
{
    add("", [kernel](Pool &p, size_t i) {
        const uint8_t *blocks[LK_KECCAK_LANES_MAX];
        for (size_t l = 0; l < LK_KECCAK_LANES_MAX; l++) blocks[l] = p.blocks[i][l];
        kernel(p.states[i], blocks, WHOLE_BLOCKS, 0);
    });
}

template <class Add>
void add_shapes(const Add &add, size_t (*kernel)(uint8_t *const *, const uint64_t *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) {
        uint8_t *blocks[LK_KECCAK_LANES_MAX];
        for (size_t l = 0; l < LK_KECCAK_LANES_MAX; l++) blocks[l] = p.blocks[i][l];
        kernel(blocks, p.states[i], WHOLE_BLOCKS);
    });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_aes256_key *, const uint8_t *), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.key[i], p.bytes[i]); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(uint8_t *, size_t, const lk_aes256_key *, const uint8_t *, uint32_t),
                bool)
{
    for (size_t blocks : {8, 12, 36}) // noise with eta = 2 and 3, the first piece of a matrix element
        add("_b" + std::to_string(blocks),
            [kernel, blocks](Pool &p, size_t i) { kernel(p.bytes[i], blocks, &p.key[i], p.blocks[i][0], 0); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint32_t *, const uint8_t *, size_t), bool)
{
    for (size_t blocks : {1, STREAM_BYTES / 64})
        add("_b" + std::to_string(blocks),
            [kernel, blocks](Pool &p, size_t i) { kernel(p.sha256_state[i], p.bytes[i], blocks); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint64_t *, const uint8_t *, size_t), bool)
{
    for (size_t blocks : {1, STREAM_BYTES / 128})
        add("_b" + std::to_string(blocks),
            [kernel, blocks](Pool &p, size_t i) { kernel(p.sha512_state[i], p.bytes[i], blocks); });
}

// NTRU's kernels: those that take scratch memory, which are the long ones, for every n; the others for the largest.

constexpr size_t SIZES[] = {509, 677, 701, 821};
constexpr size_t N_MAX = LK_CYCLIC_N_MAX;
constexpr unsigned BITS = 12; // of the set with that n

template <class Add, class Call> void add_sizes(const Add &add, Call call)
{
    for (size_t n : SIZES) add("_n" + std::to_string(n), [call, n](Pool &p, size_t i) { call(p, i, n); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(void *, const lk_cyclic_poly *, size_t, void *), bool)
{
    add_sizes(add,
              [kernel](Pool &p, size_t i, size_t n) { kernel(p.cyclic_evaluated[i], &p.cyclic[i], n, p.scratch); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const void *, const void *, size_t, void *), bool)
{
    add_sizes(add, [kernel](Pool &p, size_t i, size_t n) {
        kernel(&p.cyclic[i], p.cyclic_evaluated[i], p.cyclic_evaluated[(i + 1) % POOL], n, p.scratch);
    });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const lk_cyclic_poly *, size_t, void *), bool)
{
    add_sizes(add,
              [kernel](Pool &p, size_t i, size_t n) { kernel(&p.cyclic[i], &p.cyclic[(i + 1) % POOL], n, p.scratch); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const lk_cyclic_poly *, size_t, unsigned, void *),
                bool)
{
    add_sizes(add, [kernel](Pool &p, size_t i, size_t n) {
        kernel(&p.cyclic[i], &p.cyclic[(i + 1) % POOL], n, 2, p.scratch);
    });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_trits *, const lk_trits *, size_t, void *), bool)
{
    add_sizes(add,
              [kernel](Pool &p, size_t i, size_t n) { kernel(&p.trits[i], &p.trits[(i + 1) % POOL], n, p.scratch); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_trits *, const lk_trits *, const lk_trits *, size_t, void *), bool)
{
    add_sizes(add, [kernel](Pool &p, size_t i, size_t n) {
        kernel(&p.trits[i], &p.trits[(i + 1) % POOL], &p.trits[(i + 2) % POOL], n, p.scratch);
    });
}

// Sorting leaves sorted words behind, which take as long.
template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_ternary_words *, size_t, void *), bool)
{
    add_sizes(add, [kernel](Pool &p, size_t i, size_t n) { kernel(&p.words[i], n - 1, p.scratch); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const lk_trits *, size_t, unsigned), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.cyclic[i], &p.trits[i], N_MAX, 3); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_trits *, const lk_cyclic_poly *, size_t, unsigned), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.trits[i], &p.cyclic[i], N_MAX, BITS); });
}

template <class Add>
void add_shapes(const Add &add, uint32_t (*kernel)(lk_trits *, const lk_cyclic_poly *, size_t, unsigned), bool)
{
    add("", [kernel](Pool &p, size_t i) { (void)kernel(&p.trits[i], &p.cyclic[i], N_MAX, BITS); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.cyclic[i], N_MAX); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const lk_cyclic_poly *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.cyclic[i], &p.cyclic[(i + 1) % POOL], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint8_t *, const lk_cyclic_poly *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.sample[i], &p.cyclic[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_cyclic_poly *, const uint8_t *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.cyclic[i], p.sample[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_trits *, const uint8_t *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.trits[i], p.sample[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(uint8_t *, const lk_trits *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(p.sample[i], &p.trits[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_trits *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.trits[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_trits *, const lk_trits *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.trits[i], &p.trits[(i + 1) % POOL], N_MAX); });
}

template <class Add>
void add_shapes(const Add &add, void (*kernel)(lk_ternary_words *, const uint8_t *, size_t, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.words[i], p.sample[i], N_MAX, 510); });
}

template <class Add> void add_shapes(const Add &add, void (*kernel)(lk_trits *, const lk_ternary_words *, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { kernel(&p.trits[i], &p.words[i], N_MAX); });
}

template <class Add> void add_shapes(const Add &add, uint32_t (*kernel)(const lk_trits *, size_t, size_t), bool)
{
    add("", [kernel](Pool &p, size_t i) { (void)kernel(&p.trits[i], N_MAX, 510); });
}

// for_each_kernel_call visits every kernel of the backend in all its shapes; without(name) is called for each that it
// does without.
template <class Visit, class Without>
void for_each_kernel_call(const lk_backend &backend, Visit &&visit, Without &&without)
{
    lk_backend tables = backend;
    for_each_kernel([&](auto family, auto kernel) {
        const Adder<Visit> add = {family.name, kernel.name, &backend, visit};
        const auto function = family.in(tables)->*kernel.member;
        if (function != nullptr)
            add_shapes(add, function, !reapplicable<kernel.member>);
        else
            without(std::string("kernel/") + family.name + '/' + kernel.name + '/' + backend.name);
    });
}

} // namespace kernel_calls

#endif
