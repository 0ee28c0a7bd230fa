// Climbs to the inputs in negacyclic.inc, for which Saber's NTTs for x86-64 leave 16 bits if their one reduction is left out.
// Random coefficients never come near that.
//
// It computes as the kernels do, but in wide integers, without the reduction. A step changes some coefficients to their other
// end, and is taken back if the largest value has become smaller. `cmake --build TREE --target climb` builds it; its output
// is negacyclic.inc. Modulo the smaller prime no climb has left 16 bits.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>

namespace
{

constexpr size_t n = 256;
constexpr int limit = 32767; // of int16_t

using Values = std::array<int, n>;

// The transforms modulo q as in arch/x86_64/negacyclic_constants.h: signed Montgomery arithmetic with R = 2^16.
class Modulus
{
  public:
    Modulus(int q, int zeta) : q_(q)
    {
        for (size_t i = 0; i < factors_.size(); i++) {
            int64_t x = (int64_t{1} << 16) % q;
            for (size_t bit = 0; bit < 7; bit++)
                if (i >> bit & 1) x = x * power(zeta, 64 >> bit) % q;
            factors_[i] = centred(x);
        }
    }

    // The forward transform without its reduction.
    Values ntt(Values v) const
    {
        size_t block = 1;
        for (size_t length = n / 2; length >= 2; length /= 2)
            for (size_t begin = 0; begin < n; begin += 2 * length, block++)
                for (size_t i = begin; i < begin + length; i++) {
                    const int t = montgomery(v[i + length], factors_[block]);
                    v[i + length] = v[i] - t;
                    v[i] += t;
                }
        return v;
    }

    int q() const
    {
        return q_;
    }

  private:
    int64_t power(int64_t base, size_t exponent) const
    {
        int64_t x = 1;
        for (; exponent > 0; exponent--) x = x * base % q_;
        return x;
    }
    int centred(int64_t x) const
    {
        return static_cast<int>((x + q_ / 2) % q_) - q_ / 2;
    }
    int inverse() const // q^-1 modulo R
    {
        return 2 - q_;
    }
    static int low(int64_t x)
    {
        return static_cast<int16_t>(x);
    }
    int montgomery(int64_t a, int64_t w) const
    {
        return static_cast<int>((a * w - int64_t{low(a * w * inverse())} * q_) >> 16);
    }

    int q_;
    std::array<int, n / 2> factors_{};
};

// Bit i % 4 of digit i / 4 is set where coefficient i is at its upper end.
std::string hex(const Values &f)
{
    std::string text;
    for (size_t i = 0; i < n; i += 4) {
        unsigned digit = 0;
        for (size_t bit = 0; bit < 4; bit++) digit |= (f[i + bit] > 0 ? 1u : 0u) << bit;
        text += "0123456789abcdef"[digit];
    }
    return text;
}

int height(const Modulus &modulus, const Values &f)
{
    int most = 0;
    for (int c : modulus.ntt(f)) most = std::max(most, std::abs(c));
    return most;
}

constexpr int attempts = 400, patience = 5000, low = -4096, high = 4095;

// Climbs until as many steps in a row as patience says have led no higher.
int climb(const Modulus &modulus, Values &f, std::mt19937_64 &random)
{
    int now = height(modulus, f);
    for (int since = 0; since < patience; since++) {
        Values next = f;
        for (size_t changes = 1 + random() % 3; changes > 0; changes--) {
            int &c = next[random() % n];
            c = c == low ? high : low;
        }
        const int then = height(modulus, next);
        if (then < now) continue;
        if (then > now) since = 0;
        now = then;
        f = next;
    }
    return now;
}

} // namespace

int main()
{
    std::printf("// Made by climb.cpp. SPDX-License-Identifier: Apache-2.0\n");
    const Modulus moduli[] = {{7681, 198}, {7937, 71}};
    for (const Modulus &modulus : moduli) {
        std::mt19937_64 random(1);
        int highest = 0;
        for (int attempt = 0; attempt < attempts; attempt++) {
            Values f;
            for (int &c : f) c = random() % 2 ? low : high;
            const int end = climb(modulus, f, random);
            if (end > limit) std::printf("\"%s\", // %d modulo %d\n", hex(f).c_str(), end, modulus.q());
            highest = std::max(highest, end);
        }
        std::printf("// %d: %d at most\n", modulus.q(), highest);
    }
}
