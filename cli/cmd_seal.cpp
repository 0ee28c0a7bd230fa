// `latkem seal` and `latkem open`: files encrypted to the owner of a key.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>

#include "command.h"
#include "console.h"
#include "failure.h"
#include "files.h"
#include "sealed.h"
#include "sets.h"

namespace
{

const CommandHelp seal_help = {"seal",
                               "SET --ek FILE --in FILE --out FILE\n                   [--cipher "
                               "aes-256-gcm|chacha20-poly1305] [--force] [--quiet]",
                               "Encrypt a file to the owner of a key.",
                               R"(Reads the public key ek, checks it, and encrypts a file of any size so that only
the owner of the private key can open it. A fresh shared secret of the set
encrypts it with AES-256-GCM or ChaCha20-Poly1305 in chunks of 64 KiB, so memory
stays small; one file holds at most 256 TiB. Nothing tells who sealed a file:
everybody may who has ek. FILE may be - for standard input or output.
docs/sealed-format.md defines the format. A file that may be a private key is
replaced only with --force.

X-Wing is the set to take: ML-KEM-768 and X25519 at once, so that a file stays
closed as long as one of the two is unbroken. The TLS hybrids, such as
X25519MLKEM768, are refused: their secret is no key until TLS has hashed it.

A raw key does not name its set. Under a set whose keys look alike (ML-KEM-768,
Kyber768 and Kyber768-90s do) sealing works, and the owner cannot open the file.
Keys in DER and PEM name theirs.

Examples:
  latkem seal X-Wing --ek alice.pub --in photo.jpg --out photo.sealed
  tar cz mail | latkem seal X-Wing --ek alice.pub --in - --out mail.sealed)",
                               "ek is not valid, or a file or the random generator failed"};

const CommandHelp open_help = {
    "open",
    "SET (--dk FILE | --seed-file FILE) --in FILE --out FILE\n                   "
    "[--passphrase-file FILE | --passphrase-fd N] [--no-version-1]\n                   [--force]",
    "Decrypt a sealed file.",
    R"(Reads the private key, as dk or as its seed, and decrypts what latkem seal made
for it. The set is that of the key: a raw key does not name it, and the sealed
file may not choose with which scheme a private key is used. Every change of a
sealed file is noticed, reordering, cutting off and adding too. The terminal asks
for the passphrase of an encrypted key, unless --passphrase-file or
--passphrase-fd gives it.

Files that older versions of latkem sealed, of format version 1, still open, with
a warning: they have no key commitment, so that their maker may have made one that
opens differently with another key. --no-version-1 refuses them.

FILE may be - for standard input or output. A file (mode 0600) appears only when
all of it has verified. A pipe or device gets each chunk of 64 KiB as soon as it
has verified, never a wrong byte, but maybe not all: do not act on it unless the
exit status is 0. A file that may be a private key is replaced only with --force.

Examples:
  latkem open X-Wing --dk alice.pem --in photo.sealed --out photo.jpg
  latkem open ML-KEM-768 --dk alice.dk --in photo.sealed --out photo.jpg
  latkem open ML-KEM-768 --seed-file alice.seed --in mail.sealed --out - | tar xz)",
    "not sealed for this key or set, changed or cut off, or a key or file failed"};

struct Options {
    std::string set, backend, ek, dk, seed_file, in, out, cipher;
    PassphraseSource passphrase;
    bool quiet = false, force = false, no_version_1 = false;
};

struct CipherName {
    const char *name;
    Cipher cipher;
};

const CipherName ciphers[] = {{"aes-256-gcm", Cipher::aes_256_gcm}, {"chacha20-poly1305", Cipher::chacha20_poly1305}};

Cipher find_cipher(const std::string &name)
{
    if (name.empty()) return Cipher::aes_256_gcm;
    for (const CipherName &known : ciphers)
        if (name == known.name) return known.cipher;
    misuse(name, "unknown cipher; there is aes-256-gcm and chacha20-poly1305");
}

