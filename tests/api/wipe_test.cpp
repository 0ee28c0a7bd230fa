// Secrets do not stay behind on the stack. Each operation runs on a thread whose stack is the test's own memory, which is
// then searched for every secret value of the operation: seeds, coins, hash outputs, noise and shared secrets as bytes,
// and polynomials packed and as 16-bit coefficients.
//
// The search sees memory, not registers, and values in the forms listed here, not in every form that a kernel may give
// them on the way.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <cstring>
#include <functional>
#include <unordered_map>

#include "crypto.h"
#include "kem_test.h"
#include "model.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATKEM_INSTRUMENTED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LATKEM_INSTRUMENTED 1
#endif

namespace
{

#if defined(LATKEM_INSTRUMENTED)
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

constexpr size_t stack_size = size_t{1} << 20;
constexpr size_t page = 65536; // at least a page on every platform
constexpr uint8_t fill = 0xa5;

Bytes as_bytes(const std::vector<int16_t> &coefficients, size_t from, size_t count)
{
    Bytes bytes(2 * count);
    std::memcpy(bytes.data(), &coefficients.at(from), bytes.size());
    return bytes;
}

// A set of secrets that can be searched for: a find is a run of a secret's bytes of its window length.
class SecretIndex
{
  public:
    // The default window cannot occur by chance in values that look random.
    void add(const std::string &name, const Bytes &secret, size_t window = 16, size_t step = 1)
    {
        for (size_t i = 0; i + window <= secret.size(); i += step)
            windows_.emplace(key(&secret[i]), Window{name, slice(secret, i, window)});
    }

    // Coefficients as a kernel holds them. Small ones repeat often, so their window is longer.
    void add(const std::string &name, const std::vector<int16_t> &coefficients, size_t window)
    {
        add(name, as_bytes(coefficients, 0, coefficients.size()), 2 * window, 2);
    }

    // The name of the first secret found, or nothing.
    std::string search(const uint8_t *memory, size_t size) const
    {
        for (size_t i = 0; i + 16 <= size; i++) {
            const auto [begin, end] = windows_.equal_range(key(memory + i));
            for (auto it = begin; it != end; ++it) {
                const Bytes &wanted = it->second.bytes;
                if (wanted.size() <= size - i && std::memcmp(memory + i, wanted.data(), wanted.size()) == 0)
                    return it->second.name + " at byte " + std::to_string(i);
            }
        }
        return "";
    }

  private:
    struct Window {
        std::string name;
        Bytes bytes;
    };
    using Key = std::pair<uint64_t, uint64_t>;

    struct Hash {
        size_t operator()(const Key &k) const
        {
            return static_cast<size_t>(k.first * 31 + k.second);
        }
    };

    static Key key(const uint8_t *bytes)
    {
        Key k;
        std::memcpy(&k.first, bytes, 8);
        std::memcpy(&k.second, bytes + 8, 8);
        return k;
    }

    std::unordered_multimap<Key, Window, Hash> windows_;
};

// Stack memory that outlives the thread which ran on it.
class OwnStack
{
  public:
    OwnStack() : memory_(stack_size + page)
    {
    }

    void run(const std::function<void()> &body)
    {
        std::memset(base(), fill, stack_size);
        pthread_attr_t attributes;
        pthread_t thread;
        ASSERT_EQ(pthread_attr_init(&attributes), 0);
        ASSERT_EQ(pthread_attr_setstack(&attributes, base(), stack_size), 0);
        ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()> *>(&body)), 0);
        ASSERT_EQ(pthread_join(thread, nullptr), 0);
        pthread_attr_destroy(&attributes);
    }

    std::string search(const SecretIndex &secrets)
    {
        const uint8_t *begin = base(), *end = begin + stack_size;
        while (begin < end && *begin == fill) begin++;
        return secrets.search(begin, static_cast<size_t>(end - begin));
    }

  private:
    static void *call(void *body)
    {
        (*static_cast<const std::function<void()> *>(body))();
        return nullptr;
    }

    uint8_t *base()
    {
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        return memory_.data() + (page - address % page) % page;
    }

    Bytes memory_;
};

// What a careless function does; in several places, since what runs later may use a part of its frame.
[[gnu::noinline]] void leave_on_stack(const Bytes &bytes)
{
    uint8_t local[2048];
    for (size_t i = 0; i + bytes.size() <= sizeof local; i += bytes.size()) {
        std::memcpy(local + i, bytes.data(), bytes.size());
    }
    __asm__ volatile("" : : "r"(local) : "memory"); // the copy cannot be left out
}

class Wipe : public KemTest
{
  protected:
    void SetUp() override
    {
        if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
        KemTest::SetUp();
        Stream stream(std::string("wipe ") + set().name);
        seed_ = stream.bytes(sizes().seed);
        coins_ = stream.bytes(sizes().coins);
        keys_ = keypair(seed_);
        encapsulation_ = encaps(keys_.ek, coins_);
        altered_ = encapsulation_.ct;
        altered_[0] ^= 1;
        add_key_secrets();
        add_encapsulation_secrets();
    }

