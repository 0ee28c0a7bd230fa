// Identifies files that are no keys of latkem's, so that an error can name them.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_IDENTIFY_H
#define LATKEM_CLI_IDENTIFY_H

#include <string>
#include <string_view>

// identify names what bytes look like, such as "gzip data" or "base64 of DER: a private key of RSA (PKCS#8)", or returns ""
// for bytes without a mark. The name holds no byte of theirs: they may be a key. Random bytes have a mark by chance, once
// in some million files, so ask only about bytes that are refused already.
std::string identify(std::string_view bytes);

// is_hex says whether a text is hex digits and separators, such as ":" and ", 0x".
bool is_hex(std::string_view text);

// identify_der names what one element of DER holds, such as "a certificate or a request for one (X.509)", or returns "".
std::string identify_der(std::string_view der);

#endif
