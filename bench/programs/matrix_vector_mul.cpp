// The MatrixVectorMul experiment: one function with a flag and divisions by powers of two, as in Saber's reference code,
// beside two functions with shifts alone, and each change by itself; rows mvm/<form>/<arithmetic>/<optimisation>/<set>.
// For their share, the operations of the wire tier on the portable backend; rows op/<operation>/<set>.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/backend.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <stdexcept>

extern "C" {
#include "matrix_vector_mul/ways.h"
}
// C's rules for initialisers are not C++'s.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern "C" {
#include "api/kem.h"
#include "scheme/saber/params.h"
}
#pragma GCC diagnostic pop
#include "rounds.h"
#include "workload.h"

namespace
{

constexpr size_t n = LK_NEGACYCLIC_N, packed_bytes = 13 * n / 8;
using Plain = std::array<uint32_t, n>; // coefficients in the order of their exponents, modulo 8192

struct Arithmetic {
    const char *name, *optimisation;
    const mvm_ways *ways;
};
constexpr std::array<Arithmetic, 4> arithmetics = {{{"divisions", "optimised", &mvm_divisions_optimised},
                                                    {"shifts", "optimised", &mvm_shifts_optimised},
                                                    {"divisions", "unoptimised", &mvm_divisions_unoptimised},
                                                    {"shifts", "unoptimised", &mvm_shifts_unoptimised}}};

// ---- What the product is, by the definition alone ----

Plain unpack(const std::vector<uint8_t> &packed)
{
    Plain plain = {};
    for (size_t bit = 0; bit < 13 * n; bit++) plain[bit / 13] |= (packed[bit / 8] >> bit % 8 & 1u) << bit % 13;
    return plain;
}

Plain plain_of(const lk_negacyclic_poly &f)
{
    std::vector<uint8_t> packed(packed_bytes);
    mvm_shifts_optimised.ring->pack_d13(packed.data(), &f);
    return unpack(packed);
}

void multiply_add(Plain &sum, const Plain &f, const Plain &g)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const uint32_t product = f[i] * g[j];
            sum[(i + j) % n] += i + j < n ? product : 0 - product;
        }
    }
}

// ---- Inputs and the product ----

// A random matrix and secret of a set, and room for what a way computes.
class Problem
{
  public:
    explicit Problem(const latkem_kem *kem) : l_(reinterpret_cast<const lk_saber_params *>(kem->row)->l)
    {
        std::mt19937 generator(std::random_device{}());
        std::vector<uint8_t> bytes(packed_bytes);
        const lk_negacyclic_kernels &ring = *mvm_shifts_optimised.ring;
        const auto fill = [&] {
            for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(generator());
        };
        for (lk_negacyclic_poly &f : a_) fill(), ring.unpack_d13(&f, bytes.data());
        for (lk_negacyclic_poly &f : s_) fill(), ring.cbd_mu8(&f, bytes.data());
        for (const bool transpose : {false, true})
            for (size_t i = 0; i < l_; i++) expected_[transpose].push_back(row_product(i, transpose));
    }
    // A's product with s and that of its transpose take turns.
    void multiply(const mvm_ways &ways, bool with_flag, size_t turn)
    {
        const bool transpose = turn % 2 == 1;
        if (with_flag)
            ways.flagged(b_.data(), a_.data(), s_.data(), l_, transpose, &memory_);
        else
            (transpose ? ways.transposed : ways.product)(b_.data(), a_.data(), s_.data(), l_, &memory_);
    }
    void verify(size_t turn) const
    {
        const std::vector<Plain> &expected = expected_[turn % 2];
        for (size_t i = 0; i < l_; i++)
            if (plain_of(b_[i]) != expected[i]) throw std::runtime_error("not the product of matrix and vector");
    }

  private:
    Plain row_product(size_t i, bool transpose) const
    {
        Plain sum = {};
        for (size_t j = 0; j < l_; j++)
            multiply_add(sum, plain_of(a_[transpose ? l_ * j + i : l_ * i + j]), plain_of(s_[j]));
        for (uint32_t &c : sum) c %= 8192;
        return sum;
    }

    using Room =
        std::array<std::max_align_t, LK_NEGACYCLIC_RANK_MAX * LK_NEGACYCLIC_EVALUATED_MAX / sizeof(std::max_align_t)>;
    size_t l_;
    std::array<lk_negacyclic_poly, LK_NEGACYCLIC_RANK_MAX * LK_NEGACYCLIC_RANK_MAX> a_;
    std::array<lk_negacyclic_poly, LK_NEGACYCLIC_RANK_MAX> s_, b_;
    std::array<std::vector<Plain>, 2> expected_;
    Room secret_, row_, scratch_;
    mvm_memory memory_ = {secret_.data(), row_.data(), scratch_.data()};
};

// ---- Rows ----

Row product_row(const std::shared_ptr<Problem> &problem, const Arithmetic &arithmetic, bool with_flag,
                const std::string &set)
{
    const std::string way = std::string(with_flag ? "flag/" : "split/") + arithmetic.name;
    Row row = {"mvm/" + way + '/' + arithmetic.optimisation + '/' + set, 1, [] {}, {}, {}};
    row.run = [problem, &arithmetic, with_flag](size_t first, size_t calls) {
        for (size_t i = 0; i < calls; i++) problem->multiply(*arithmetic.ways, with_flag, first + i);
    };
    row.verify = [problem](size_t last) { problem->verify(last); };
    return row;
}

void require(int result)
{
    if (result != LATKEM_OK) throw std::runtime_error(describe_failure(result));
}

Row operation_row(const std::shared_ptr<Workload> &w, const Operation &operation)
{
    Row row = {std::string("op/") + operation.name + '/' + latkem_kem_name(w->kem), 1, [] {}, {}, {}};
    row.run = [w, &operation](size_t first, size_t calls) {
        for (size_t i = 0; i < calls; i++) require(operation.run(*w, first + i));
    };
    row.verify = [w, &operation](size_t last) { require(operation.verify(*w, last)); };
    return row;
}

void add_rows(std::vector<Row> &rows, const latkem_kem *kem)
{
    const auto problem = std::make_shared<Problem>(kem);
    for (const Arithmetic &arithmetic : arithmetics)
        for (const bool with_flag : {true, false})
            rows.push_back(product_row(problem, arithmetic, with_flag, latkem_kem_name(kem)));
    const auto workload = std::make_shared<Workload>(kem);
    for (const Operation &operation : all_operations)
        if (std::string(operation.tier) == "wire") rows.push_back(operation_row(workload, operation));
}

std::vector<Row> make_rows(const Options &options)
{
    require(latkem_backend_use("portable"));
    std::vector<Row> rows;
    for (const latkem_kem *kem : options.sets)
        if (kem->scheme == LK_SABER) add_rows(rows, kem);
    if (rows.empty()) throw std::runtime_error("none of these sets is one of Saber");
    return rows;
}

} // namespace

int main(int argc, char **argv)
{
    return rounds_main(argc, argv, "Times ways to write Saber's product of matrix and vector.", make_rows,
                       [](CLI::App &app) { app.remove_option(app.get_option("--backend")); });
}
