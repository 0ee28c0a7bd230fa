// Shared by the commands: their help, their arguments, the look-up of sets and backends, and the reading of keys. CLI11
// parses the command line; only command.cpp and program.cpp see its large header.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_COMMAND_H
#define LATKEM_CLI_COMMAND_H

#include <functional>
#include <string>
#include <vector>

#include <latkem/latkem.h>

#include "files.h"
#include "keys.h"
#include "parse.h"
#include "passphrase.h"

namespace CLI
{
class App;
}

struct CommandHelp {
    const char *name;
    const char *synopsis; // what follows "latkem NAME" in the usage line
    const char *summary;  // one line
    const char *details;  // what it does, its files, examples
    const char *status_1; // when it exits with status 1
};

// Each adds one command with its action to the program.
void add_list(CLI::App &program);
void add_keygen(CLI::App &program);
void add_encaps(CLI::App &program);
void add_decaps(CLI::App &program);
void add_seal(CLI::App &program);
void add_open(CLI::App &program);
void add_check(CLI::App &program);
void add_convert(CLI::App &program);
void add_inspect(CLI::App &program);
void add_kex(CLI::App &program);
void add_kat(CLI::App &program);
void add_selftest(CLI::App &program);
void add_speed(CLI::App &program);

CLI::App *add_command(CLI::App &program, const CommandHelp &help, const std::function<void()> &action);

// set_usage puts a usage line and the house layout on the help of an app.
void set_usage(CLI::App &app, const std::string &usage);

// Options. A value may not be empty; the help shows text for it, behind the option's name.
enum class Need { optional, required };
void add_value(CLI::App *command, const std::string &name, std::string &value, const std::string &text,
               const std::string &description, Need need = Need::optional);
void add_file(CLI::App *command, const std::string &name, std::string &path, const std::string &description,
              Need need = Need::optional);
void add_flag(CLI::App *command, const std::string &name, bool &flag, const std::string &description);
void add_number(CLI::App *command, const std::string &name, unsigned &number, unsigned most,
                const std::string &description); // from 1
void add_seconds(CLI::App *command, const std::string &name, double &seconds, const std::string &description);
void exclude_each_other(CLI::App *command, const std::string &one, const std::string &other);

// The options that several commands have.
void add_set(CLI::App *command, std::string &set, Need need = Need::required);
void add_sets(CLI::App *command, std::vector<std::string> &sets);
void add_backend(CLI::App *command, std::string &backend);
void add_json(CLI::App *command, bool &json);
void add_quiet(CLI::App *command, bool &quiet);
void add_force(CLI::App *command, bool &force);
void add_private_key(CLI::App *command, std::string &dk, std::string &seed_file);
void add_passphrase(CLI::App *command, PassphraseSource &source);
void add_encryption(CLI::App *command, bool &encrypt);
void add_format(CLI::App *command, std::string &format, std::string &private_form, Need need = Need::optional);

// Unknown names are wrong use. No sets means all; no backend means the library's own choice.
const latkem_kem *find_set(const std::string &name);
std::vector<const latkem_kem *> find_sets(const std::vector<std::string> &names);
void use_backend(const std::string &name);
std::vector<std::string> backends();

// join puts ", " between the words.
std::string join(const std::vector<std::string> &words);

// warn_of_research says on standard error that the set is not for new deployments, if that is so.
void warn_of_research(const latkem_kem *kem, bool quiet);

// read_object reads one file of raw bytes and checks it as an object of the set.
Buffer read_object(Files &files, const latkem_kem *kem, Object object, const std::string &path);

// read_key reads an ek or a dk of the set from raw bytes, DER or PEM. Skipped parts are reported on standard error.
SetKey read_key(Files &files, const latkem_kem *kem, Object object, const std::string &path,
                const AskPassphrase &ask = nullptr);

// ask_for reads the passphrase of the key in a file when it is asked.
AskPassphrase ask_for(Files &files, const PassphraseSource &source, const std::string &path);

// check_encryption refuses --encrypt of raw bytes.
void check_encryption(bool encrypt, Encoding encoding);

// read_private_key reads the private key as dk or from its seed; one of the two paths is empty. Both empty is wrong use
// of the command.
struct PrivateKeyPath {
    const std::string &dk, &seed_file;
    const PassphraseSource &passphrase;
};
Buffer read_private_key(Files &files, const latkem_kem *kem, const std::string &command, const PrivateKeyPath &path);

#endif
