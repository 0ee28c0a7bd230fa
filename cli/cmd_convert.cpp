// `latkem convert` and `inspect`: key files from one format to another, and what a file is.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <latkem/derand.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "failure.h"
#include "files.h"
#include "identify.h"
#include "keys.h"
#include "sets.h"

namespace
{

using nlohmann::ordered_json;

const CommandHelp convert_help = {
    "convert",
    "[SET] --in FILE --out FILE --format raw|der|pem\n                      "
    "[--private-form seed|expanded|both] [--public]\n                      [--encrypt] [--passphrase-file FILE | "
    "--passphrase-fd N]\n                      [--new-passphrase-file FILE | --new-passphrase-fd N]\n                  "
    "    [--force]",
    "Write a key file in another format.",
    R"(Reads a public or private key, raw, DER or PEM, which are told apart by what the
file holds, checks it, and writes it as FORMAT. Raw bytes do not name their set:
SET says it, and is not needed for DER and PEM. Of PEM with several blocks the
first key counts. FILE may be - for standard input or output. A private key
replaces a file, and a file that may be a private key is replaced, only with
--force.

A private key in DER or PEM is written as its seed, and in raw bytes as dk, as
keygen does. --private-form chooses another form: seed, which every reader of such
files takes; expanded, which is dk; or both, in DER and PEM alone. The seed cannot
be had from an expanded key: of such a file only --private-form expanded can be
written. --public writes the public key of a private one.

An encrypted key is read with its passphrase, for which the terminal asks, unless
--passphrase-file or --passphrase-fd gives it: the first line. --encrypt writes
one (see keygen), in DER or PEM, with the same passphrase or with that of
--new-passphrase-file or --new-passphrase-fd; the terminal asks for a new one.

Examples:
  latkem convert --in alice.pem --public --format pem --out alice.pub
  latkem convert ML-KEM-768 --in alice.dk --format pem --private-form expanded \
      --out alice.pem
  latkem convert --in alice.pem --format raw --private-form seed --out alice.seed
  latkem convert --in alice.pem --format pem --encrypt --out alice.locked.pem)",
    "the key is refused or of another set, it has no seed, or a file failed"};

const CommandHelp inspect_help = {"inspect", "FILE [--passphrase-file FILE | --passphrase-fd N] [--json]",
                                  "Say what a key file is.",
                                  R"(Tells what a file holds: a public or private key, its set, the form of a private
key, whether the file is raw, DER or PEM, its bytes, and whether the key is
consistent. No byte of the key is shown. A file that is refused ends with status 1
and a line that says why. FILE may be - for standard input.

Raw bytes do not name their set: all sets are named of which they are a good key,
if there is one.

Examples:
  latkem inspect alice.pem
  latkem inspect alice.pem --json | jq -r .set)",
                                  "the file is no key that latkem takes, or it failed"};

struct Options {
    std::string set, backend, in, out, format, private_form;
    PassphraseSource passphrase, new_passphrase;
    bool is_public = false, json = false, force = false, encrypt = false;
};

struct RawKind {
    Object object;
    Kind kind;
};

const RawKind raw_kinds[] = {{Object::ek, Kind::public_key}, {Object::dk, Kind::private_key}};

const char *kind_name(Kind kind)
{
    return kind == Kind::public_key ? "public" : kind == Kind::private_key ? "private" : "unknown";
}

// A key and the set it is of.
struct KnownKey {
    const latkem_kem *kem;
    Kind kind;
    Buffer key, seed;
};

// Raw bytes are a key of the set by their length.
KnownKey name_raw(const latkem_kem *kem, const Buffer &bytes, const std::string &file)
{
    for (const RawKind &raw : raw_kinds) {
        const bool is_seed = raw.object == Object::dk && is_mlkem(kem) && bytes.size() == latkem_seed_bytes(kem);
        if (bytes.size() != object_bytes(kem, raw.object) && !is_seed) continue;
        SetKey key = key_of_set(kem, raw.object, bytes);
        if (!key.fault.empty()) fail(file, key.fault);
        return {kem, raw.kind, std::move(key.key), std::move(key.seed)};
    }
    const std::string looks = identify(text_of(bytes));
    fail(file, std::to_string(bytes.size()) + " bytes, which no key of " + latkem_kem_name(kem) + " has" +
                   (looks.empty() ? "" : " (it looks like " + looks + ")"));
}

