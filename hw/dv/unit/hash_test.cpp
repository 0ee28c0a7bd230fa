// The hash unit against FIPS 202 and FIPS 203's samplers. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "Vhash.h"
#include "Vhash___024root.h"
#include "bench.h"
#include "core/state.h"
#include "model/sponge.h"

// A variable of the model, from its top on.
#define JOIN(top, name) top##__DOT__##name
#define NAME(top, name) JOIN(top, name)
#define INSIDE(name) NAME(HASH_TOP, name)

namespace
{

constexpr unsigned q = 3329;

using Poly = std::array<int, 256>;

enum Hash { Sha3_256, Sha3_512, Shake128, Shake256 };
enum Sink { Digest, Cbd2, Cbd3, Matrix };

struct Job {
    unsigned hash, sink, follows, first_addr, first_words, second_addr, second_words, tail_bytes, tail, digest_addr,
        digest_words, slot;
    unsigned check = 0;
};

Sponge sponge(const Job &job, const std::array<uint64_t, 512> &memory)
{
    Bytes message;
    const auto add = [&](unsigned addr, unsigned words) {
        for (unsigned i = 0; i < 8 * words; ++i)
            message.push_back(static_cast<uint8_t>(memory[addr + i / 8] >> i % 8 * 8));
    };
    add(job.first_addr, job.first_words);
    add(job.second_addr, job.second_words);
    for (unsigned i = 0; i < job.tail_bytes; ++i) message.push_back(static_cast<uint8_t>(job.tail >> 8 * i));
    static const size_t rates[] = {136, 72, 168, 136};
    return Sponge(rates[job.hash], job.hash < Shake128 ? 0x06 : 0x1f, message);
}

// FIPS 203 algorithm 7; bytes: how many of SHAKE128 it took.
Poly sample_ntt(Sponge xof, size_t &bytes)
{
    Poly poly;
    size_t count = 0;
    bytes = 0;
    while (count < 256) {
        const Bytes c = xof.squeeze(3);
        bytes += 3;
        for (int d : {c[0] + 256 * (c[1] % 16), c[1] / 16 + 16 * c[2]})
            if (d < static_cast<int>(q) && count < 256) poly[count++] = d;
    }
    return poly;
}

// FIPS 203 algorithm 8
Poly sample_cbd(unsigned eta, Sponge prf)
{
    const Bytes bytes = prf.squeeze(64 * eta);
    const auto bit = [&](size_t i) { return bytes[i / 8] >> i % 8 & 1; };
    Poly poly{};
    for (size_t i = 0; i < 256; ++i)
        for (size_t j = 0; j < eta; ++j) poly[i] += bit(2 * i * eta + j) - bit(2 * i * eta + eta + j);
    return poly;
}

class HashUnit : public testing::Test
{
  protected:
    HashUnit()
    {
        m.clear_i = m.job_valid_i = 0;
        m.digest_next_i = m.checkable_i = 1;
        m.avail_i = 0;
        bench.reset();
        for (auto &word : memory) word = bench.random();
    }

    static unsigned bits(const uint32_t *wide, size_t from, size_t count)
    {
        unsigned value = 0;
        for (size_t i = 0; i < count; ++i) value |= (wide[(from + i) / 32] >> (from + i) % 32 & 1) << i;
        return value;
    }

    void give(const Job &job)
    {
        // From the lowest field up, as in hash_job_t.
        std::array<uint32_t, 3> wide{};
        size_t at = 0;
        const auto put = [&](unsigned value, size_t width) {
            for (size_t i = 0; i < width; ++i, ++at) wide[at / 32] |= (value >> i & 1) << at % 32;
        };
        put(job.slot, 4);
        put(job.check, 1);
        put(job.digest_words, 4);
        put(job.digest_addr, 9);
        put(job.tail, 16);
        put(job.tail_bytes, 2);
        put(job.second_words, 3);
        put(job.second_addr, 9);
        put(job.first_words, 8);
        put(job.first_addr, 9);
        put(job.follows, 1);
        put(job.sink, 2);
        put(job.hash, 2);
        for (size_t i = 0; i < 3; ++i) m.job_i[i] = wide[i];
    }