    unsigned eta1() const
    {
        return set().rank == 2 ? 3 : 2;
    }

    void add_noise(const std::string &name, const Bytes &seed, size_t nonce, unsigned eta)
    {
        const Bytes bytes = prf(set(), seed, static_cast<uint8_t>(nonce), 64 * eta);
        secrets_.add("PRF output for " + name, bytes);
        secrets_.add(name, centred_binomial(bytes, eta), 32);
    }

    bool is_saber() const
    {
        return set().family == Family::saber;
    }

    // Small coefficients, packed or not, repeat often, so their windows are longer.
    size_t packed_window() const
    {
        return is_saber() ? 32 : 16;
    }
    size_t hat_window() const
    {
        return is_saber() ? 32 : 8;
    }

    // The stream of a secret vector of Saber: 256 mu bits for each polynomial.
    void add_saber_stream(const std::string &name, const Bytes &seed)
    {
        const size_t mu = 14 - 2 * set().rank;
        Shake128 stream;
        stream.absorb(seed);
        secrets_.add(name, stream.squeeze(32 * mu * set().rank));
    }

    void add_key_secrets()
    {
        if (is_saber()) {
            sigma_ = slice(seed_, 32, 32);
            secrets_.add("sigma", sigma_);
            add_saber_stream("stream of s", sigma_);
            add_dk_secrets(secrets_, keys_.dk);
            return;
        }
        const Bytes d = slice(seed_, 0, 32), k = {static_cast<uint8_t>(set().rank)};
        sigma_ = slice(hash_g(set(), set().family == Family::mlkem ? d + k : d), 32, 32);
        secrets_.add("d", d);
        secrets_.add("sigma", sigma_);
        for (size_t i = 0; i < set().rank; i++) {
            add_noise("s", sigma_, i, eta1());
            add_noise("e", sigma_, set().rank + i, eta1());
        }
        add_dk_secrets(secrets_, keys_.dk);
    }

    void add_dk_secrets(SecretIndex &secrets, const Bytes &dk) const
    {
        const Bytes packed = dk_secret_vector(set(), dk);
        secrets.add("z", dk_rejection_seed(dk));
        secrets.add("packed s-hat", packed, packed_window());
        std::vector<int16_t> reduced = dk_secret_coefficients(set(), dk), centred = reduced;
        for (int16_t &c : centred)
            if (c > 3329 / 2) c = static_cast<int16_t>(c - 3329);
        secrets.add("s-hat", reduced, hat_window());
        if (!is_saber()) secrets.add("centred s-hat", centred, hat_window());
    }

    void add_encryption_noise(const Bytes &r)
    {
        for (size_t i = 0; i < set().rank; i++) {
            add_noise("y", r, i, eta1());
            add_noise("e1", r, set().rank + i, 2);
        }
        add_noise("e2", r, 2 * set().rank, 2);
    }

    void add_encapsulation_secrets()
    {
        const bool is_mlkem = set().family == Family::mlkem;
        const Bytes m = is_mlkem ? coins_ : hash_h(set(), coins_);
        const Bytes g = hash_g(set(), m + hash_h(set(), keys_.ek)), r = slice(g, 32, 32);
        secrets_.add("coins", coins_);
        secrets_.add("m", m);
        secrets_.add("K", slice(g, 0, 32));
        secrets_.add("r", r);
        if (is_saber())
            add_saber_stream("stream of s'", r);
        else
            add_encryption_noise(r);
        secrets_.add("ss", encapsulation_.ss);
        secrets_.add("ss of rejection", rejection_secret(set(), keys_.dk, altered_));
        secrets_.add("ss of rejection before the choice", rejection_secret(set(), keys_.dk, encapsulation_.ct));
    }

    // Runs the operation on the test's own stack and searches what it left there.
    void expect_clean(const std::function<int()> &operation)
    {
        int rc = -1;
        stack_.run([&] { rc = operation(); });
        EXPECT_EQ(rc, LATKEM_OK);
        EXPECT_EQ(stack_.search(secrets_), "") << "left on the stack";
    }

    // The same for an operation whose secrets are known from its outputs only.
    void expect_secret_of_output_gone(const Bytes &dk, const Bytes &ss)
    {
        SecretIndex outputs;
        if (!dk.empty()) add_dk_secrets(outputs, dk);
        outputs.add("ss", ss);
        EXPECT_FALSE(all_zero(dk + ss)) << "the operation failed";
        EXPECT_EQ(stack_.search(outputs), "") << "left on the stack";
    }

    Bytes seed_, coins_, altered_, sigma_;
    KeyPair keys_;
    Encapsulation encapsulation_;
    SecretIndex secrets_;
    OwnStack stack_;
};

