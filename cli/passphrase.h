// Passphrases of private keys: from a file, a descriptor or the terminal.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_PASSPHRASE_H
#define LATKEM_CLI_PASSPHRASE_H

#include <string>

#include "buffer.h"
#include "files.h"

// The source of a passphrase: the first line of a file or descriptor; of neither, the terminal.
struct PassphraseSource {
    std::string file, fd;
    bool is_given() const
    {
        return !file.empty() || !fd.empty();
    }
};

// can_ask says whether there is a source or a terminal.
bool can_ask(const PassphraseSource &source);

// read_passphrase returns the passphrase of the key in a file, for messages by that name. The terminal shows no byte of
// it. Without a terminal it is a Failure. An empty passphrase is one too.
Buffer read_passphrase(Files &files, const PassphraseSource &source, const std::string &name);

// The same for writing a key: a terminal asks twice.
Buffer choose_passphrase(Files &files, const PassphraseSource &source, const std::string &name);

#endif
