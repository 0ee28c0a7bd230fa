// `latkem keygen`, `encaps`, `decaps` and `check`: the operations on key files.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "failure.h"
#include "files.h"
#include "parse.h"
#include "random.h"
#include "sets.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp keygen_help = {
    "keygen",
    "SET --ek FILE [--dk FILE] [--save-seed FILE]\n                     [--format raw|der|pem] [--private-form "
    "seed|expanded|both]\n                     [--encrypt [--passphrase-file FILE | --passphrase-fd N]]\n              "
    "       [--seed-file FILE | --seed-hex HEX] [--force] [--quiet]",
    "Make a key pair.",
    R"(Writes the public key ek and the private key as dk, as the seed that it grows
from, or both. Without a seed, the keys come from the operating system's random
generator. FILE may be - for standard input or output.

--format pem and der write what OpenSSL and other libraries read too: a
SubjectPublicKeyInfo and PKCS#8 (RFC 9935), which name their set. ML-KEM and
X-Wing have this encoding. The private key is then its seed, 64 bytes of ML-KEM's
(d || z); --private-form expanded and both are for readers that want dk. The
default, raw, is bytes that do not name their set: keep its name with them, in
the file's name for one. dk is then as the standards have it, or with
--private-form seed ML-KEM's 64 bytes. --save-seed writes the seed of any set.

--encrypt encrypts the key in DER or PEM with a passphrase: PBES2 with 600000
iterations of PBKDF2-HMAC-SHA-256 and AES-256-CBC. The terminal asks for it twice,
or it is the first line of --passphrase-file or --passphrase-fd.

A file that exists is replaced only with --force, so that no private key is lost;
an ek file that holds this ek already may stay. A research set gets a warning on
standard error.

Examples:
  latkem keygen X-Wing --ek alice.pub --dk alice.pem --format pem
  latkem keygen ML-KEM-768 --ek alice.ek --dk alice.dk
  latkem keygen ML-KEM-768 --ek alice.ek --save-seed alice.seed
  latkem keygen ML-KEM-768 --ek alice.ek --dk alice.dk --seed-file alice.seed)",
    "a file exists, a seed has the wrong length, or a file or randomness failed"};

const CommandHelp encaps_help = {"encaps", "SET --ek FILE --ct FILE --ss FILE [--force]",
                                 "Make a shared secret for the owner of a key.",
                                 R"(Reads the public key ek, checks it, and writes a fresh shared secret ss and the
ciphertext ct that carries it to the owner of the key. ek may be raw, DER or PEM,
which are told apart by what the file holds. FILE may be - for standard input or
output. A file that may be a private key is replaced only with --force. A file as
long as ss counts as an older ss.

The secret of a TLS hybrid, such as X25519MLKEM768, is two secrets side by side,
which TLS hashes: for other uses take X-Wing.

Examples:
  latkem encaps ML-KEM-768 --ek alice.ek --ct bob.ct --ss bob.ss
  latkem encaps X-Wing --ek alice.pub --ct - --ss bob.ss | ssh alice ...)",
                                 "ek is not valid, or a file or the random generator failed"};

const CommandHelp decaps_help = {"decaps",
                                 "SET (--dk FILE | --seed-file FILE) --ct FILE --ss FILE\n                     "
                                 "[--passphrase-file FILE | --passphrase-fd N] [--force]",
                                 "Recover a shared secret from a ciphertext.",
                                 R"(Reads the private key, as dk or as its seed, and the ciphertext ct, and writes
the shared secret ss. dk may be raw, DER or PEM, which are told apart by what the
file holds; raw dk of ML-KEM may be the 64 bytes of its seed too. DER and PEM name
their set, which must be SET. The terminal asks for the passphrase of an encrypted
key, unless --passphrase-file or --passphrase-fd gives it.

A ciphertext of the right length that was not made for this key is no error: ss is
then pseudo-random (implicit rejection), and only using it shows that the two
sides disagree. The same happens with the wrong set, where its raw keys look like
those of the right one. A hybrid refuses a ciphertext whose curve part is no point
of the curve. FILE may be - for standard input or output. A file that may be a
private key is replaced only with --force. A file as long as ss counts as an older
ss.

Examples:
  latkem decaps X-Wing --dk alice.pem --ct bob.ct --ss alice.ss
  latkem decaps ML-KEM-768 --dk alice.dk --ct bob.ct --ss alice.ss
  latkem decaps ML-KEM-768 --seed-file alice.seed --ct bob.ct --ss alice.ss)",
                                 "dk or ct is not valid, a length is wrong, or a file failed"};

