// What the commands share.
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <latkem/backend.h>
#include <latkem/derand.h>

#include "failure.h"

namespace
{

// CLI11's help with a usage line written by hand and without type and range notes.
class HouseFormatter : public CLI::Formatter
{
  public:
    explicit HouseFormatter(std::string usage) : usage_(std::move(usage))
    {
        column_width(22);
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

} // namespace

void set_usage(CLI::App &app, const std::string &usage)
{
    app.formatter(std::make_shared<HouseFormatter>(usage));
    app.set_help_flag("-h,--help", "print this help");
}

CLI::App *add_command(CLI::App &program, const CommandHelp &help)
{
    CLI::App *command = program.add_subcommand(help.name, help.summary);
    command->group("Commands");
    set_usage(*command, std::string("latkem ") + help.name + " " + help.synopsis);
    command->footer(std::string(help.details) + "\n\nExit status:\n  0  fine\n  1  " + help.status_1 +
                    "\n  2  wrong use");
    return command;
}

void add_set(CLI::App *command, std::string &set)
{
    add_value(command, "SET", set, "", "parameter set, such as ML-KEM-768 (see latkem list)")->required();
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
    command->add_flag("--json", json, "print JSON");
}

CLI::Option *add_value(CLI::App *command, const std::string &name, std::string &value, const std::string &text,
                       const std::string &description)
{
    return command->add_option(name, value, description)->option_text(text)->check(refuse_empty);
}

CLI::Option *add_file(CLI::App *command, const std::string &name, std::string &path, const std::string &description)
{
    return add_value(command, name, path, "FILE", description);
}

void add_private_key(CLI::App *command, std::string &dk, std::string &seed_file)
{
    CLI::Option *option = add_file(command, "--dk", dk, "read the private key");
    add_file(command, "--seed-file", seed_file, "read the private key's seed in place of dk")->excludes(option);
}

const latkem_kem *find_set(const std::string &name)
{
    if (const latkem_kem *kem = latkem_kem_find(name.c_str())) return kem;
    if (const latkem_kem *meant = suggest_set(name))
        misuse(name, std::string("unknown parameter set; did you mean ") + latkem_kem_name(meant) + "?");
    misuse(name, "unknown parameter set; 'latkem list' names them all");
}

std::vector<const latkem_kem *> find_sets(const std::vector<std::string> &names)
{
    std::vector<const latkem_kem *> kems;
    kems.reserve(names.size());
    for (const std::string &name : names) kems.push_back(find_set(name));
    for (size_t i = 0; names.empty() && latkem_kem_at(i); i++) kems.push_back(latkem_kem_at(i));
    return kems;
}

void use_backend(const std::string &name)
{
    if (name.empty() || latkem_backend_use(name.c_str()) == LATKEM_OK) return;
    misuse(name, "unknown backend, or not for this CPU; here there is " + CLI::detail::join(backends(), ", "));
}

std::vector<std::string> backends()
{
    std::vector<std::string> names;
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) names.emplace_back(name);
    return names;
}

Buffer read_object(Files &files, const latkem_kem *kem, Object object, const std::string &path)
{
    Buffer data = files.read(path);
    const std::string fault = object_fault(kem, object, data.data(), data.size());
    if (!fault.empty()) fail(input_name(path), fault);
    return data;
}

Buffer read_private_key(Files &files, const latkem_kem *kem, const std::string &command, const PrivateKeyPath &path)
{
    if (path.dk.empty() && path.seed_file.empty())
        misuse(command, "the private key is missing: --dk or --seed-file; see 'latkem " + command + " --help'");
    if (!path.dk.empty()) return read_object(files, kem, Object::dk, path.dk);
    const Buffer seed = read_object(files, kem, Object::seed, path.seed_file);
    Buffer ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    require(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), path.seed_file);
    return dk;
}
