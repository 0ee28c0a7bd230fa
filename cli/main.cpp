// The `latkem` command: its command line, and the one place where a failure becomes a line and an exit status.
// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "console.h"
#include "failure.h"

namespace
{

const char overview[] = R"(Examples:
  latkem keygen ML-KEM-768 --ek alice.ek --dk alice.dk
  latkem encaps ML-KEM-768 --ek alice.ek --ct bob.ct --ss bob.ss
  latkem decaps ML-KEM-768 --dk alice.dk --ct bob.ct --ss alice.ss
  cmp alice.ss bob.ss
  latkem seal ML-KEM-768 --ek alice.ek --in photo.jpg --out photo.sealed
  latkem open ML-KEM-768 --dk alice.dk --in photo.sealed --out photo.jpg

Files hold raw bytes, as the standards write them: the encapsulation (public)
key ek, the decapsulation (private) key dk, the ciphertext ct and the shared
secret ss. FILE may be - for standard input or output. Secrets get mode 0600
and are never written to a terminal. An error leaves existing files as they
were, prints one line, and ends with

  1  when a key, ciphertext, file or self-test failed
  2  on wrong use

'latkem COMMAND --help' tells more about each command.)";

void build(CLI::App &program)
{
    program.description("latkem: lattice key-encapsulation mechanisms");
    set_usage(program, "latkem COMMAND ...");
    program.set_version_flag("--version", std::string("latkem ") + latkem_version() + "\n", "print the version");
    program.require_subcommand(1);
    program.footer(overview);
    add_list(program);
    add_keygen(program);
    add_encaps(program);
    add_decaps(program);
    add_seal(program);
    add_open(program);
    add_check(program);
    add_kat(program);
    add_selftest(program);
    add_speed(program);
}

// CLI11's own messages for these say neither what was typed nor what to do.
void require_command(const CLI::App &program, int argc, char **argv)
{
    if (argc < 2) misuse("command line", "no command; see 'latkem --help'");
    auto is_named = [argv](const CLI::App *command) { return command->get_name() == argv[1]; };
    if (argv[1][0] != '-' && program.get_subcommands(is_named).empty())
        misuse(argv[1], "no such command; see 'latkem --help'");
}

[[noreturn]] void refuse(const CLI::App &program, const CLI::ParseError &error, char **argv)
{
    const auto commands = program.get_subcommands();
    if (commands.empty()) misuse(argv[1], "no such option; see 'latkem --help'");
    std::string fault = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr)
        fault = fault.substr(0, fault.find(':')) + " takes one value";
    const std::string command = commands.front()->get_name();
    misuse(command, fault + "; see 'latkem " + command + " --help'");
}

void run(int argc, char **argv)
{
    CLI::App program;
    build(program);
    require_command(program, argc, argv);
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

} // namespace

int main(int argc, char **argv)
{
    open_standard_streams();
    try {
        run(argc, argv);
        flush_output();
        return STATUS_OK;
    } catch (const Failure &failure) {
        return report(failure);
    } catch (const std::exception &error) {
        return report(Failure(STATUS_FAILED, "internal error", error.what()));
    }
}
