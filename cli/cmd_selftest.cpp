// `latkem selftest`: does this build of the library, on this machine, with each backend, do what it should?
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/prepared.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "exchange.h"
#include "failure.h"
#include "kat.h"
#include "sets.h"
#include "sha256.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp help = {"selftest", "[SET ...] [--kex] [--rounds N] [--json]", "Test the library on this machine.",
                          R"(For each set and backend: key generation, encapsulation and decapsulation agree;
a wrong key and every altered byte of a ciphertext give another shared secret and
no error; wrong lengths, bad keys and a failing random generator give their
errors and zeroed outputs; the deterministic, prepared and batch forms agree with
the plain ones; and the 100 official known answers have the published SHA-256. Of
a hybrid, an altered ciphertext may be refused too, and the answers are those of
counting bytes as seed and coins.

--kex tests the key exchanges instead, of Kyber's and Kyber-90s's sets: both sides
get one key, a wrong message gives them different ones, the state serves once,
and the messages and keys of the official code's script have its SHA-256.

Examples:
  latkem selftest
  latkem selftest ML-KEM-768 --rounds 10000
  latkem selftest --backend portable --json
  latkem selftest --kex)",
                          "a test failed"};

struct KeyPair {
    Buffer ek, dk;
};

struct Secret {
    Buffer ct, ss;
};

KeyPair blank_keys(const latkem_kem *kem)
{
    return {Buffer(latkem_ek_bytes(kem)), Buffer(latkem_dk_bytes(kem))};
}

Secret blank_secret(const latkem_kem *kem)
{
    return {Buffer(latkem_ct_bytes(kem)), Buffer(latkem_ss_bytes(kem))};
}

KeyPair new_keys(const latkem_kem *kem)
{
    KeyPair keys = blank_keys(kem);
    require(latkem_keypair(kem, keys.ek.data(), keys.dk.data()), "key generation");
    return keys;
}

Secret new_secret(const latkem_kem *kem, const Buffer &ek)
{
    Secret secret = blank_secret(kem);
    require(latkem_encaps(kem, secret.ct.data(), secret.ss.data(), ek.data(), ek.size()), "encapsulation");
    return secret;
}

Buffer recover(const latkem_kem *kem, const Buffer &ct, const Buffer &dk)
{
    Buffer ss(latkem_ss_bytes(kem));
    require(latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size()), "decapsulation");
    return ss;
}

bool all_zero(const Buffer &buffer)
{
    return std::all_of(buffer.begin(), buffer.end(), [](uint8_t byte) { return byte == 0; });
}

// A call that must fail with a given error and zero its outputs, which hold rubbish before.
bool fails_clean(int expected, size_t size_1, size_t size_2, const std::function<int(uint8_t *, uint8_t *)> &call)
{
    Buffer out_1(size_1, 0xa5), out_2(size_2, 0xa5);
    return call(out_1.data(), out_2.data()) == expected && all_zero(out_1) && all_zero(out_2);
}

bool round_trip(const latkem_kem *kem, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        const KeyPair keys = new_keys(kem);
        const Secret secret = new_secret(kem, keys.ek);
        if (recover(kem, secret.ct, keys.dk) != secret.ss) return false;
    }
    return true;
}

bool wrong_key(const latkem_kem *kem, unsigned rounds)
{
    const KeyPair other = new_keys(kem);
    for (unsigned i = 0; i < rounds; i++) {
        const Secret secret = new_secret(kem, new_keys(kem).ek);
        if (recover(kem, secret.ct, other.dk) == secret.ss) return false;
    }
    return true;
}

// A byte of the ciphertext's lattice part, which the hybrids of P-256 and P-384 for TLS have behind the curve's.
size_t lattice_byte(const latkem_kem *kem, size_t i)
{
    constexpr size_t among = 600; // less than any set has
    const bool is_last = is_for_tls(kem) && std::strncmp(latkem_kem_name(kem), "SecP", 4) == 0;
    return is_last ? latkem_ct_bytes(kem) - 1 - i % among : i % among;
}

