// The polynomial unit against FIPS 203's algorithms 9 to 12, modulo any q. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Vlatkem_poly.h"
#include "bench.h"
#include "wide.h"

namespace
{

constexpr int q = MODULUS, root = ROOT;
constexpr unsigned halves = 16 / BUTTERFLIES; // cycles of a group

constexpr size_t width()
{
    size_t bits = 0;
    while (q - 1 >> bits) ++bits;
    return bits;
}
using Poly = std::array<int, 256>;

int modulo(int64_t x)
{
    return static_cast<int>((x % q + q) % q);
}

int power(int base, int exponent)
{
    int64_t result = 1;
    for (int i = 0; i < exponent; ++i) result = result * base % q;
    return static_cast<int>(result);
}

int reverse7(int k)
{
    int result = 0;
    for (int i = 0; i < 7; ++i) result |= (k >> i & 1) << (6 - i);
    return result;
}

Poly ntt(Poly f)
{
    int i = 1;
    for (int len = 128; len >= 2; len /= 2)
        for (int start = 0; start < 256; start += 2 * len) {
            const int zeta = power(root, reverse7(i++));
            for (int j = start; j < start + len; ++j) {
                const int t = modulo(zeta * f[j + len]);
                f[j + len] = modulo(f[j] - t);
                f[j] = modulo(f[j] + t);
            }
        }
    return f;
}

Poly inverse_ntt(Poly f)
{
    int i = 127;
    for (int len = 2; len <= 128; len *= 2)
        for (int start = 0; start < 256; start += 2 * len) {
            const int zeta = power(root, reverse7(i--));
            for (int j = start; j < start + len; ++j) {
                const int t = f[j];
                f[j] = modulo(t + f[j + len]);
                f[j + len] = modulo(zeta * (f[j + len] - t));
            }
        }
    int halves = 1; // 1 / 128
    for (int i = 0; i < 7; ++i) halves = halves % 2 ? (halves + q) / 2 : halves / 2;
    for (int &c : f) c = modulo(int64_t{c} * halves);
    return f;
}

Poly multiply(const Poly &f, const Poly &g, const Poly &sum)
{
    Poly h;
    for (int i = 0; i < 128; ++i) {
        const int64_t gamma = power(root, 2 * reverse7(i) + 1);
        h[2 * i] = modulo(sum[2 * i] + f[2 * i] * g[2 * i] + f[2 * i + 1] * g[2 * i + 1] % q * gamma);
        h[2 * i + 1] = modulo(sum[2 * i + 1] + f[2 * i] * g[2 * i + 1] + f[2 * i + 1] * g[2 * i]);
    }
    return h;
}

enum Op { NttNoise, NttLoaded, MacMatrix, MacVector, NttInverse };

struct Job {
    Op op;
    unsigned src, other, dst, first;
};

class PolyUnit : public testing::Test
{
  protected:
    PolyUnit()
    {
        m.clear_i = m.wipe_i = m.job_valid_i = m.a_we_i = m.n_we_i = m.load_valid_i = m.read_valid_i = 0;
        bench.reset();
    }

    Poly random_poly(int from = 0, int to = q - 1)
    {
        Poly f;
        for (int &c : f) {
            c = from + static_cast<int>(bench.random() % (to - from + 1));
            if (bench.chance(10)) c = bench.chance(50) ? from : to;
        }
        return f;
    }

    // The unit says in each cycle what it accepts in the next one.
    void step()
    {
        m.eval();
        accepts_v = m.load_next_v_o;
        accepts_c = m.load_next_c_o;
        bench.step();
    }

    bool accepts() const
    {
        return m.load_to_c_i ? accepts_c : accepts_v;
    }

    void load(bool to_c, unsigned slot, const Poly &f)
    {
        for (unsigned i = 0; i < 32;) {
            m.load_valid_i = 1;
            m.load_to_c_i = to_c;
            m.load_slot_i = slot;
            m.load_index_i = i;
            for (unsigned j = 0; j < 8; ++j) put(m.load_data_i.data(), width(), j, f[8 * i + j]);
            m.eval();
            const bool accepted = accepts();
            step();
            i += accepted;
        }
        m.load_valid_i = 0;
        (to_c ? c[slot] : v[slot]) = f;
    }

