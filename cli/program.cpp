// The command line as a whole.
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "command.h"
#include "console.h"
#include "failure.h"

namespace
{

const char overview[] = R"(Examples:
  latkem keygen X-Wing --ek alice.pub --dk alice.pem --format pem
  latkem seal X-Wing --ek alice.pub --in photo.jpg --out photo.sealed
  latkem open X-Wing --dk alice.pem --in photo.sealed --out photo.jpg
  latkem inspect alice.pem
  latkem keygen ML-KEM-768 --ek alice.ek --dk alice.dk
  latkem encaps ML-KEM-768 --ek alice.ek --ct bob.ct --ss bob.ss
  latkem decaps ML-KEM-768 --dk alice.dk --ct bob.ct --ss alice.ss
  cmp alice.ss bob.ss

The encapsulation (public) key ek and the decapsulation (private) key dk are raw
bytes, as the standards write them, or DER or PEM, as OpenSSL does; the ciphertext
ct and the shared secret ss are raw bytes. FILE may be - for standard input or
output. Secrets get mode 0600, and none of this is written to a terminal. A file
that exists is replaced whole, but a file that may be a private key only with
--force; a path of an open file, as /dev/stdout or /dev/fd/3, is written behind
what the file holds. An error leaves existing files as they were, prints one line,
and ends with

  1  when a key, ciphertext, file or self-test failed
  2  on wrong use

'latkem help COMMAND' tells more about each command.)";

const CommandHelp help_help = {"help", "[COMMAND]", "Explain a command.",
                               R"(The same as 'latkem --help' and 'latkem COMMAND --help'.

Examples:
  latkem help
  latkem help keygen)",
                               "standard output could not be written"};

const CommandHelp version_help = {"version", "", "Print the version.",
                                  R"(The same as 'latkem --version'.

Examples:
  latkem version)",
                                  "standard output could not be written"};

std::string version_line()
{
    return std::string("latkem ") + latkem_version() + "\n";
}

// CLI11's own messages for these say neither what was typed nor what to do.
[[noreturn]] void refuse_command(const CLI::App &program, const std::string &name)
{
    std::vector<std::string> names;
    for (const CLI::App *command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
    const std::string meant = nearest(name, names);
    misuse(name, "no such command; " + (meant.empty() ? "see 'latkem help'" : "did you mean " + meant + "?"));
}

const CLI::App *find_command(const CLI::App &program, const std::string &name)
{
    const auto found = program.get_subcommands([&](const CLI::App *command) { return command->get_name() == name; });
    if (found.empty()) refuse_command(program, name);
    return found.front();
}

// App::help() would be that of the command that was parsed, which is `latkem help` itself.
std::string help_of(const CLI::App &app)
{
    return app.get_formatter()->make_help(&app, "", CLI::AppFormatMode::Normal);
}

void add_help(CLI::App &program)
{
    auto name = std::make_shared<std::string>();
    CLI::App *command = add_command(program, help_help, [&program, name] {
        print(help_of(name->empty() ? program : *find_command(program, *name)));
    });
    add_value(command, "COMMAND", *name, "", "what to tell about (default: all in short)");
}

void add_version(CLI::App &program)
{
    add_command(program, version_help, [] { print(version_line()); });
}

void build(CLI::App &program)
{
    program.description("latkem: lattice key-encapsulation mechanisms");
    set_usage(program, "latkem COMMAND ...");
    program.set_version_flag("--version", version_line(), "print the version");
    program.require_subcommand(1);
    program.footer(overview);
    add_list(program);
    add_keygen(program);
    add_encaps(program);
    add_decaps(program);
    add_seal(program);
    add_open(program);
    add_check(program);
    add_convert(program);
    add_inspect(program);
    add_kex(program);
    add_kat(program);
    add_selftest(program);
    add_speed(program);
    add_help(program);
    add_version(program);
}

[[noreturn]] void refuse(const CLI::App &program, const CLI::ParseError &error, char **argv)
{
    const auto commands = program.get_subcommands();
    if (commands.empty()) misuse(argv[1], "no such option; see 'latkem help'");
    std::string fault = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr)
        fault = fault.substr(0, fault.find(':')) + " takes one value";
    const std::string command = commands.front()->get_name();
    misuse(command, fault + "; see 'latkem help " + command + "'");
}

} // namespace

void run_program(int argc, char **argv)
{
    CLI::App program;
    build(program);
    if (argc < 2) misuse("command line", "no command; see 'latkem help'");
    if (argv[1][0] != '-') find_command(program, argv[1]);
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp &) {
        print(program.help());
    } catch (const CLI::CallForVersion &version) {
        print(version.what());
    } catch (const CLI::ParseError &error) {
        refuse(program, error, argv);
    }
}