// An altered byte of a hybrid's ciphertext gives another secret, or no point of the curve. The lattice part has this test in
// ML-KEM, so that each 16th byte will do. X25519 does not look at the highest bit of its share.
bool altered_hybrid(const latkem_kem *kem)
{
    const KeyPair keys = new_keys(kem);
    Secret secret = new_secret(kem, keys.ek);
    for (size_t i = 0; i < secret.ct.size(); i += i < 100 || i + 100 > secret.ct.size() ? 1 : 16) {
        secret.ct[i] ^= 1;
        Buffer ss(secret.ss.size());
        const int result = latkem_decaps(kem, ss.data(), secret.ct.data(), secret.ct.size(), keys.dk.data(),
                                         keys.dk.size());
        if (result != LATKEM_ERR_CT) require(result, "decapsulation");
        if (ss == secret.ss || all_zero(ss) != (result == LATKEM_ERR_CT)) return false;
        secret.ct[i] ^= 1;
    }
    return recover(kem, secret.ct, keys.dk) == secret.ss;
}

// Every byte, because a comparison that leaves out a part of the ciphertext passes most random tests.
bool altered_ciphertext(const latkem_kem *kem, unsigned)
{
    if (is_hybrid(kem)) return altered_hybrid(kem);
    const KeyPair keys = new_keys(kem);
    Secret secret = new_secret(kem, keys.ek);
    for (size_t i = 0; i < secret.ct.size(); i++) {
        const uint8_t bit = static_cast<uint8_t>(1 << i % 8);
        secret.ct[i] ^= bit;
        const Buffer rejected = recover(kem, secret.ct, keys.dk);
        if (rejected == secret.ss || all_zero(rejected) || recover(kem, secret.ct, keys.dk) != rejected) return false;
        secret.ct[i] ^= bit;
    }
    return recover(kem, secret.ct, keys.dk) == secret.ss;
}

bool wrong_lengths(const latkem_kem *kem, unsigned)
{
    const KeyPair sizes = blank_keys(kem);
    const size_t ek = sizes.ek.size(), dk = sizes.dk.size(), ct = latkem_ct_bytes(kem), ss = latkem_ss_bytes(kem);
    const size_t seed = latkem_seed_bytes(kem), coins = latkem_coins_bytes(kem);
    const Buffer bytes(std::max({ek, dk, ct, seed, coins}) + 1);
    const uint8_t *in = bytes.data();
    auto refuses = [&](size_t right, size_t out_1, size_t out_2, auto call) {
        for (size_t wrong : {size_t{0}, right - 1, right + 1})
            if (!fails_clean(LATKEM_ERR_LENGTH, out_1, out_2,
                             [&](uint8_t *a, uint8_t *b) { return call(wrong, a, b); }))
                return false;
        return true;
    };
    return refuses(ek, ct, ss, [&](size_t n, uint8_t *a, uint8_t *b) { return latkem_encaps(kem, a, b, in, n); }) &&
           refuses(ct, ss, 0, [&](size_t n, uint8_t *a, uint8_t *) { return latkem_decaps(kem, a, in, n, in, dk); }) &&
           refuses(dk, ss, 0, [&](size_t n, uint8_t *a, uint8_t *) { return latkem_decaps(kem, a, in, ct, in, n); }) &&
           refuses(seed, ek, dk,
                   [&](size_t n, uint8_t *a, uint8_t *b) { return latkem_keypair_derand(kem, a, b, in, n); }) &&
           refuses(coins, ct, ss,
                   [&](size_t n, uint8_t *a, uint8_t *b) { return latkem_encaps_derand(kem, a, b, in, ek, in, n); });
}