    void write_noise(unsigned slot, const Poly &f)
    {
        for (unsigned i = 0; i < 16; ++i) {
            m.n_we_i = 1;
            m.n_waddr_i = slot << 4 | i;
            uint32_t wide[2] = {0, 0};
            for (unsigned j = 0; j < 16; ++j) put(wide, 3, j, static_cast<unsigned>(f[16 * i + j]) & 7);
            m.n_wdata_i = wide[0] | static_cast<uint64_t>(wide[1]) << 32;
            step();
        }
        m.n_we_i = 0;
        n[slot] = f;
    }

    void write_matrix(unsigned slot, const Poly &f)
    {
        for (unsigned i = 0; i < 32; ++i) {
            m.a_we_i = 1;
            m.a_waddr_i = slot << 5 | i;
            for (unsigned j = 0; j < 8; ++j) put(m.a_wdata_i.data(), width(), j, f[8 * i + j]);
            step();
        }
        m.a_we_i = 0;
        a[slot] = f;
    }

    // The job's effect on the model's memories.
    void apply(const Job &job)
    {
        switch (job.op) {
        case NttNoise: {
            Poly f = n[job.src];
            for (int &x : f) x = modulo(x);
            v[job.dst] = ntt(f);
            break;
        }
        case NttLoaded: v[job.dst] = ntt(c[job.src]); break;
        case NttInverse: v[job.dst] = inverse_ntt(c[job.src]); break;
        case MacMatrix: c[job.dst] = multiply(a[job.other], v[job.src], job.first ? Poly{} : c[job.dst]); break;
        case MacVector: c[job.dst] = multiply(v[job.other], v[job.src], job.first ? Poly{} : c[job.dst]); break;
        }
    }

    // Runs jobs that do not depend on each other, or are products on one accumulator. Returns the edges from the first
    // job's acceptance to the last one's done.
    uint64_t run(const std::vector<Job> &jobs)
    {
        size_t given = 0, done = 0;
        uint64_t begin = 0;
        while (done < jobs.size()) {
            m.job_valid_i = given < jobs.size();
            if (m.job_valid_i) {
                const Job &job = jobs[given];
                m.job_i = job.op << 13 | job.src << 9 | job.other << 5 | job.dst << 1 | job.first;
            }
            m.eval();
            const bool accepted = m.job_valid_i && m.job_ready_o;
            done += m.done_o;
            if (accepted && given == 0) begin = bench.edges;
            step();
            given += accepted;
            if (bench.edges - begin > 100000) {
                ADD_FAILURE() << "the unit does not end";
                break;
            }
        }
        m.job_valid_i = 0;
        for (const Job &job : jobs) apply(job);
        return bench.edges - begin;
    }

    // x of V[slot] and y: 0 nothing, 1 C[operand], 2 N[operand].
    void expect(unsigned slot, unsigned kind, unsigned operand)
    {
        std::vector<unsigned> granted;
        for (unsigned i = 0, got = 0; got < 32;) {
            m.read_valid_i = i < 32;
            m.read_slot_i = slot;
            m.read_operand_i = kind;
            m.read_operand_slot_i = operand;
            m.read_index_i = i % 32;
            m.eval();
            granted.push_back(m.read_valid_i && m.read_ready_o ? i++ : 99);
            if (granted.size() > 3 && granted[granted.size() - 4] != 99) {
                for (unsigned j = 0; j < 8; ++j) {
                    const unsigned at = 8 * granted[granted.size() - 4] + j;
                    ASSERT_EQ(static_cast<int>(get(m.read_x_o.data(), width(), j)), v[slot][at])
                        << "V[" << slot << "] " << at;
                    const int y = kind == 1 ? c[operand][at] : kind == 2 ? modulo(n[operand][at]) : 0;
                    ASSERT_EQ(static_cast<int>(get(m.read_y_o.data(), width(), j)), y)
                        << "kind " << kind << " [" << operand << "] " << at;
                }
                ++got;
            }
            step();
        }
        m.read_valid_i = 0;
    }

