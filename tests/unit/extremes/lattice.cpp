// Finds the input in negacyclic_lattice.inc, for which Saber's NTT for NEON returns a wrong product if the sums before the
// last layer of its inverse are not reduced.
//
// The product x = h_4 must be close to its largest value, which makes f follow the signs of g, and the sum b that becomes it
// must be large: scaling takes b w - round(b w' / 2^31) q for b w modulo q, and w' 2^-31 differs from w / q enough for a
// quotient that is off by one if x / q + (w' / 2^31 - w / q) b > 1/2. b is a sum of 32 residues modulo q between -q/2 and q/2,
// which take all of h modulo X^8. So some coefficients of f step back from their ends, by few enough that x stays large, such
// that all residues are close to the same value: a close vector of a lattice, found by LLL and Babai's nearest plane.
// `cmake --build TREE --target lattice` builds this; its output is negacyclic_lattice.inc.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace
{

constexpr size_t n = 256, rank = 4, coefficient = 4, residues = 32, steps = 40;
constexpr int64_t q = 46240001; // arch/aarch64/neon/negacyclic_factors.h
constexpr int64_t scaling = 1 << 20;
constexpr double typical_step = 400, weight = 6000; // of a step beside a residue

using Values = std::array<int64_t, n>;
using Polynomials = std::array<Values, rank>;
using Vector = std::vector<double>;

// ---- The transform ----

int64_t modulo(int64_t x)
{
    return (x % q + q) % q;
}

int64_t centred(int64_t x)
{
    return modulo(x + q / 2) - q / 2;
}

int64_t power(int64_t base, int64_t exponent)
{
    int64_t x = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % q)
        if (exponent % 2) x = x * base % q;
    return x;
}

// zeta^BitRev6(i)
int64_t factor(size_t i)
{
    size_t exponent = 0;
    for (size_t bit = 0; bit < 6; bit++)
        if (i >> bit & 1) exponent |= 32 >> bit;
    return power(640780, static_cast<int64_t>(exponent));
}

// The effect of the inverse's first layer on h: the products that add up to the sum for coefficient 4.
std::array<int64_t, residues> first_products(const Values &h)
{
    Values v = h;
    size_t block = 1;
    for (size_t length = n / 2; length >= 4; length /= 2)
        for (size_t begin = 0; begin < n; begin += 2 * length, block++)
            for (size_t i = begin; i < begin + length; i++) {
                const int64_t t = modulo(v[i + length]) * factor(block) % q;
                v[i + length] = modulo(v[i] - t);
                v[i] = modulo(v[i] + t);
            }
    const int64_t scale = 64 * power((int64_t{1} << 32) % q, q - 2) % q;
    std::array<int64_t, residues> products;
    for (size_t i = 0; i < residues; i++)
        products[i] = modulo(v[8 * i] - v[8 * i + 4]) * scale % q * power(factor(32 + i), q - 2) % q;
    return products;
}

// The part of h that comes of a 1 at place i of f, times g.
int64_t share(const Values &g, size_t i, size_t of)
{
    return of >= i ? g[of - i] : -g[n + of - i];
}

Values product(const Polynomials &f, const Polynomials &g)
{
    Values h{};
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) h[j] += f[k][i] * share(g[k], i, j);
    return h;
}

// ---- Lattices ----

double dot(const Vector &a, const Vector &b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    return sum;
}

void subtract(Vector &a, double times, const Vector &b)
{
    for (size_t i = 0; i < a.size(); i++) a[i] -= times * b[i];
}

// A basis with its orthogonalisation.
class Lattice
{
  public:
    explicit Lattice(std::vector<Vector> basis) : basis_(std::move(basis)), orthogonal_(basis_)
    {
        size_t i = 1;
        while (i < basis_.size()) {
            shorten(i);
            if (dot(orthogonal_[i], orthogonal_[i]) >= (0.99 - mu(i) * mu(i)) * squared(i - 1)) {
                i++;
                continue;
            }
            std::swap(basis_[i], basis_[i - 1]);
            orthogonalise(i - 1);
            if (i > 1) i--;
        }
    }

    Vector close_to(const Vector &target) const
    {
        Vector rest = target, close(target.size(), 0);
        for (size_t i = basis_.size(); i-- > 0;) {
            const double times = std::round(dot(rest, orthogonal_[i]) / squared(i));
            subtract(rest, times, basis_[i]);
            subtract(close, -times, basis_[i]);
        }
        return close;
    }