// The hash inside dk: behind it there is z, and in X25519MLKEM768 the curve's key.
size_t hash_in_dk(const latkem_kem *kem)
{
    const size_t behind = std::strcmp(latkem_kem_name(kem), "X25519MLKEM768") == 0 ? 32 + 32 : 32;
    return latkem_dk_bytes(kem) - behind - 32;
}

// Only where ML-KEM is in it do the operations refuse more than a wrong length; a dk that is a seed cannot be wrong.
bool key_checks(const latkem_kem *kem, unsigned)
{
    KeyPair keys = new_keys(kem);
    if (latkem_check_ek(kem, keys.ek.data(), keys.ek.size()) != LATKEM_OK ||
        latkem_check_dk(kem, keys.dk.data(), keys.dk.size()) != LATKEM_OK)
        return false;
    if (is_research(kem)) return true;
    const Secret secret = new_secret(kem, keys.ek);
    keys.ek[0] = keys.ek[1] =
        0xff; // the first coefficient becomes 4095, which is not below q, or a point's form unknown
    if (!dk_is_seed(kem)) keys.dk[hash_in_dk(kem)] ^= 0x01;
    return fails_clean(
               LATKEM_ERR_EK, secret.ct.size(), secret.ss.size(),
               [&](uint8_t *ct, uint8_t *ss) { return latkem_encaps(kem, ct, ss, keys.ek.data(), keys.ek.size()); }) &&
           (dk_is_seed(kem) || fails_clean(LATKEM_ERR_DK, secret.ss.size(), 0, [&](uint8_t *ss, uint8_t *) {
                return latkem_decaps(kem, ss, secret.ct.data(), secret.ct.size(), keys.dk.data(), keys.dk.size());
            }));
}

bool failing_rng(const latkem_kem *kem, unsigned)
{
    latkem_rng_fn *fail_at_once = [](void *, uint8_t *, size_t) { return 1; };
    const KeyPair keys = new_keys(kem);
    return fails_clean(
               LATKEM_ERR_RNG, keys.ek.size(), keys.dk.size(),
               [&](uint8_t *ek, uint8_t *dk) { return latkem_keypair_rng(kem, ek, dk, fail_at_once, nullptr); }) &&
           fails_clean(LATKEM_ERR_RNG, latkem_ct_bytes(kem), latkem_ss_bytes(kem), [&](uint8_t *ct, uint8_t *ss) {
               return latkem_encaps_rng(kem, ct, ss, keys.ek.data(), keys.ek.size(), fail_at_once, nullptr);
           });
}

// A random generator that hands out given bytes, so that its user can be compared with the deterministic form.
struct Tape {
    Buffer bytes;
    size_t used = 0;

    explicit Tape(size_t size) : bytes(size)
    {
        KatDrbg(KatDrbg::Seed{}).fill(bytes.data(), bytes.size());
    }
    static int play(void *context, uint8_t *out, size_t size)
    {
        Tape &tape = *static_cast<Tape *>(context);
        if (size > tape.bytes.size() - tape.used) return 1;
        std::copy_n(tape.bytes.begin() + tape.used, size, out);
        tape.used += size;
        return 0;
    }
};

bool deterministic_forms(const latkem_kem *kem, unsigned)
{
    Tape seed(latkem_seed_bytes(kem)), coins(latkem_coins_bytes(kem));
    KeyPair taped = blank_keys(kem), keys = blank_keys(kem);
    require(latkem_keypair_rng(kem, taped.ek.data(), taped.dk.data(), Tape::play, &seed), "key generation");
    require(latkem_keypair_derand(kem, keys.ek.data(), keys.dk.data(), seed.bytes.data(), seed.bytes.size()),
            "key generation from a seed");
    Secret from_tape = blank_secret(kem), secret = blank_secret(kem);
    require(latkem_encaps_rng(kem, from_tape.ct.data(), from_tape.ss.data(), keys.ek.data(), keys.ek.size(), Tape::play,
                              &coins),
            "encapsulation");
    require(latkem_encaps_derand(kem, secret.ct.data(), secret.ss.data(), keys.ek.data(), keys.ek.size(),
                                 coins.bytes.data(), coins.bytes.size()),
            "encapsulation with given coins");
    return keys.ek == taped.ek && keys.dk == taped.dk && secret.ct == from_tape.ct && secret.ss == from_tape.ss &&
           seed.used == seed.bytes.size() && coins.used == coins.bytes.size() &&
           recover(kem, secret.ct, keys.dk) == secret.ss;
}