    Bench<Vlatkem_poly> bench;
    Vlatkem_poly &m = *bench.model;
    Poly v[16] = {}, c[8] = {}, n[16] = {}, a[16] = {};
    bool accepts_v = true, accepts_c = true;
};

} // namespace

TEST_F(PolyUnit, LoadsAndReadsEverySlot)
{
    for (unsigned slot = 0; slot < 16; ++slot) load(false, slot, random_poly());
    for (unsigned slot = 0; slot < 8; ++slot) load(true, slot, random_poly());
    for (unsigned slot = 0; slot < 16; ++slot) write_noise(slot, random_poly(-3, 3));
    for (unsigned slot = 0; slot < 16; ++slot) {
        expect(slot, 0, 0);
        expect(slot, 1, slot % 8);
        expect(slot, 2, slot);
    }
}

TEST_F(PolyUnit, TransformsNoise)
{
    for (unsigned slot = 0; slot < 9; ++slot) {
        write_noise(slot, random_poly(-3, 3));
        run({{NttNoise, slot, 0, slot % 8, 0}});
        expect(slot % 8, 2, slot);
    }
}

TEST_F(PolyUnit, TransformsWhatWasLoaded)
{
    for (unsigned slot = 0; slot < 8; ++slot) {
        load(true, slot, slot == 0 ? random_poly(q - 1) : random_poly());
        run({{NttLoaded, slot, 0, 15 - slot, 0}});
        expect(15 - slot, 0, 0);
        run({{NttLoaded, slot, 0, slot, 0}});
        expect(slot, 0, 0);
    }
}

TEST_F(PolyUnit, TransformsBack)
{
    for (unsigned slot = 0; slot < 8; ++slot)
        for (unsigned dst : {slot, 15 - slot}) {
            load(true, slot, slot == 0 ? random_poly(q - 1) : random_poly());
            run({{NttInverse, slot, 0, dst, 0}});
            expect(dst, 0, 0);
        }
}

TEST_F(PolyUnit, MultipliesWithTheMatrix)
{
    for (unsigned slot = 0; slot < 16; ++slot) write_matrix(slot, slot == 0 ? random_poly(q - 1) : random_poly());
    for (unsigned slot = 0; slot < 8; ++slot) load(false, slot, slot == 0 ? random_poly(q - 1) : random_poly());
    for (unsigned slot = 0; slot < 16; ++slot) {
        run({{MacMatrix, slot % 8, slot, slot % 5, 1}});
        expect(0, 1, slot % 5);
        run({{MacMatrix, (slot + 3) % 8, slot, slot % 5, 0}});
        expect(0, 1, slot % 5);
    }
}

TEST_F(PolyUnit, MultipliesVectors)
{
    for (unsigned slot = 0; slot < 16; ++slot) load(false, slot, slot % 8 == 0 ? random_poly(q - 1) : random_poly());
    for (unsigned slot = 0; slot < 8; ++slot)
        for (unsigned other = 8; other < 16; ++other) {
            run({{MacVector, slot, other, 6, other == 8}});
            expect(0, 1, 6);
        }
}

TEST_F(PolyUnit, TakesTheTimeThatIsPromised)
{
    for (unsigned slot = 0; slot < 8; ++slot) {
        write_noise(slot, random_poly(-3, 3));
        load(true, slot, random_poly());
        write_matrix(slot, random_poly());
    }
    const uint64_t one = run({{NttNoise, 0, 0, 0, 0}});
    EXPECT_EQ(one, 64u * halves + 9 + 14);
    EXPECT_EQ(run({{NttInverse, 0, 0, 0, 0}}), one);
    EXPECT_EQ(run({{NttNoise, 0, 0, 0, 0}, {NttNoise, 1, 0, 1, 0}, {NttNoise, 2, 0, 2, 0}, {NttLoaded, 3, 0, 3, 0}}),
              one + 3 * 64 * halves);
    const uint64_t product = run({{MacMatrix, 0, 0, 0, 1}});
    EXPECT_EQ(product, 32u * halves + 14);
    EXPECT_EQ(run({{MacMatrix, 0, 0, 0, 1}, {MacMatrix, 1, 1, 0, 0}, {MacMatrix, 2, 2, 0, 0}}), product + 64 * halves);
    for (unsigned slot = 0; slot < 4; ++slot) expect(slot, 1, slot);
}