// An input that shows how far it has been read.
class WatchedSource : public ReadSource
{
  public:
    explicit WatchedSource(const InputFile &file)
        : ReadSource(file.name(), [this](uint8_t *out, size_t size) { return read(out, size); }), file_(file),
          total_(file.size())
    {
    }

  private:
    using Clock = std::chrono::steady_clock;

    size_t read(uint8_t *out, size_t size)
    {
        const size_t got = file_.read(out, size);
        done_ += got;
        if (Clock::now() >= next_show_) show();
        return got;
    }
    void show()
    {
        next_show_ = Clock::now() + std::chrono::milliseconds(200);
        const std::string share = total_ == 0 ? "" : format(", %.0f %%", 100.0 * fraction());
        progress_.show(format("%.0f MiB", static_cast<double>(done_) / (1 << 20)) + share);
    }
    double fraction() const // a file may grow while it is read
    {
        return static_cast<double>(done_) / static_cast<double>(std::max(done_, total_));
    }

    const InputFile &file_;
    uint64_t total_, done_ = 0;
    Progress progress_{true};
    Clock::time_point next_show_ = Clock::now() + std::chrono::seconds(1);
};

const latkem_kem *find_sealing_set(const std::string &name)
{
    const latkem_kem *kem = find_set(name);
    if (is_for_tls(kem))
        misuse(name, "is for TLS, which hashes the two halves of its secret; seal and open take X-Wing instead");
    return kem;
}

Sink into(OutputFile &file)
{
    return [&file](const uint8_t *data, size_t size) { file.write(data, size); };
}

void seal(const Options &options)
{
    const latkem_kem *kem = find_sealing_set(options.set);
    use_backend(options.backend);
    const Cipher cipher = find_cipher(options.cipher);
    warn_of_research(kem, options.quiet);
    const OrderlyEnd orderly_end;
    Files files;
    const Buffer ek = read_key(files, kem, Object::ek, options.ek).key;
    const InputFile in = files.open(options.in);
    const auto out = files.create(options.out, Privacy::open, existing_for(Content::other, options.force));
    WatchedSource plain(in);
    seal_stream(kem, cipher, ek, plain, into(*out));
    out->finish();
}

void open(const Options &options)
{
    const latkem_kem *kem = find_sealing_set(options.set);
    use_backend(options.backend);
    const OrderlyEnd orderly_end;
    Files files;
    const Buffer dk = read_private_key(files, kem, "open", {options.dk, options.seed_file, options.passphrase});
    const InputFile in = files.open(options.in);
    const auto out = files.create(options.out, Privacy::secret, existing_for(Content::other, options.force));
    WatchedSource sealed(in);
    const Versions versions = options.no_version_1 ? Versions::committing : Versions::all;
    const Version version = open_stream(kem, dk, sealed, into(*out), 0, versions);
    out->finish();
    if (version == version_1)
        complain("warning: " + in.name() +
                 ": is of format version 1, which does not commit to its key; seal it again, "
                 "and refuse such files with --no-version-1");
}

} // namespace

void add_seal(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, seal_help, [options] { seal(*options); });
    add_set(command, options->set);
    add_file(command, "--ek", options->ek, "read the public key: raw, DER or PEM", Need::required);
    add_file(command, "--in", options->in, "read the file to encrypt", Need::required);
    add_file(command, "--out", options->out, "write the sealed file", Need::required);
    add_value(command, "--cipher", options->cipher, "NAME", "aes-256-gcm (default) or chacha20-poly1305");
    add_force(command, options->force);
    add_backend(command, options->backend);
    add_quiet(command, options->quiet);
}

void add_open(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, open_help, [options] { open(*options); });
    add_set(command, options->set);
    add_private_key(command, options->dk, options->seed_file);
    add_passphrase(command, options->passphrase);
    add_file(command, "--in", options->in, "read the sealed file", Need::required);
    add_file(command, "--out", options->out, "write what it holds (mode 0600)", Need::required);
    add_flag(command, "--no-version-1", options->no_version_1, "refuse files without a key commitment");
    add_force(command, options->force);
    add_backend(command, options->backend);
}