  private:
    double squared(size_t i) const
    {
        return dot(orthogonal_[i], orthogonal_[i]);
    }
    double mu(size_t i) const
    {
        return dot(basis_[i], orthogonal_[i - 1]) / squared(i - 1);
    }
    void orthogonalise(size_t i)
    {
        orthogonal_[i] = basis_[i];
        for (size_t j = 0; j < i; j++)
            subtract(orthogonal_[i], dot(basis_[i], orthogonal_[j]) / squared(j), orthogonal_[j]);
    }
    void shorten(size_t i)
    {
        for (size_t j = i; j-- > 0;)
            subtract(basis_[i], std::round(dot(basis_[i], orthogonal_[j]) / squared(j)), basis_[j]);
        orthogonalise(i);
    }

    std::vector<Vector> basis_, orthogonal_;
};

// ---- The input ----

struct Step {
    size_t k, i;
    int64_t towards_zero; // 1 or -1
};

Values change_by(const Step &step, const Polynomials &g)
{
    Values change;
    for (size_t j = 0; j < n; j++) change[j] = step.towards_zero * share(g[step.k], step.i, j);
    return change;
}

Lattice lattice_of(const std::vector<Step> &list, const Polynomials &g)
{
    std::vector<Vector> basis(residues + steps, Vector(residues + steps, 0));
    for (size_t i = 0; i < residues; i++) basis[i][i] = q;
    for (size_t s = 0; s < steps; s++) {
        const auto row = first_products(change_by(list[s], g));
        for (size_t i = 0; i < residues; i++) basis[residues + s][i] = static_cast<double>(centred(row[i]));
        basis[residues + s][residues + s] = weight;
    }
    return Lattice(basis);
}

// x / q + (w' / 2^31 - w / q) b: above 1/2 the quotient is off by one.
double error(const Values &h)
{
    int64_t b = 0;
    for (int64_t residue : first_products(h)) b += centred(residue);
    const double w = static_cast<double>(scaling) / q, quotient = std::round(w * 2147483648) / 2147483648;
    return static_cast<double>(h[coefficient]) / q + (quotient - w) * static_cast<double>(b);
}

void print(const Polynomials &f, const Polynomials &g, const std::vector<Step> &list)
{
    std::printf("// Made by lattice.cpp. SPDX-License-Identifier: Apache-2.0\n{{");
    for (const Values &row : g) {
        std::string digits;
        for (size_t i = 0; i < n; i += 4) {
            unsigned digit = 0;
            for (size_t bit = 0; bit < 4; bit++) digit |= (row[i + bit] > 0 ? 1u : 0u) << bit;
            digits += "0123456789abcdef"[digit];
        }
        std::printf("\"%s\",\n  ", digits.c_str());
    }
    std::printf("},\n {");
    for (size_t s = 0; s < steps; s++) {
        const int64_t value = f[list[s].k][list[s].i];
        std::printf("{%zu, %zu, %d},%s", list[s].k, list[s].i, static_cast<int>(value), s % 5 == 4 ? "\n  " : " ");
    }
    std::printf("}}\n");
}

} // namespace

int main()
{
    std::mt19937_64 random(1);
    Polynomials f, g;
    for (Values &row : g)
        for (int64_t &c : row) c = random() % 2 ? 5 : -5;
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++) f[k][i] = share(g[k], i, coefficient) > 0 ? 4095 : -4096;
    std::vector<Step> list;
    for (size_t s = 0; s < steps; s++) {
        const size_t k = random() % rank, i = s * (n / steps) + random() % (n / steps);
        list.push_back({k, i, f[k][i] > 0 ? -1 : 1});
    }
    const Lattice lattice = lattice_of(list, g);
    const auto before = first_products(product(f, g));
    Vector target(residues + steps, weight * typical_step);
    for (size_t i = 0; i < residues; i++) target[i] = 0.48 * q - static_cast<double>(before[i]);
    const Vector close = lattice.close_to(target);
    for (size_t s = 0; s < steps; s++)
        f[list[s].k][list[s].i] += list[s].towards_zero * std::lround(close[residues + s] / weight);
    const double reached = error(product(f, g));
    std::fprintf(stderr, "%.4f\n", reached);
    if (reached < 0.5) return 1;
    print(f, g, list);
}