const CommandHelp check_help = {
    "check", "SET [--ek FILE] [--dk FILE]\n                    [--passphrase-file FILE | --passphrase-fd N] [--json]",
    "Check key files.",
    R"(Checks the length of each key and what the scheme defines: for ML-KEM the
coefficients of ek (FIPS 203 section 7.2) and the hash inside dk (section 7.3);
for hybrids that and the curve's points and scalars; the research sets define the
length alone. A private key in DER or PEM is also checked for parts of the file
that contradict each other. If both keys are given and valid, it checks that they
belong together, by one encapsulation. FILE may be - for standard input.

A raw key does not name its set, and some sets have keys that look alike:
ML-KEM-768, Kyber768 and Kyber768-90s, for one. What other sets the bytes would
pass for is shown too; latkem cannot tell which of them made the key. What a file
of unknown origin is, 'latkem inspect' says.

Examples:
  latkem check X-Wing --ek alice.pub --dk alice.pem
  latkem check ML-KEM-768 --ek alice.ek
  latkem check ML-KEM-768 --ek alice.ek --dk alice.dk --json)",
    "a key is not valid, the two do not belong together, or a file failed"};

struct Options {
    std::string set, backend, ek, dk, ct, ss, seed_file, seed_hex, save_seed, format, private_form;
    PassphraseSource passphrase;
    bool json = false, force = false, quiet = false, encrypt = false;
};

// The text itself is not wiped: as an argument it is open to all users of the machine anyway.
Buffer parse_seed(const latkem_kem *kem, const std::string &text)
{
    Buffer seed;
    std::string fault = parse_hex(text, seed);
    if (fault.empty()) fault = object_fault(kem, Object::seed, seed.data(), seed.size());
    if (!fault.empty()) misuse("--seed-hex", fault);
    return seed;
}

// The seed that the options ask for; empty if the key pair may do without one.
Buffer choose_seed(Files &files, const latkem_kem *kem, const Options &options, bool is_needed)
{
    if (!options.seed_hex.empty()) return parse_seed(kem, options.seed_hex);
    if (!options.seed_file.empty()) return read_object(files, kem, Object::seed, options.seed_file);
    return options.save_seed.empty() && !is_needed ? Buffer() : random_bytes(latkem_seed_bytes(kem));
}

// The contents of the files. The private key is first: without it the public one is worth nothing.
std::vector<Output> key_outputs(const Options &options, const Buffer &ek, const Buffer &dk, const Buffer &seed)
{
    const Existing existing = existing_for(Content::private_key, options.force);
    std::vector<Output> outputs;
    if (!options.dk.empty()) outputs.push_back({options.dk, &dk, Privacy::secret, existing});
    if (!options.save_seed.empty()) outputs.push_back({options.save_seed, &seed, Privacy::secret, existing});
    // An ek that a seed gives again may be there already.
    outputs.push_back({options.ek, &ek, Privacy::open, Files::holds(options.ek, ek) ? Existing::replace : existing});
    return outputs;
}

void keygen(const Options &options)
{
    const latkem_kem *kem = find_set(options.set);
    use_backend(options.backend);
    if (options.dk.empty() && options.save_seed.empty())
        misuse("keygen", "the private key needs a file: --dk, --save-seed or both; see 'latkem help keygen'");
    const Encoding encoding = find_encoding(options.format);
    check_encoding(kem, encoding);
    check_encryption(options.encrypt, encoding);
    if (options.passphrase.is_given() && !options.encrypt) misuse("keygen", "a passphrase is for --encrypt");
    if (options.encrypt && options.dk.empty()) misuse("--encrypt", "is for the key that --dk writes");
    const PrivateFormat format = choose_form(kem, encoding, options.private_form);
    warn_of_research(kem, options.quiet);
    const OrderlyEnd orderly_end;
    Files files;
    const Buffer seed = choose_seed(files, kem, options, needs_seed(kem, format));
    Buffer ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    require(seed.empty() ? latkem_keypair(kem, ek.data(), dk.data())
                         : latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()),
            "keygen");
    const Buffer passphrase = options.encrypt ? choose_passphrase(files, options.passphrase, options.dk) : Buffer();
    const Buffer public_file = write_public(kem, encoding, ek),
                 private_file = write_private(kem, format, dk, seed, passphrase);
    files.save(key_outputs(options, public_file, private_file, seed));
}