    // One edge; collects what comes out. True if a job that was offered has been taken.
    bool step()
    {
        m.eval();
        lose();
        const bool taken = m.job_valid_i && m.job_ready_o;
        const unsigned raddr = m.raddr_o;
        const bool unwritten = raddr >= m.avail_i && raddr < written_late;
        if (m.digest_valid_o) {
            digests[m.digest_addr_o] = m.digest_data_o;
            checks[m.digest_addr_o] = m.digest_check_o;
        }
        if (m.a_we_o)
            for (unsigned j = 0; j < 8; ++j)
                matrix[m.a_waddr_o >> 5][(m.a_waddr_o & 31) * 8 + j] = static_cast<int>(
                    bits(m.a_wdata_o.data(), 12 * j, 12));
        if (m.n_we_o)
            for (unsigned j = 0; j < 16; ++j) {
                const int value = static_cast<int>(m.n_wdata_o >> 3 * j & 7);
                noise[m.n_waddr_o >> 4][(m.n_waddr_o & 15) * 16 + j] = value < 4 ? value : value - 8;
            }
        if (m.a_done_o) ++matrix_done[m.a_done_slot_o];
        if (m.n_done_o) ++noise_done[m.n_done_slot_o];
        bench.step();
        m.rdata_i = unwritten ? bench.random() : memory[raddr];
        return taken;
    }

    // An unlucky entry loses its coefficients when its last word is counted: the count in that cycle and in the next,
    // the rest in the one after, when the last of them has moved on.
    void lose()
    {
        auto &root = *m.rootp;
        losing <<= 1;
        const bool complete = root.INSIDE(u_hash__DOT__verdict_delay_q) & 2 && root.INSIDE(u_hash__DOT__enough_i);
        if (complete && (unlucky & ~lost) >> m.a_done_slot_o & 1) {
            lost |= 1u << m.a_done_slot_o;
            losing |= 1;
        }
        if (losing & 3) root.INSIDE(u_sampler__DOT__total_q) = 0;
        if (losing & 4) root.INSIDE(u_sampler__DOT__groups_q) = 0;
        if (losing & 4) root.INSIDE(u_sampler__DOT__fill_q) = 0;
        m.eval();
    }

    uint64_t run(const std::vector<Job> &jobs, unsigned offer_chance = 100, unsigned digest_chance = 100,
                 unsigned avail_chance = 100)
    {
        size_t given = 0;
        bool offered = false;
        m.avail_i = avail_chance == 100 ? 512 : 0;
        lost = 0;
        const uint64_t begin = bench.edges;
        uint64_t next = 0;
        for (;;) {
            offered = offered || (bench.chance(offer_chance) && bench.edges >= next);
            m.job_valid_i = offered && given < jobs.size();
            if (m.job_valid_i) give(jobs[given]);
            m.digest_next_i = bench.chance(digest_chance);
            if (m.avail_i < 512 && bench.chance(avail_chance)) ++m.avail_i;
            if (step()) {
                ++given;
                offered = false;
                next = bench.edges + pause;
            }
            m.job_valid_i = 0;
            m.eval();
            if (given == jobs.size() && m.idle_o) break;
            if (bench.edges - begin > 200000) {
                ADD_FAILURE() << "the unit does not end";
                break;
            }
        }
        const uint64_t edges = bench.edges - begin;
        for (int i = 0; i < 8; ++i) step();
        for (const Job &job : jobs) check(job);
        digests.clear();
        return edges;
    }

    // An entry of the matrix. `further`: the blocks that bad luck cost.
    Poly sample(const Job &job, size_t *further = nullptr)
    {
        Sponge xof = sponge(job, memory);
        size_t bytes;
        Poly poly = sample_ntt(xof, bytes);
        if (unlucky >> job.slot & 1) {
            xof.squeeze(bytes > 3 * 168 ? 4 * 168 : 3 * 168);
            poly = sample_ntt(xof, bytes);
            if (further) *further += (bytes + 167) / 168;
        }
        return poly;
    }

