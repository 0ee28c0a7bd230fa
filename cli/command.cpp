// Shared by the commands.
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <CLI/CLI.hpp>
#include <latkem/backend.h>

#include "console.h"
#include "failure.h"
#include "pem.h"
#include "sets.h"

namespace
{

// CLI11's help with a usage line written by hand and without type and range notes.
class HouseFormatter : public CLI::Formatter
{
  public:
    explicit HouseFormatter(std::string usage) : usage_(std::move(usage))
    {
        column_width(30);
        label("Positionals", "Arguments");
        label("Subcommands", "Commands");
    }
    std::string make_usage(const CLI::App *, std::string) const override
    {
        return "\nUsage: " + usage_ + "\n";
    }
    std::string make_option_opts(const CLI::Option *option) const override
    {
        return option->get_option_text().empty() ? "" : " " + option->get_option_text();
    }

  private:
    std::string usage_;
};

// An empty value, mostly of an unset shell variable, must not pass for an option that was not given.
std::string refuse_empty(const std::string &value)
{
    return value.empty() ? "the value is empty" : "";
}

// A name with the key in it would show the key to all users of the machine.
std::string refuse_key(const std::string &value)
{
    return is_pem(value) ? "the value is a key, where the name of a file is wanted" : "";
}

} // namespace

void set_usage(CLI::App &app, const std::string &usage)
{
    app.formatter(std::make_shared<HouseFormatter>(usage));
    app.set_help_flag("-h,--help", "print this help");
}

CLI::App *add_command(CLI::App &program, const CommandHelp &help, const std::function<void()> &action)
{
    CLI::App *command = program.add_subcommand(help.name, help.summary);
    command->group("Commands");
    const std::string arguments = help.synopsis[0] == '\0' ? "" : std::string(" ") + help.synopsis;
    set_usage(*command, std::string("latkem ") + help.name + arguments);
    command->footer(std::string(help.details) + "\n\nExit status:\n  0  fine\n  1  " + help.status_1 +
                    "\n  2  wrong use");
    command->callback(action);
    return command;
}

void add_value(CLI::App *command, const std::string &name, std::string &value, const std::string &text,
               const std::string &description, Need need)
{
    command->add_option(name, value, description)
        ->option_text(text)
        ->check(refuse_empty)
        ->required(need == Need::required);
}

void add_file(CLI::App *command, const std::string &name, std::string &path, const std::string &description, Need need)
{
    add_value(command, name, path, "FILE", description, need);
    command->get_option(name)->check(refuse_key);
}

void add_flag(CLI::App *command, const std::string &name, bool &flag, const std::string &description)
{
    command->add_flag(name, flag, description);
}

void add_number(CLI::App *command, const std::string &name, unsigned &number, unsigned most,
                const std::string &description)
{
    command->add_option(name, number, description)->option_text("N")->check(CLI::Range(1U, most));
}

void add_seconds(CLI::App *command, const std::string &name, double &seconds, const std::string &description)
{
    command->add_option(name, seconds, description)->option_text("S")->check(CLI::Range(0.001, 3600.0));
}

void exclude_each_other(CLI::App *command, const std::string &one, const std::string &other)
{
    command->get_option(other)->excludes(command->get_option(one));
}

void add_set(CLI::App *command, std::string &set, Need need)
{
    add_value(command, "SET", set, "", "parameter set, such as X-Wing (see latkem list)", need);
}

void add_sets(CLI::App *command, std::vector<std::string> &sets)
{
    command->add_option("SET", sets, "parameter sets (default: all, see latkem list)")->check(refuse_empty);
}

void add_backend(CLI::App *command, std::string &backend)
{
    add_value(command, "--backend", backend, "NAME", "compute with this backend (see latkem list)");
}

void add_json(CLI::App *command, bool &json)
{
    add_flag(command, "--json", json, "print JSON, also of an error");
}

void add_quiet(CLI::App *command, bool &quiet)
{
    add_flag(command, "--quiet", quiet, "do not warn that a set is for research");
}

void add_force(CLI::App *command, bool &force)
{
    add_flag(command, "--force", force, "replace private keys that exist");
}