void encaps(const Options &options)
{
    const latkem_kem *kem = find_set(options.set);
    use_backend(options.backend);
    const OrderlyEnd orderly_end;
    Files files;
    const Buffer ek = read_key(files, kem, Object::ek, options.ek).key;
    Buffer ct(latkem_ct_bytes(kem)), ss(latkem_ss_bytes(kem));
    require(latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()), input_name(options.ek));
    files.save({{options.ct, &ct, Privacy::open, existing_for(Content::other, options.force)},
                {options.ss, &ss, Privacy::secret, existing_for(Content::shared_secret, options.force)}});
}

void decaps(const Options &options)
{
    const latkem_kem *kem = find_set(options.set);
    use_backend(options.backend);
    const OrderlyEnd orderly_end;
    Files files;
    const Buffer dk = read_private_key(files, kem, "decaps", {options.dk, options.seed_file, options.passphrase});
    const Buffer ct = read_object(files, kem, Object::ct, options.ct);
    Buffer ss(latkem_ss_bytes(kem));
    const int result = latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
    const std::string &dk_path = options.dk.empty() ? options.seed_file : options.dk;
    require(result, input_name(result == LATKEM_ERR_CT ? options.ct : dk_path));
    files.save({{options.ss, &ss, Privacy::secret, existing_for(Content::shared_secret, options.force)}});
}

struct Checked {
    std::string path;
    Object object;
    size_t bytes; // of the file
    SetKey key;
    std::vector<std::string> also_fits; // the other sets that it is a good key of; DER and PEM name theirs
};

std::vector<std::string> other_sets(const latkem_kem *kem, Object object, const Buffer &data)
{
    std::vector<std::string> names;
    for (size_t i = 0; const latkem_kem *other = set_at(i); i++)
        if (other != kem && key_of_set(other, object, data).fault.empty()) names.emplace_back(latkem_kem_name(other));
    return names;
}

Checked check_file(const latkem_kem *kem, Object object, const std::string &path, const Buffer &data,
                   const AskPassphrase &ask)
{
    SetKey key = key_of_set(kem, object, data, ask);
    std::vector<std::string> also_fits;
    if (key.encoding == Encoding::raw) also_fits = other_sets(kem, object, data);
    if (key.fault.empty() && !key.note.empty()) complain(input_name(path) + ": " + key.note);
    return {input_name(path), object, data.size(), std::move(key), also_fits};
}

bool belong_together(const latkem_kem *kem, const Buffer &ek, const Buffer &dk)
{
    Buffer ct(latkem_ct_bytes(kem)), ss(latkem_ss_bytes(kem)), ss_of_dk(latkem_ss_bytes(kem));
    require(latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()), "check");
    require(latkem_decaps(kem, ss_of_dk.data(), ct.data(), ct.size(), dk.data(), dk.size()), "check");
    return ss == ss_of_dk;
}

std::vector<Checked> check_files(const latkem_kem *kem, const Options &options)
{
    Files files;
    std::vector<Checked> keys;
    for (auto [object, path] : {std::pair(Object::ek, options.ek), std::pair(Object::dk, options.dk)})
        if (!path.empty())
            keys.push_back(check_file(kem, object, path, files.read(path), ask_for(files, options.passphrase, path)));
    if (keys.size() == 2 && keys[0].key.fault.empty() && keys[1].key.fault.empty() &&
        !belong_together(kem, keys[0].key.key, keys[1].key.key))
        keys[1].key.fault = "does not belong to the ek in " + keys[0].path;
    return keys;
}