Buffer recover_prepared(const latkem_kem *kem, const Buffer &ct, const Buffer &prepared_dk)
{
    Buffer ss(latkem_ss_bytes(kem));
    require(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared_dk.data()), "prepared decapsulation");
    return ss;
}

bool prepared_keys(const latkem_kem *kem, unsigned rounds)
{
    const KeyPair keys = new_keys(kem);
    Buffer ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    require(latkem_prepare_ek(kem, ek.data(), keys.ek.data(), keys.ek.size()), "preparing ek");
    require(latkem_prepare_dk(kem, dk.data(), keys.dk.data(), keys.dk.size()), "preparing dk");
    for (unsigned i = 0; i < rounds; i++) {
        Secret secret = blank_secret(kem);
        require(latkem_encaps_prepared(kem, secret.ct.data(), secret.ss.data(), ek.data()), "prepared encapsulation");
        if (recover(kem, secret.ct, keys.dk) != secret.ss || recover_prepared(kem, secret.ct, dk) != secret.ss)
            return false;
        secret.ct[lattice_byte(kem, i)] ^= 0x10;
        if (recover_prepared(kem, secret.ct, dk) != recover(kem, secret.ct, keys.dk)) return false;
    }
    return true;
}

bool batches(const latkem_kem *kem, unsigned)
{
    constexpr size_t n = 9; // more than any backend's lanes, and no multiple of them
    const size_t ek = latkem_ek_bytes(kem), dk = latkem_dk_bytes(kem);
    const size_t ct = latkem_ct_bytes(kem), ss = latkem_ss_bytes(kem);
    Buffer eks(n * ek), dks(n * dk), cts(n * ct), sss(n * ss), recovered(n * ss);
    require(latkem_keypair_batch(kem, n, eks.data(), dks.data()), "batch key generation");
    require(latkem_encaps_batch(kem, n, cts.data(), sss.data(), eks.data()), "batch encapsulation");
    cts[lattice_byte(kem, ct - 1)] ^= 0x01; // element 0 must be rejected
    require(latkem_decaps_batch(kem, n, recovered.data(), cts.data(), dks.data()), "batch decapsulation");
    for (size_t i = 0; i < n; i++) {
        const Buffer single = recover(kem, Buffer(&cts[i * ct], ct), Buffer(&dks[i * dk], dk));
        const bool same = Buffer(&recovered[i * ss], ss) == Buffer(&sss[i * ss], ss);
        if (single != Buffer(&recovered[i * ss], ss) || same != (i > 0)) return false;
    }
    return true;
}

std::string digest_of(const Buffer &bytes)
{
    Sha256 hash;
    hash.update(bytes.data(), bytes.size());
    return hash.hex_digest();
}

bool hybrid_answers(const latkem_kem *kem)
{
    Buffer seed(latkem_seed_bytes(kem)), coins(latkem_coins_bytes(kem));
    std::iota(seed.data(), seed.data() + seed.size(), uint8_t{0});
    std::iota(coins.data(), coins.data() + coins.size(), uint8_t{0x80});
    KeyPair keys = blank_keys(kem);
    Secret secret = blank_secret(kem);
    require(latkem_keypair_derand(kem, keys.ek.data(), keys.dk.data(), seed.data(), seed.size()), "key generation");
    require(latkem_encaps_derand(kem, secret.ct.data(), secret.ss.data(), keys.ek.data(), keys.ek.size(), coins.data(),
                                 coins.size()),
            "encapsulation");
    const HybridAnswer answer = hybrid_answer(kem);
    return digest_of(keys.ek) == answer.ek && digest_of(secret.ct) == answer.ct && digest_of(secret.ss) == answer.ss &&
           recover(kem, secret.ct, keys.dk) == secret.ss;
}

