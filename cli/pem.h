// PEM (RFC 7468) and its base64 (RFC 4648), in memory. The text may be of a private key: what is decoded and encoded stays
// in Buffers, which are wiped, and digits are turned into values and back without a table or a branch on them.
//
// The codec is the command's own: libcrypto's (EVP_DecodeBlock) looks digits up in a table by their value, and lets pass
// what is not canonical.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_PEM_H
#define LATKEM_CLI_PEM_H

#include <string>
#include <string_view>
#include <vector>

#include "buffer.h"

struct PemBlock {
    std::string label; // printable ASCII
    std::string_view body;
};

// is_pem says whether bytes are PEM: "-----BEGIN" is in them, in UTF-16 maybe.
bool is_pem(std::string_view text);

// narrowed returns PEM without what UTF-16 has more than ASCII.
Buffer narrowed(std::string_view text);

// shown_label is a label for messages. Only known ones are shown: a damaged file may have a key in its place.
std::string shown_label(std::string_view label);

// split_pem finds the blocks, around which there may be any text, on the same line too, and returns "", or says what is
// wrong with the file. Lines may have lost their ends.
std::string split_pem(std::string_view text, std::vector<PemBlock> &blocks);

// decode_base64 decodes text with white space in it, be it written as "\n", into out and returns "", or says what is wrong,
// without quoting the text, and leaves out empty. Each value has one text: padding is there, and unused bits are 0.
std::string decode_base64(std::string_view text, Buffer &out);

// encode_pem makes one block, with lines of 64 digits.
Buffer encode_pem(const std::string &label, const Buffer &data);

#endif