// The search must find each form of secret that an operation could leave behind.
TEST_P(Wipe, ControlFindsPlantedSecrets)
{
    const std::vector<int16_t> s_hat = dk_secret_coefficients(set(), keys_.dk);
    std::vector<std::pair<const char *, Bytes>> planted = {
        {"sigma", slice(sigma_, 5, 16)},
        {"packed s-hat", slice(keys_.dk, 100, packed_window())},
        {"s-hat", as_bytes(s_hat, 20, hat_window())},
        {"z", slice(keys_.dk, sizes().dk - 16, 16)},
        {"ss", encapsulation_.ss},
    };
    if (!is_saber()) {
        const std::vector<int16_t> noise = centred_binomial(prf(set(), sigma_, 0, 64 * eta1()), eta1());
        planted.emplace_back("s", as_bytes(noise, 40, 32));
    }
    for (const auto &[name, secret] : planted) {
        stack_.run([&, &bytes = secret] { leave_on_stack(bytes); });
        EXPECT_EQ(stack_.search(secrets_).rfind(name + std::string(" at byte "), 0), 0u)
            << name << " was planted, found: " << stack_.search(secrets_);
    }
    stack_.run([&] { leave_on_stack(keys_.ek); });
    EXPECT_EQ(stack_.search(secrets_), "") << "ek is no secret";
}

TEST_P(Wipe, Keypair)
{
    Bytes ek(sizes().ek), dk(sizes().dk);
    expect_clean([&] { return latkem_keypair_derand(kem, ek.data(), dk.data(), seed_.data(), seed_.size()); });
    EXPECT_EQ(dk, keys_.dk);
    RecordingRng rng{seed_};
    expect_clean([&] { return latkem_keypair_rng(kem, ek.data(), dk.data(), RecordingRng::fill, &rng); });
    EXPECT_EQ(dk, keys_.dk);
}

TEST_P(Wipe, Encaps)
{
    Bytes ct(sizes().ct), ss(sizes().ss);
    const Bytes &ek = keys_.ek;
    expect_clean([&] {
        return latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins_.data(), coins_.size());
    });
    EXPECT_EQ(ss, encapsulation_.ss);
    RecordingRng rng{coins_};
    expect_clean(
        [&] { return latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), RecordingRng::fill, &rng); });
    EXPECT_EQ(ss, encapsulation_.ss);
}

TEST_P(Wipe, Decaps)
{
    Bytes ss(sizes().ss);
    for (const Bytes &ct : {encapsulation_.ct, altered_})
        expect_clean(
            [&] { return latkem_decaps(kem, ss.data(), ct.data(), ct.size(), keys_.dk.data(), keys_.dk.size()); });
}

TEST_P(Wipe, Prepared)
{
    Prepared ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    expect_clean([&] { return latkem_prepare_ek(kem, ek.data(), keys_.ek.data(), keys_.ek.size()); });
    expect_clean([&] { return latkem_prepare_dk(kem, dk.data(), keys_.dk.data(), keys_.dk.size()); });
    Bytes ct(sizes().ct), ss(sizes().ss);
    for (const Bytes &input : {encapsulation_.ct, altered_})
        expect_clean([&] { return latkem_decaps_prepared(kem, ss.data(), input.data(), input.size(), dk.data()); });
    stack_.run([&] { latkem_encaps_prepared(kem, ct.data(), ss.data(), ek.data()); });
    expect_secret_of_output_gone({}, ss);
}

TEST_P(Wipe, Batch)
{
    constexpr size_t n = 5;
    Bytes eks, dks, cts, sss(n * sizes().ss);
    for (size_t i = 0; i < n; i++) {
        eks = eks + keys_.ek;
        dks = dks + keys_.dk;
        cts = cts + (i % 2 == 0 ? encapsulation_.ct : altered_);
    }
    expect_clean([&] { return latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data()); });
    stack_.run([&] { latkem_encaps_batch(kem, n, cts.data(), sss.data(), eks.data()); });
    expect_secret_of_output_gone({}, sss);
    stack_.run([&] { latkem_keypair_batch(kem, n, eks.data(), dks.data()); });
    for (size_t i = 0; i < n; i++) expect_secret_of_output_gone(slice(dks, i * sizes().dk, sizes().dk), {});
}

// With the operating system's randomness only the outputs are known.
TEST_P(Wipe, OperatingSystemRandomness)
{
    Bytes ek(sizes().ek), dk(sizes().dk), ct(sizes().ct), ss(sizes().ss);
    stack_.run([&] { latkem_keypair(kem, ek.data(), dk.data()); });
    expect_secret_of_output_gone(dk, {});
    stack_.run([&] { latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()); });
    expect_secret_of_output_gone({}, ss);
}

LATKEM_FOR_EVERY_CASE(Wipe);

} // namespace