KnownKey read_any_key(const std::string &path, Files &files, const latkem_kem *kem, const AskPassphrase &ask)
{
    const std::string name = input_name(path);
    const Buffer bytes = files.read(path);
    KeyFile file = read_key_file(bytes, Kind::unknown, ask);
    if (!file.fault.empty()) fail(name, file.fault);
    if (!file.note.empty()) complain(name + ": " + file.note);
    if (file.encoding == Encoding::raw) {
        const std::string looks = identify(text_of(bytes));
        if (kem == nullptr && !looks.empty()) fail(name, "is no key: it looks like " + looks);
        if (kem == nullptr) misuse(name, "raw bytes do not name their set: latkem convert SET --in ..");
        return name_raw(kem, bytes, name);
    }
    if (kem != nullptr && kem != file.kem)
        fail(name, std::string("is a key of ") + latkem_kem_name(file.kem) + ", not of " + latkem_kem_name(kem));
    return {file.kem, file.kind, std::move(file.key), std::move(file.seed)};
}

KnownKey public_of(KnownKey key, const std::string &file)
{
    if (key.kind == Kind::public_key) return key;
    Buffer ek = ek_of_dk(key.kem, key.key);
    if (ek.empty()) fail(file, std::string("the public key cannot be had from dk of ") + latkem_kem_name(key.kem));
    return {key.kem, Kind::public_key, std::move(ek), Buffer()};
}

// The passphrases of the key that is read and of the one that is written. The first serves for both unless a second is
// given; the terminal asks for each.
class Passphrases
{
  public:
    Passphrases(Files &files, const Options &options) : files_(files), options_(options)
    {
    }
    AskPassphrase old()
    {
        if (!can_ask(options_.passphrase)) return nullptr;
        return [this] {
            old_ = read_passphrase(files_, options_.passphrase, input_name(options_.in));
            return Buffer(old_.data(), old_.size());
        };
    }
    bool are_wanted() const
    {
        return options_.encrypt;
    }
    Buffer chosen() const // empty: the key is not to be encrypted
    {
        if (!options_.encrypt) return Buffer();
        if (options_.new_passphrase.is_given()) return choose_passphrase(files_, options_.new_passphrase, options_.out);
        const bool is_known = options_.passphrase.is_given() && !old_.empty();
        return is_known ? Buffer(old_.data(), old_.size())
                        : choose_passphrase(files_, options_.passphrase, options_.out);
    }

  private:
    Files &files_;
    const Options &options_;
    Buffer old_;
};

// The file to write.
Buffer converted(const KnownKey &key, Encoding encoding, const std::string &form, const std::string &file,
                 const Passphrases &passphrases)
{
    check_encoding(key.kem, encoding);
    if (key.kind == Kind::public_key) {
        if (!form.empty()) misuse("--private-form", "is for private keys; what is to be written is a public one");
        if (passphrases.are_wanted()) misuse("--encrypt", "is for private keys, and " + file + " holds a public one");
        return write_public(key.kem, encoding, key.key);
    }
    const PrivateFormat format = choose_form(key.kem, encoding, form);
    if (needs_seed(key.kem, format) && key.seed.empty())
        fail(file, "holds an expanded key, from which the seed cannot be had; --private-form expanded writes it");
    return write_private(key.kem, format, key.key, key.seed, passphrases.chosen());
}

void convert(const Options &options)
{
    const latkem_kem *kem = options.set.empty() ? nullptr : find_set(options.set);
    use_backend(options.backend);
    const Encoding encoding = find_encoding(options.format);
    check_encryption(options.encrypt, encoding);
    if (options.encrypt && options.is_public)
        misuse("--encrypt", "is for private keys, and --public writes a public one");
    if (options.new_passphrase.is_given() && !options.encrypt) misuse("convert", "a new passphrase is for --encrypt");
    const OrderlyEnd orderly_end;
    Files files;
    Passphrases passphrases(files, options);
    const std::string name = input_name(options.in);
    KnownKey key = read_any_key(options.in, files, kem, passphrases.old());
    if (options.is_public) key = public_of(std::move(key), name);
    const Buffer bytes = converted(key, encoding, options.private_form, name, passphrases);
    const bool is_public = key.kind == Kind::public_key;
    files.save({{options.out, &bytes, is_public ? Privacy::open : Privacy::secret,
                 existing_for(is_public ? Content::other : Content::private_key, options.force)}});
}

// The findings about a file.
struct Finding {
    std::string file;
    size_t bytes;
    Encoding encoding;
    Kind kind;
    std::string set, form, fault; // "" where there is none
    bool is_encrypted;
    std::string candidates; // of raw bytes: the keys that they may be
};

