// TLS 1.3 between two sides in one process. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROVIDER_HANDSHAKE_H
#define LATKEM_TESTS_PROVIDER_HANDSHAKE_H

#include <openssl/ssl.h>

#include "openssl.h"

// A client and a server of a library context with a certificate of their own. The lists of groups are OpenSSL's, with
// colons between; a client's first group is the one that it sends a share of.
class Tls
{
  public:
    Tls(const Library &library, const std::string &client_groups, const std::string &server_groups);
    ~Tls();
    Tls(const Tls &) = delete;
    Tls &operator=(const Tls &) = delete;

    // A handshake, and a message each way. The number of the group, or 0 if it fails.
    unsigned handshake() const;

  private:
    SSL_CTX *client_, *server_;
};

#endif