bool known_answers(const latkem_kem *kem, unsigned)
{
    if (is_hybrid(kem)) return hybrid_answers(kem);
    const KatFile file = kat_file(kem);
    KatSequence sequence(kem);
    Sha256 hash;
    hash.update(rsp_head(file));
    for (unsigned i = 0; i < kat_entries; i++) hash.update(rsp_record(sequence.next()));
    return hash.hex_digest() == file.sha256;
}

// ---- The exchanges ----

// Runs the exchange between two static key pairs.
Exchange new_exchange(const latkem_kem *kem, Kex kind, const KeyPair &a, const KeyPair &b, Randomness randomness = {})
{
    Exchange exchange(kem, kind);
    require(exchange.start(b.ek, randomness), "start");
    require(exchange.reply(b.dk, a.ek, randomness), "reply");
    require(exchange.finish(a.dk), "finish");
    return exchange;
}

bool exchanges_agree(const latkem_kem *kem, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        for (Kex kind : {Kex::uake, Kex::ake}) {
            const Exchange exchange = new_exchange(kem, kind, new_keys(kem), new_keys(kem));
            if (exchange.key_a != exchange.key_b || all_zero(exchange.key_a) || !all_zero(exchange.state)) return false;
        }
    return true;
}

// A byte of either message is altered on its way: one of each sixteen, and a bit that walks.
bool altered_messages(const latkem_kem *kem, unsigned)
{
    const KeyPair a = new_keys(kem), b = new_keys(kem);
    for (Kex kind : {Kex::uake, Kex::ake}) {
        const size_t both = latkem_kex_message1_bytes(kem) + Exchange(kem, kind).message2.size();
        for (size_t i = 0; i < both; i += 16) {
            Exchange exchange(kem, kind);
            const size_t first = exchange.message1.size();
            require(exchange.start(b.ek), "start");
            if (i < first) exchange.message1[i] ^= static_cast<uint8_t>(1 << i / 16 % 8);
            require(exchange.reply(b.dk, a.ek), "reply");
            if (i >= first) exchange.message2[i - first] ^= static_cast<uint8_t>(1 << i / 16 % 8);
            require(exchange.finish(a.dk), "finish");
            if (exchange.key_a == exchange.key_b) return false;
        }
    }
    return true;
}

std::string digest(const Exchange &exchange)
{
    Sha256 hash;
    for (const Buffer *part : {&exchange.message1, &exchange.message2, &exchange.key_b})
        hash.update(part->data(), part->size());
    return hash.hex_digest();
}

// One generator makes the keys of B, then those of A, and feeds both exchanges.
bool exchange_known_answers(const latkem_kem *kem, unsigned)
{
    KatDrbg drbg(counting_bytes());
    KeyPair b = blank_keys(kem), a = blank_keys(kem);
    for (KeyPair *keys : {&b, &a})
        require(latkem_keypair_rng(kem, keys->ek.data(), keys->dk.data(), KatDrbg::fill_callback, &drbg),
                "key generation");
    const Randomness randomness = {KatDrbg::fill_callback, &drbg};
    const std::string uake = digest(new_exchange(kem, Kex::uake, a, b, randomness));
    const std::string ake = digest(new_exchange(kem, Kex::ake, a, b, randomness));
    const KexDigests expected = kex_digests(kem);
    return uake == expected.uake && ake == expected.ake;
}

struct Check {
    const char *name;
    bool (*passes)(const latkem_kem *, unsigned rounds); // false or a Failure: it does not
};

using Checks = std::vector<Check>;