// Two jobs overlap in all pairs of kinds, again and again, each in slots of its own.
TEST_F(PolyUnit, OverlapsJobs)
{
    for (unsigned slot = 0; slot < 16; ++slot) {
        load(false, slot, random_poly());
        write_matrix(slot, random_poly());
        write_noise(slot, random_poly(-3, 3));
        if (slot < 8) load(true, slot, random_poly());
    }
    for (unsigned round = 0; round < 40; ++round) {
        std::vector<Job> jobs;
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned pick = bench.random() % 5;
            // Slots of job i: V i and 12 + i as results, V 4 + i and 8 + i as operands, C i and 4 + i.
            if (pick == NttNoise) jobs.push_back({NttNoise, i, 0, i, 0});
            if (pick == NttLoaded) jobs.push_back({NttLoaded, 4 + i, 0, 12 + i, 0});
            if (pick == NttInverse) jobs.push_back({NttInverse, i, 0, round % 2 ? i : 12 + i, 0});
            if (pick == MacMatrix) jobs.push_back({MacMatrix, 4 + i, i, i, i % 2});
            if (pick == MacVector) jobs.push_back({MacVector, 4 + i, 8 + i, i, i % 2});
        }
        run(jobs);
        for (unsigned i = 0; i < 4; ++i) {
            const bool spoilt = [&] { // an inverse transform leaves nothing of use in its accumulator
                for (const Job &job : jobs)
                    if (job.op == NttInverse && job.src == i) return true;
                return false;
            }();
            expect(i, spoilt ? 0 : 1, i);
            expect(12 + i, 0, 0);
            if (spoilt) load(true, i, random_poly());
        }
    }
}

TEST_F(PolyUnit, LoadsAndReadsBesideJobs)
{
    for (unsigned slot = 0; slot < 8; ++slot) {
        write_noise(slot, random_poly(-3, 3));
        load(true, slot, random_poly());
        load(false, 8 + slot, random_poly());
    }
    for (unsigned round = 0; round < 10; ++round) {
        const Job job = round % 2 ? Job{NttNoise, 1, 0, 1, 0} : Job{NttInverse, 1, 0, 1, 0};
        m.job_valid_i = 1;
        m.job_i = job.op << 13 | job.src << 9 | job.dst << 1;
        step();
        m.job_valid_i = 0;
        for (unsigned i = 0; i < round; ++i) step();
        load(true, 5, random_poly());
        expect(9, 2, 3);
        load(false, 10, random_poly());
        expect(10, 1, 5);
        while (!m.idle_o) step();
        apply(job);
        expect(1, 0, 0);
        if (job.op == NttInverse) load(true, 1, random_poly());
    }
}