void print_json(const latkem_kem *kem, const std::vector<Checked> &keys, bool ok)
{
    ordered_json all = {{"set", latkem_kem_name(kem)}, {"ok", ok}};
    for (const Checked &key : keys)
        all["keys"].push_back({{"file", key.path},
                               {"object", object_name(key.object)},
                               {"bytes", key.bytes},
                               {"ok", key.key.fault.empty()},
                               {"fault", key.key.fault},
                               {"also_fits", key.also_fits}});
    // A file name need not be UTF-8.
    print(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

std::string verdict(const latkem_kem *kem, const Checked &key)
{
    std::string text = key.path + ": fine, " + object_name(key.object) + " of " + latkem_kem_name(kem);
    if (!key.also_fits.empty())
        text += "; a raw key does not name its set, and this one would pass for " + join(key.also_fits) + " too";
    return text;
}

void check(const Options &options)
{
    const latkem_kem *kem = find_set(options.set);
    use_backend(options.backend);
    if (options.ek.empty() && options.dk.empty())
        misuse("check", "nothing to check: --ek, --dk or both; see 'latkem help check'");
    const OrderlyEnd orderly_end;
    const std::vector<Checked> keys = check_files(kem, options);
    const auto bad = std::find_if(keys.begin(), keys.end(), [](const Checked &key) { return !key.key.fault.empty(); });
    if (options.json)
        print_json(kem, keys, bad == keys.end());
    else
        for (const Checked &key : keys)
            if (key.key.fault.empty()) print(verdict(kem, key) + "\n");
    if (bad != keys.end()) fail(bad->path, bad->key.fault);
}

// Adds a command; its arguments so far are the set and the backend.
std::pair<CLI::App *, std::shared_ptr<Options>> add_key_command(CLI::App &program, const CommandHelp &help,
                                                                void (*action)(const Options &))
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options, action] { action(*options); });
    add_set(command, options->set);
    return {command, options};
}

} // namespace

void add_keygen(CLI::App &program)
{
    auto [command, options] = add_key_command(program, keygen_help, keygen);
    add_file(command, "--ek", options->ek, "write the public key", Need::required);
    add_file(command, "--dk", options->dk, "write the private key (mode 0600)");
    add_file(command, "--save-seed", options->save_seed, "write the seed (mode 0600), raw");
    add_format(command, options->format, options->private_form);
    add_encryption(command, options->encrypt);
    add_passphrase(command, options->passphrase);
    add_file(command, "--seed-file", options->seed_file, "grow the keys from this seed");
    add_value(command, "--seed-hex", options->seed_hex, "HEX", "the same from hex, for tests: other users can see it");
    exclude_each_other(command, "--seed-file", "--seed-hex");
    add_flag(command, "--force", options->force, "replace files that exist");
    add_backend(command, options->backend);
    add_quiet(command, options->quiet);
}

void add_encaps(CLI::App &program)
{
    auto [command, options] = add_key_command(program, encaps_help, encaps);
    add_file(command, "--ek", options->ek, "read the public key: raw, DER or PEM", Need::required);
    add_file(command, "--ct", options->ct, "write the ciphertext", Need::required);
    add_file(command, "--ss", options->ss, "write the shared secret (mode 0600)", Need::required);
    add_force(command, options->force);
    add_backend(command, options->backend);
}

void add_decaps(CLI::App &program)
{
    auto [command, options] = add_key_command(program, decaps_help, decaps);
    add_private_key(command, options->dk, options->seed_file);
    add_passphrase(command, options->passphrase);
    add_file(command, "--ct", options->ct, "read the ciphertext", Need::required);
    add_file(command, "--ss", options->ss, "write the shared secret (mode 0600)", Need::required);
    add_force(command, options->force);
    add_backend(command, options->backend);
}

void add_check(CLI::App &program)
{
    auto [command, options] = add_key_command(program, check_help, check);
    add_file(command, "--ek", options->ek, "check this public key");
    add_file(command, "--dk", options->dk, "check this private key");
    add_passphrase(command, options->passphrase);
    add_backend(command, options->backend);
    add_json(command, options->json);
}