const Checks kem_checks = {
    {"round trip", round_trip},
    {"wrong key", wrong_key},
    {"altered ciphertext", altered_ciphertext},
    {"wrong lengths", wrong_lengths},
    {"key checks", key_checks},
    {"failing random generator", failing_rng},
    {"deterministic forms", deterministic_forms},
    {"prepared keys", prepared_keys},
    {"batches", batches},
    {"known answers", known_answers},
};

const Checks exchange_checks = {
    {"both sides agree", exchanges_agree},
    {"altered messages", altered_messages},
    {"known answers", exchange_known_answers},
};

struct Options {
    std::vector<std::string> sets;
    std::string backend;
    unsigned rounds = 100;
    bool kex = false;
    bool json = false;
};

// Returns "" or why the check failed.
std::string run_check(const Check &check, const latkem_kem *kem, unsigned rounds)
{
    try {
        return check.passes(kem, rounds) ? "" : "the results are wrong";
    } catch (const Failure &failure) {
        return failure.what();
    }
}

// One set with the backend in force: {"set", "backend", "ok", "checks": [{"name", "ok", "fault"}]}.
ordered_json test_set(const latkem_kem *kem, const Checks &checks, unsigned rounds)
{
    ordered_json result = {{"set", latkem_kem_name(kem)}, {"backend", latkem_backend_name()}, {"ok", true}};
    for (const Check &check : checks) {
        const std::string fault = run_check(check, kem, rounds);
        result["checks"].push_back({{"name", check.name}, {"ok", fault.empty()}, {"fault", fault}});
        if (!fault.empty()) result["ok"] = false;
    }
    return result;
}

std::string failed_checks(const ordered_json &result)
{
    std::string text;
    for (const ordered_json &check : result["checks"])
        if (!check["ok"])
            text += (text.empty() ? "" : "; ") + check["name"].get<std::string>() + " (" +
                    check["fault"].get<std::string>() + ")";
    return text;
}

void print_line(const ordered_json &result)
{
    const std::string verdict = result["ok"] ? "ok" : "FAILED: " + failed_checks(result);
    print(
        format("%-18s %-10s ", result["set"].get<std::string>().c_str(), result["backend"].get<std::string>().c_str()) +
        verdict + "\n");
    flush_output();
}

// The sets that the options name; of all, with --kex, those that have exchanges.
std::vector<const latkem_kem *> choose_sets(const Options &options)
{
    std::vector<const latkem_kem *> chosen;
    for (const latkem_kem *kem : find_sets(options.sets)) {
        if (!options.kex || has_exchanges(kem))
            chosen.push_back(kem);
        else if (!options.sets.empty())
            misuse(latkem_kem_name(kem), "has no key exchange; the sets of Kyber and Kyber-90s have");
    }
    if (chosen.empty()) misuse("--kex", "this build has no set with a key exchange");
    return chosen;
}

void selftest(const Options &options)
{
    const auto kems = choose_sets(options);
    const Checks &checks = options.kex ? exchange_checks : kem_checks;
    use_backend(options.backend);
    ordered_json all = {{"version", latkem_version()}, {"rounds", options.rounds}, {"ok", true}};
    size_t failures = 0;
    for (const std::string &backend : options.backend.empty() ? backends() : std::vector{options.backend})
        for (const latkem_kem *kem : kems) {
            use_backend(backend);
            ordered_json result = test_set(kem, checks, options.rounds);
            if (!options.json) print_line(result);
            failures += !result["ok"];
            all["results"].push_back(std::move(result));
        }
    all["ok"] = failures == 0;
    if (options.json) print(all.dump(2) + "\n");
    if (failures > 0) fail("selftest", format("%zu of %zu failed", failures, all["results"].size()));
}

} // namespace

void add_selftest(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { selftest(*options); });
    add_sets(command, options->sets);
    add_number(command, "--rounds", options->rounds, 100000000, "repetitions of the random tests (default: 100)");
    add_flag(command, "--kex", options->kex, "test the key exchanges instead");
    add_backend(command, options->backend);
    add_json(command, options->json);
}