    void check(const Job &job)
    {
        if (job.sink == Matrix) {
            ASSERT_EQ(matrix_done[job.slot]--, 1) << "slot " << job.slot;
            ASSERT_EQ(matrix[job.slot], sample(job));
        } else if (job.sink != Digest) {
            ASSERT_EQ(noise_done[job.slot]--, 1) << "slot " << job.slot;
            ASSERT_EQ(noise[job.slot], sample_cbd(job.sink == Cbd2 ? 2 : 3, sponge(job, memory)));
        } else {
            const Bytes expected = sponge(job, memory).squeeze(8 * job.digest_words);
            for (unsigned i = 0; i < job.digest_words; ++i) ASSERT_EQ(checks[job.digest_addr + i], job.check);
            for (size_t i = 0; i < expected.size(); ++i)
                ASSERT_EQ(digests[job.digest_addr + i / 8] >> i % 8 * 8 & 0xff, expected[i])
                    << "hash " << job.hash << ", " << job.first_words << " words, byte " << i;
        }
    }

    Job entry(unsigned rho, unsigned slot, unsigned tail)
    {
        return {Shake128, Matrix, 0, rho, 4, 0, 0, 2, tail, 0, 0, slot};
    }
    Job prf(unsigned eta, unsigned slot)
    {
        return {Shake256, eta == 2 ? Cbd2 : Cbd3, 0, 40, 4, 0, 0, 1, slot, 0, 0, slot};
    }

    // The tail that makes an entry of more bytes than `above` and at most `most`.
    unsigned tail_of(unsigned rho, size_t above, size_t most)
    {
        for (unsigned tail = 0; tail < 65536; ++tail) {
            size_t bytes;
            sample_ntt(sponge(entry(rho, 0, tail), memory), bytes);
            if (bytes > above && bytes <= most) return tail;
        }
        ADD_FAILURE() << "no such entry";
        return 0;
    }

    unsigned tail_of(unsigned rho, unsigned blocks)
    {
        return tail_of(rho, 168 * (blocks - 1), 168 * blocks);
    }

    Bench<Vhash> bench;
    Vhash &m = *bench.model;
    std::array<uint64_t, 512> memory;
    unsigned written_late = 0;      // words below hold nothing until they are available
    unsigned pause = 0;             // edges between jobs
    unsigned unlucky = 0, lost = 0; // bits by slot
    unsigned losing = 0;            // bit i: i edges since the last word of an unlucky entry was counted
    std::map<unsigned, uint64_t> digests;
    std::map<unsigned, unsigned> checks;
    std::array<Poly, 16> matrix{}, noise{};
    std::array<int, 16> matrix_done{}, noise_done{};
};

} // namespace

TEST_F(HashUnit, EveryLength)
{
    for (unsigned hash : {Sha3_256, Sha3_512, Shake128, Shake256})
        for (unsigned tail_bytes = 0; tail_bytes < 3; ++tail_bytes) {
            std::vector<Job> jobs;
            for (unsigned words = 1; words < 60; ++words)
                jobs.push_back({hash, Digest, 0, 100, words, 200, words % 5, tail_bytes, 0xa5c3, words * 8,
                                words % 2 ? 8u : 4u, 0});
            run(jobs);
            run({jobs[3], jobs[40], jobs[16], jobs[12]}, 10, 15);
        }
}

TEST_F(HashUnit, FollowsWhatIsWritten)
{
    written_late = 300;
    for (unsigned chance : {90, 50, 5}) {
        run({{Sha3_256, Digest, 1, 0, 196, 300, 4, 0, 0, 8, 4, 0}}, 100, 100, chance);
        run({{Shake256, Digest, 1, 3, 45, 0, 0, 0, 0, 8, 4, 0}, prf(2, 1)}, 100, 100, chance);
    }
}

TEST_F(HashUnit, Noise)
{
    std::vector<Job> jobs;
    for (unsigned slot = 0; slot < 16; ++slot) jobs.push_back(prf(slot % 3 == 0 ? 3 : 2, slot));
    run(jobs);
    run(jobs, 3);
}

TEST_F(HashUnit, Matrix)
{
    std::vector<Job> jobs;
    for (unsigned slot = 0; slot < 16; ++slot) jobs.push_back(entry(20, slot, slot));
    run(jobs);
    run(jobs, 2);
}

