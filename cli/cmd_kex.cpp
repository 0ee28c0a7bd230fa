// `latkem kex`: the key exchanges of Kyber, a step at a time.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <system_error>

#include "command.h"
#include "console.h"
#include "exchange.h"
#include "failure.h"
#include "files.h"

namespace
{

const CommandHelp help = {"kex", "uake|ake start|reply|finish SET --FILES ... [--force]",
                          "Run a key exchange of Kyber, for study.",
                          R"(Runs one step of UAKE (B has a static key) or AKE (both have), the exchanges of
the Kyber round-3 code, in which A starts, B replies and A finishes:

  start   reads B's --ek, writes --message1 and --state
  reply   reads --message1, B's --dk and in AKE A's --ek, writes --message2, --key
  finish  reads --message2, --state and in AKE A's --dk, writes --key

The sets are those of Kyber and Kyber-90s, the keys those of latkem keygen. A
wrong message is no error: the two sides then have different keys, and only using
them shows it. The state is secret and serves once: finish removes its file when
the key is written. After an error it is still there. FILE may be - for standard
input or output. A state replaces a file, and a file that may be a private key is
replaced, only with --force. A file of 32 bytes counts as an older key.

This is for tests and for study, not for new designs: nothing confirms the key or
binds names to it. Use the handshakes of the library's noise.h instead.

Examples:
  latkem kex uake start Kyber768 --ek bob.ek --message1 m1 --state alice.state
  latkem kex uake reply Kyber768 --message1 m1 --dk bob.dk --message2 m2 --key k1
  latkem kex uake finish Kyber768 --message2 m2 --state alice.state --key k2)",
                          "a length is wrong, or a file or the random generator failed"};

struct Options {
    std::string exchange, step, set, backend;
    std::string message1, message2, state, key, ek, dk;
    bool quiet = false, force = false;
};

// The file options that a step takes, and no others.
struct Step {
    const char *name;
    std::vector<const char *> uake, ake;
    void (*run)(Exchange &exchange, const Options &options);
};

struct FileOption {
    const char *name;
    std::string Options::*path;
    const char *description;
};

const FileOption file_options[] = {
    {"--message1", &Options::message1, "what A sends"},
    {"--message2", &Options::message2, "what B replies"},
    {"--state", &Options::state, "what A keeps until it finishes (mode 0600)"},
    {"--key", &Options::key, "write the key of 32 bytes (mode 0600)"},
    {"--ek", &Options::ek, "read the other side's public key"},
    {"--dk", &Options::dk, "read one's own private key"},
};

void start(Exchange &exchange, const Options &options)
{
    Files files;
    const Buffer ek_b = read_object(files, exchange.kem, Object::ek, options.ek);
    require(exchange.start(ek_b), "kex");
    files.save({{options.state, &exchange.state, Privacy::secret, existing_for(Content::private_key, options.force)},
                {options.message1, &exchange.message1, Privacy::open, existing_for(Content::other, options.force)}});
}

// read_message reads what has the length of a buffer into it.
void read_message(Files &files, const std::string &path, Buffer &message)
{
    const size_t expected = message.size();
    message = files.read(path);
    if (message.size() != expected) fail(input_name(path), format("has %zu bytes, not %zu", message.size(), expected));
}

void reply(Exchange &exchange, const Options &options)
{
    const bool is_ake = exchange.kind == Kex::ake;
    Files files;
    read_message(files, options.message1, exchange.message1);
    const Buffer dk_b = read_object(files, exchange.kem, Object::dk, options.dk);
    const Buffer ek_a = is_ake ? read_object(files, exchange.kem, Object::ek, options.ek) : Buffer();
    require(exchange.reply(dk_b, ek_a), "kex");
    files.save({{options.key, &exchange.key_b, Privacy::secret, existing_for(Content::shared_secret, options.force)},
                {options.message2, &exchange.message2, Privacy::open, existing_for(Content::other, options.force)}});
}

// A link stays, the file that it leads to goes. Anything but a regular file, such as a pipe, holds nothing.
void remove_file(const std::string &path)
{
    std::error_code error;
    if (!leads_to_file(path)) return;
    const std::filesystem::path file = std::filesystem::canonical(path, error);
    if (!error) std::filesystem::remove(file, error);
    if (error) fail(path, "the state has served and cannot be removed: " + error.message());
}

void finish(Exchange &exchange, const Options &options)
{
    const bool is_ake = exchange.kind == Kex::ake;
    Files files;
    read_message(files, options.message2, exchange.message2);
    read_message(files, options.state, exchange.state);
    const Buffer dk_a = is_ake ? read_object(files, exchange.kem, Object::dk, options.dk) : Buffer();
    require(exchange.finish(dk_a), "kex");
    files.save({{options.key, &exchange.key_a, Privacy::secret, existing_for(Content::shared_secret, options.force)}});
    remove_file(options.state);
}

const Step steps[] = {
    {"start", {"--ek", "--message1", "--state"}, {"--ek", "--message1", "--state"}, start},
    {"reply",
     {"--message1", "--dk", "--message2", "--key"},
     {"--message1", "--dk", "--ek", "--message2", "--key"},
     reply},
    {"finish", {"--message2", "--state", "--key"}, {"--message2", "--state", "--dk", "--key"}, finish},
};

Kex find_exchange(const std::string &name)
{
    for (Kex kind : {Kex::uake, Kex::ake})
        if (name == kex_name(kind)) return kind;
    misuse(name, "no such exchange; it is uake or ake");
}

const Step &find_step(const std::string &name)
{
    for (const Step &step : steps)
        if (name == step.name) return step;
    misuse(name, "no such step; it is start, reply or finish");
}

void check_files(const Options &options, Kex kind, const Step &step)
{
    const std::vector<const char *> &wanted = kind == Kex::uake ? step.uake : step.ake;
    const std::string what = options.exchange + " " + step.name;
    for (const FileOption &option : file_options) {
        const bool takes = std::find(wanted.begin(), wanted.end(), std::string(option.name)) != wanted.end();
        const bool given = !(options.*option.path).empty();
        if (takes && !given) misuse("kex", what + " needs " + option.name + "; see 'latkem help kex'");
        if (given && !takes) misuse("kex", what + " takes no " + option.name + "; see 'latkem help kex'");
    }
}

void kex(const Options &options)
{
    const Kex kind = find_exchange(options.exchange);
    const Step &step = find_step(options.step);
    const latkem_kem *kem = find_set(options.set);
    if (!has_exchanges(kem)) misuse(options.set, "has no key exchange; the sets of Kyber and Kyber-90s have");
    use_backend(options.backend);
    check_files(options, kind, step);
    warn_of_research(kem, options.quiet);
    const OrderlyEnd orderly_end;
    Exchange exchange(kem, kind);
    step.run(exchange, options);
}

} // namespace

void add_kex(CLI::App &program)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = add_command(program, help, [options] { kex(*options); });
    add_value(command, "EXCHANGE", options->exchange, "", "uake or ake", Need::required);
    add_value(command, "STEP", options->step, "", "start, reply or finish", Need::required);
    add_set(command, options->set);
    for (const FileOption &option : file_options)
        add_file(command, option.name, (*options).*option.path, option.description);
    add_force(command, options->force);
    add_backend(command, options->backend);
    add_quiet(command, options->quiet);
}