void add_private_key(CLI::App *command, std::string &dk, std::string &seed_file)
{
    add_file(command, "--dk", dk, "read the private key: raw, DER or PEM");
    add_file(command, "--seed-file", seed_file, "read the private key's seed in place of dk");
    exclude_each_other(command, "--dk", "--seed-file");
}

void add_passphrase(CLI::App *command, PassphraseSource &source)
{
    add_file(command, "--passphrase-file", source.file, "read an encrypted key's passphrase, the first line");
    add_value(command, "--passphrase-fd", source.fd, "N", "read it from this open descriptor");
    exclude_each_other(command, "--passphrase-file", "--passphrase-fd");
}

void add_encryption(CLI::App *command, bool &encrypt)
{
    add_flag(command, "--encrypt", encrypt, "encrypt the private key with a passphrase");
}

void add_format(CLI::App *command, std::string &format, std::string &private_form, Need need)
{
    const char *text = need == Need::required ? "raw, der or pem" : "raw (default), der or pem";
    add_value(command, "--format", format, "FORMAT", text, need);
    add_value(command, "--private-form", private_form, "FORM", "seed, expanded or both: what the file holds");
}

const latkem_kem *find_set(const std::string &name)
{
    if (const latkem_kem *kem = set_named(name)) return kem;
    if (const latkem_kem *meant = suggest_set(name))
        misuse(name, std::string("unknown parameter set; did you mean ") + latkem_kem_name(meant) + "?");
    misuse(name, "unknown parameter set; 'latkem list' names them all");
}

std::vector<const latkem_kem *> find_sets(const std::vector<std::string> &names)
{
    std::vector<const latkem_kem *> kems;
    kems.reserve(names.size());
    for (const std::string &name : names) kems.push_back(find_set(name));
    for (size_t i = 0; names.empty() && set_at(i); i++) kems.push_back(set_at(i));
    return kems;
}

void use_backend(const std::string &name)
{
    if (name.empty() || latkem_backend_use(name.c_str()) == LATKEM_OK) return;
    misuse(name, "unknown backend, or not for this CPU; here there is " + join(backends()));
}

std::vector<std::string> backends()
{
    std::vector<std::string> names;
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) names.emplace_back(name);
    return names;
}

std::string join(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

void warn_of_research(const latkem_kem *kem, bool quiet)
{
    if (!quiet && is_research(kem))
        complain(std::string("warning: ") + latkem_kem_name(kem) +
                 " is a research set, not for new deployments (--quiet leaves this out)");
}

Buffer read_object(Files &files, const latkem_kem *kem, Object object, const std::string &path)
{
    Buffer data = files.read(path);
    const std::string fault = object_fault(kem, object, data.data(), data.size());
    if (!fault.empty()) fail(input_name(path), fault);
    return data;
}

AskPassphrase ask_for(Files &files, const PassphraseSource &source, const std::string &path)
{
    if (!can_ask(source)) return nullptr;
    return [&files, &source, path] { return read_passphrase(files, source, input_name(path)); };
}

void check_encryption(bool encrypt, Encoding encoding)
{
    if (encrypt && encoding == Encoding::raw)
        misuse("--encrypt", "raw bytes are not encrypted; --format pem and der are");
}

SetKey read_key(Files &files, const latkem_kem *kem, Object object, const std::string &path, const AskPassphrase &ask)
{
    SetKey key = key_of_set(kem, object, files.read(path), ask);
    if (!key.fault.empty()) fail(input_name(path), key.fault);
    if (!key.note.empty()) complain(input_name(path) + ": " + key.note);
    return key;
}

Buffer read_private_key(Files &files, const latkem_kem *kem, const std::string &command, const PrivateKeyPath &path)
{
    if (path.dk.empty() && path.seed_file.empty())
        misuse(command, "the private key is missing: --dk or --seed-file; see 'latkem help " + command + "'");
    if (!path.dk.empty())
        return read_key(files, kem, Object::dk, path.dk, ask_for(files, path.passphrase, path.dk)).key;
    return grow_dk(kem, read_object(files, kem, Object::seed, path.seed_file));
}