// A key of ML-KEM passes for one of Kyber, and its length may be that of another kind in another set. Bytes that pass the
// checks of ML-KEM do not do so by chance: they decide.
void judge_raw(const Buffer &bytes, Finding &finding)
{
    size_t count = 0;
    bool is_settled = false;
    for (size_t i = 0; const latkem_kem *kem = set_at(i); i++)
        for (const RawKind &raw : raw_kinds) {
            const SetKey key = key_of_set(kem, raw.object, bytes);
            if (!key.fault.empty()) continue;
            const std::string name = latkem_kem_name(kem);
            finding.candidates += (count == 0 ? "" : ", ") + std::string(object_name(raw.object)) + " of " + name;
            finding.set = count == 0 ? name : "";
            if (!is_settled) finding.kind = count == 0 || finding.kind == raw.kind ? raw.kind : Kind::unknown;
            is_settled = is_settled || is_mlkem(kem);
            if (raw.kind == Kind::private_key)
                finding.form = form_name(key.seed.empty() ? LATKEM_FORM_EXPANDED : LATKEM_FORM_SEED);
            count++;
        }
    if (finding.kind != Kind::private_key) finding.form = "";
    if (count > 0) return;
    const std::string looks = identify(text_of(bytes));
    finding.fault = "is no key: neither PEM nor DER, and as raw bytes a good key of no set" +
                    (looks.empty() ? "" : "; it looks like " + looks);
}

Finding find_out(const std::string &path, const PassphraseSource &passphrase)
{
    Files files;
    const Buffer bytes = files.read(path);
    const KeyFile file = read_key_file(bytes, Kind::unknown, ask_for(files, passphrase, path));
    Finding finding = {input_name(path),     bytes.size(), file.encoding,     file.kind, "",
                       form_name(file.form), file.fault,   file.is_encrypted, ""};
    if (file.encoding == Encoding::raw)
        judge_raw(bytes, finding);
    else if (file.kem != nullptr)
        finding.set = latkem_kem_name(file.kem);
    return finding;
}

ordered_json text_or_null(const std::string &text)
{
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

void print_json(const Finding &finding)
{
    const ordered_json all = {{"file", finding.file},
                              {"kind", kind_name(finding.kind)},
                              {"set", text_or_null(finding.set)},
                              {"form", text_or_null(finding.form)},
                              {"encoding", encoding_name(finding.encoding)},
                              {"bytes", finding.bytes},
                              {"ok", finding.fault.empty()},
                              {"fault", finding.fault}};
    // A file name need not be UTF-8.
    print(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

std::string describe(const Finding &finding)
{
    const std::string size = std::to_string(finding.bytes) + " bytes of ";
    if (finding.encoding == Encoding::raw) return size + "raw data, a good " + finding.candidates;
    const std::string form = finding.form.empty() ? "" : ", form " + finding.form;
    return kind_name(finding.kind) + (" key of " + finding.set) + form + ", " + size +
           (finding.is_encrypted ? "encrypted " : "") + (finding.encoding == Encoding::der ? "DER" : "PEM");
}

void inspect(const Options &options)
{
    use_backend(options.backend);
    const OrderlyEnd orderly_end;
    const Finding finding = find_out(options.in, options.passphrase);
    if (options.json)
        print_json(finding);
    else if (finding.fault.empty())
        print(one_line(finding.file) + ": " + describe(finding) + "\n");
    if (!finding.fault.empty()) fail(finding.file, finding.fault);
}

} // namespace

void add_convert(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, convert_help, [options] { convert(*options); });
    add_set(command, options->set, Need::optional);
    add_file(command, "--in", options->in, "read the key: raw, DER or PEM", Need::required);
    add_file(command, "--out", options->out, "write the key (a private one: mode 0600)", Need::required);
    add_format(command, options->format, options->private_form, Need::required);
    add_flag(command, "--public", options->is_public, "write the public key of a private one");
    add_encryption(command, options->encrypt);
    add_passphrase(command, options->passphrase);
    add_file(command, "--new-passphrase-file", options->new_passphrase.file,
             "read the passphrase of the key that is written");
    add_value(command, "--new-passphrase-fd", options->new_passphrase.fd, "N", "read that from this open descriptor");
    exclude_each_other(command, "--new-passphrase-file", "--new-passphrase-fd");
    add_flag(command, "--force", options->force, "replace files that exist");
    add_backend(command, options->backend);
}

void add_inspect(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, inspect_help, [options] { inspect(*options); });
    add_value(command, "FILE", options->in, "", "the file to tell about", Need::required);
    add_passphrase(command, options->passphrase);
    add_backend(command, options->backend);
    add_json(command, options->json);
}