// Entries of three and four blocks in all orders, alone, before entries and before other jobs.
TEST_F(HashUnit, FurtherBlocks)
{
    const unsigned three = tail_of(20, 3), four = tail_of(20, 4);
    for (unsigned chance : {100, 4})
        for (unsigned pattern = 0; pattern < 16; ++pattern) {
            std::vector<Job> jobs;
            for (unsigned i = 0; i < 4; ++i) jobs.push_back(entry(20, i, pattern >> i & 1 ? four : three));
            run(jobs, chance);
            jobs.push_back(prf(2, 5));
            jobs.push_back(entry(20, 7, four));
            jobs.push_back({Sha3_512, Digest, 0, 0, 9, 0, 0, 0, 0, 8, 8, 0});
            jobs.push_back(prf(3, 6));
            run(jobs, chance, 30);
        }
}

// No search finds a message with an entry that takes five blocks: here some take six and more.
TEST_F(HashUnit, ManyFurtherBlocks)
{
    const unsigned three = tail_of(20, 3);
    const std::vector<Job> jobs = {entry(20, 0, three),          entry(20, 1, three + 1),
                                   entry(20, 2, three),          prf(3, 5),
                                   entry(20, 3, tail_of(20, 4)), {Sha3_256, Digest, 0, 0, 40, 0, 0, 1, 9, 8, 4, 0},
                                   entry(20, 4, three)};
    const uint64_t lucky = run(jobs);
    for (unsigned chance : {100, 4})
        for (unlucky = 1; unlucky < 32; ++unlucky) {
            size_t further = 0;
            for (const Job &job : jobs)
                if (job.sink == Matrix) sample(job, &further);
            const uint64_t edges = run(jobs, chance);
            if (chance == 100) EXPECT_LE(edges, lucky + 64 * further) << unlucky;
            ASSERT_FALSE(HasFailure()) << unlucky;
        }
}

// A job that comes at each moment of the entry before it; that entry's verdict may find it half read.
TEST_F(HashUnit, JobAtEachMoment)
{
    const unsigned tails[] = {tail_of(20, 3), tail_of(20, 4)};
    for (pause = 0; pause < 160; ++pause)
        for (unsigned tail : tails)
            for (const Job &job :
                 {Job{Sha3_512, Digest, 0, 3, 30, 0, 0, 0, 0, 8, 8, 0},
                  Job{Sha3_256, Digest, 0, 5, 17, 70, 3, 1, 2, 8, 4, 0}, prf(3, 1), entry(20, 1, tails[1])}) {
                run({entry(20, 0, tail), job, prf(2, 2)});
                ASSERT_FALSE(HasFailure()) << "pause " << pause << ", hash " << job.hash;
            }
}

// Jobs of all kinds in any order, offered and fetched at any pace.
TEST_F(HashUnit, AnyOrder)
{
    const unsigned tails[] = {tail_of(20, 3), tail_of(20, 4)};
    for (unsigned round = 0; round < 300; ++round) {
        std::vector<Job> jobs;
        for (unsigned i = 0; i < 10; ++i) {
            const auto pick = [&](unsigned count) { return static_cast<unsigned>(bench.random() % count); };
            if (bench.chance(40)) {
                jobs.push_back(entry(20, i, tails[pick(2)]));
            } else if (bench.chance(50)) {
                jobs.push_back(prf(2 + pick(2), i));
            } else {
                const unsigned words = 4 << pick(2);
                jobs.push_back({pick(4), Digest, pick(2), pick(200), 1 + pick(40), pick(400), pick(5), pick(3),
                                pick(65536), 8 * i, words, 0, pick(2)});
            }
        }
        const unsigned paces[] = {100, 50, 5};
        run(jobs, paces[round % 3], paces[round / 3 % 3], paces[round / 9 % 3]);
        ASSERT_FALSE(HasFailure()) << "round " << round;
    }
}