// Jobs without a pause; loads and reads of other slots, each in every cycle in which the unit lets it.
TEST_F(PolyUnit, LoadsAndReadsBetweenAllJobs)
{
    for (unsigned slot = 0; slot < 16; ++slot) {
        load(false, slot, random_poly());
        write_noise(slot, random_poly(-3, 3));
        if (slot < 8) load(true, slot, random_poly());
    }
    struct Read {
        bool granted;
        unsigned slot, kind, operand, index;
        Poly x, y;
    };
    std::vector<Read> reads;
    unsigned loaded = 0, read[3] = {0, 0, 0};
    Poly value = random_poly();
    bool holds_load = false;
    for (unsigned cycle = 0; cycle < 6000 * halves; ++cycle) {
        const unsigned op = bench.random() % 5;
        m.job_valid_i = 1;
        m.job_i = op << 13 | (cycle % 4) << 9 | 8u << 5 | (cycle / 4 % 4) << 1 | 1;
        if (!holds_load) {
            m.load_valid_i = holds_load = bench.chance(70);
            m.load_to_c_i = bench.random() % 2;
            m.load_slot_i = m.load_to_c_i ? 4 + bench.random() % 4 : 9 + bench.random() % 7;
            m.load_index_i = bench.random() % 32;
            for (unsigned j = 0; j < 8; ++j) put(m.load_data_i.data(), width(), j, value[(cycle + j) % 256]);
        }
        const Read next = {false,
                           9 + static_cast<unsigned>(bench.random() % 7),
                           static_cast<unsigned>(bench.random() % 3),
                           4 + static_cast<unsigned>(bench.random() % 4),
                           static_cast<unsigned>(bench.random() % 32),
                           {},
                           {}};
        m.read_valid_i = 1;
        m.read_slot_i = next.slot;
        m.read_operand_i = next.kind;
        m.read_operand_slot_i = next.operand;
        m.read_index_i = next.index;
        m.eval();
        if (m.load_valid_i && accepts()) {
            Poly &f = m.load_to_c_i ? c[m.load_slot_i] : v[m.load_slot_i];
            for (unsigned j = 0; j < 8; ++j)
                f[8 * m.load_index_i + j] = static_cast<int>(get(m.load_data_i.data(), width(), j));
            holds_load = false;
            ++loaded;
        }
        // Of a load and a read in one cycle the load comes first.
        reads.push_back(next);
        reads.back().granted = m.read_ready_o;
        reads.back().x = v[next.slot];
        reads.back().y = next.kind == 1 ? c[next.operand] : next.kind == 2 ? n[next.operand] : Poly{};
        if (cycle >= 3 && reads[cycle - 3].granted) {
            const Read &r = reads[cycle - 3];
            ++read[r.kind];
            for (unsigned j = 0; j < 8; ++j) {
                ASSERT_EQ(static_cast<int>(get(m.read_x_o.data(), width(), j)), r.x[8 * r.index + j]) << cycle;
                ASSERT_EQ(static_cast<int>(get(m.read_y_o.data(), width(), j)), modulo(r.y[8 * r.index + j]))
                    << cycle << " kind " << r.kind;
            }
        }
        step();
        if (!holds_load) m.load_valid_i = 0;
    }
    EXPECT_GT(loaded, 200u);
    for (unsigned count : read) EXPECT_GT(count, 100u);
}

// Everything under way is forgotten: no done, idle at once, and the next job is as any.
TEST_F(PolyUnit, ClearsAtAnyTime)
{
    write_noise(1, random_poly(-3, 3));
    load(true, 2, random_poly());
    for (unsigned at = 1; at < 170; at += 3) {
        for (unsigned cycle = 0; cycle < at; ++cycle) {
            m.job_valid_i = 1;
            m.job_i = (cycle % 2 ? NttNoise : NttLoaded) << 13 | 2 << 9 | 9 << 1;
            step();
        }
        m.job_valid_i = at / 3 % 2; // what is offered meanwhile is forgotten too
        m.clear_i = 1;
        step();
        m.job_valid_i = 0;
        m.clear_i = 0;
        m.eval();
        for (unsigned cycle = 0; cycle < 100; ++cycle) {
            ASSERT_TRUE(m.idle_o && m.job_ready_o && !m.done_o) << at << ' ' << cycle;
            if (at % 2) break;
            step();
        }
        run({{NttNoise, 1, 0, 1, 0}});
        expect(1, 0, 0);
    }
}

TEST_F(PolyUnit, WipesToZero)
{
    for (unsigned slot = 0; slot < 16; ++slot) {
        load(false, slot, random_poly());
        write_noise(slot, random_poly(-3, 3));
        if (slot < 8) load(true, slot, random_poly());
    }
    for (unsigned i = 0; i < 256; ++i) {
        m.wipe_i = 1;
        m.wipe_addr_i = i;
        step();
    }
    m.wipe_i = 0;
    for (auto *group : {v, n}) std::fill(group, group + 16, Poly{});
    std::fill(c, c + 8, Poly{});
    for (unsigned slot = 0; slot < 16; ++slot) {
        expect(slot, 1, slot % 8);
        expect(slot, 2, slot);
    }
}