TEST_F(HashUnit, TakesTheTimeThatIsPromised)
{
    const unsigned three = tail_of(20, 3), four = tail_of(20, 4);
    const auto entries = [&](std::initializer_list<unsigned> tails) {
        std::vector<Job> jobs;
        for (unsigned tail : tails) jobs.push_back(entry(20, static_cast<unsigned>(jobs.size()), tail));
        return run(jobs);
    };
    // Of an entry of three blocks; of a block of noise; of a block of a message. With two rounds a cycle the words that
    // leave and that come in take longer than the permutation.
    const unsigned entry_cycles = ROUNDS == 1 ? 72 : 66, noise_cycles = ROUNDS == 1 ? 24 : 16,
                   block_cycles = ROUNDS == 1 ? 24 : 20;
    const uint64_t one = entries({three});
    EXPECT_EQ(entries({three, three}), one + entry_cycles);
    EXPECT_EQ(entries({three, three, three, three}), one + 3 * entry_cycles);
    // The third block's last word, and then its last but one, decides.
    EXPECT_EQ(entries({tail_of(20, 495, 504), three}), one + entry_cycles);
    EXPECT_EQ(entries({tail_of(20, 486, 495), three}), one + entry_cycles);
    const uint64_t noise = run({prf(2, 1), prf(2, 2), prf(2, 3), prf(2, 4)});
    EXPECT_LE(noise, 4 * noise_cycles + 30);
    EXPECT_EQ(run({prf(2, 1), prf(2, 2), prf(2, 3), prf(2, 4), prf(2, 5)}), noise + noise_cycles);
    for (auto tails : {std::initializer_list<unsigned>{four},
                       {four, three},
                       {three, four, three, three},
                       {three, three, three, four}}) {
        EXPECT_LE(entries(tails) - one, entry_cycles * (tails.size() - 1) + 64);
        EXPECT_GT(entries(tails) - one, entry_cycles * (tails.size() - 1));
    }
    EXPECT_EQ(run({{Sha3_256, Digest, 0, 0, 17 * 9, 0, 0, 0, 0, 8, 4, 0}}) -
                  run({{Sha3_256, Digest, 0, 0, 17 * 4, 0, 0, 0, 0, 8, 4, 0}}),
              block_cycles * 5);
}

TEST_F(HashUnit, ForgetsWhenCleared)
{
    for (unsigned after = 0; after < 200; ++after) {
        const std::vector<Job> jobs = {entry(20, 1, 5), prf(2, 2), {Sha3_512, Digest, 0, 0, 9, 0, 0, 0, 0, 8, 8, 0}};
        size_t given = 0;
        for (unsigned i = 0; i < after; ++i) {
            m.job_valid_i = given < jobs.size();
            if (m.job_valid_i) give(jobs[given]);
            given += step();
        }
        m.job_valid_i = 0;
        m.clear_i = 1;
        step();
        m.clear_i = 0;
        m.eval();
        EXPECT_TRUE(m.idle_o);
        for (int i = 0; i < 60; ++i) {
            step();
            EXPECT_FALSE(m.digest_valid_o || m.a_we_o || m.n_we_o);
        }
        matrix_done = noise_done = {};
        digests.clear();
        run(jobs);
    }
}

// Cleared at any time, two units that hashed other secrets under the same rho hold the same.
TEST(HashResidue, NothingSecretIsLeft)
{
    LATKEM_NEEDS_STATE();
    class Unit : public HashUnit
    {
      public:
        std::string state_after(unsigned edges, uint64_t secrets)
        {
            for (size_t i = 0; i < memory.size(); ++i) memory[i] = i >= 20 && i < 24 ? i : i * secrets;
            const std::vector<Job> jobs = {{Sha3_512, Digest, 0, 100, 9, 0, 0, 0, 0, 8, 4, 0},
                                           prf(3, 1),
                                           prf(2, 2),
                                           entry(20, 1, 5),
                                           {Shake256, Digest, 0, 100, 4, 0, 0, 0, 0, 8, 4, 0}};
            size_t given = 0;
            for (unsigned i = 0; i < edges; ++i) {
                m.job_valid_i = given < jobs.size();
                if (m.job_valid_i) give(jobs[given]);
                given += step();
            }
            m.job_valid_i = 0;
            give(jobs[0]);
            m.clear_i = 1;
            step();
            m.clear_i = 0;
            m.rdata_i = 0;
            step();
            m.rdata_i = 0;
            m.eval();
            return state_bytes(m);
        }

      private:
        void TestBody() override
        {
        }
    };

    for (unsigned edges = 0; edges < 290; ++edges) {
        const std::string one = Unit().state_after(edges, 0x9e3779b97f4a7c15);
        const std::string other = Unit().state_after(edges, 0xd1342543de82ef95);
        ASSERT_GT(one.size(), 500u);
        ASSERT_EQ(one == other, true) << "cleared after " << edges << " edges";
    }
}
