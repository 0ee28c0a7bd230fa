// SPDX-License-Identifier: Apache-2.0
#include "handshake.h"

#include <openssl/err.h>
#include <openssl/x509.h>

namespace
{

using Session = std::unique_ptr<SSL, Releaser<SSL_free>>;

X509 *certificate(const Library &library, EVP_PKEY *key)
{
    X509 *made = X509_new_ex(library.get(), nullptr);
    X509_gmtime_adj(X509_getm_notBefore(made), 0);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
    X509_set_pubkey(made, key);
    X509_sign(made, key, EVP_sha256());
    return made;
}

SSL_CTX *side(const Library &library, const SSL_METHOD *method, const std::string &groups)
{
    SSL_CTX *made = SSL_CTX_new_ex(library.get(), nullptr, method);
    EXPECT_EQ(SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION), 1);
    EXPECT_EQ(SSL_CTX_set1_groups_list(made, groups.c_str()), 1) << groups;
    return made;
}

// 1 done, 0 waiting, -1 failed.
int step(SSL *session)
{
    const int result = SSL_do_handshake(session);
    if (result == 1) return 1;
    return SSL_get_error(session, result) == SSL_ERROR_WANT_READ ? 0 : -1;
}

bool says(SSL *from, SSL *to, const std::string &message)
{
    char heard[64];
    size_t sent = 0, received = 0;
    return SSL_write_ex(from, message.data(), message.size(), &sent) == 1 &&
           SSL_read_ex(to, heard, sizeof heard, &received) == 1 && std::string(heard, received) == message;
}

} // namespace

Tls::Tls(const Library &library, const std::string &client_groups, const std::string &server_groups)
    : client_(side(library, TLS_client_method(), client_groups)),
      server_(side(library, TLS_server_method(), server_groups))
{
    const Key key(EVP_PKEY_Q_keygen(library.get(), nullptr, "EC", "P-256"));
    X509 *cert = certificate(library, key.get());
    SSL_CTX_set_num_tickets(server_, 0);
    EXPECT_EQ(SSL_CTX_use_certificate(server_, cert), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey(server_, key.get()), 1);
    X509_free(cert);
}

Tls::~Tls()
{
    SSL_CTX_free(client_);
    SSL_CTX_free(server_);
}

unsigned Tls::handshake() const
{
    const Session client(SSL_new(client_)), server(SSL_new(server_));
    BIO *one = nullptr, *other = nullptr;
    if (!client || !server || BIO_new_bio_pair(&one, 0, &other, 0) != 1) return 0;
    SSL_set_bio(client.get(), one, one);
    SSL_set_bio(server.get(), other, other);
    SSL_set_connect_state(client.get());
    SSL_set_accept_state(server.get());
    for (int sent = 0, received = 0; sent != 1 || received != 1;)
        if ((sent = step(client.get())) < 0 || (received = step(server.get())) < 0) return 0;
    if (!says(client.get(), server.get(), "a question") || !says(server.get(), client.get(), "an answer")) return 0;
    const long group = SSL_get_negotiated_group(client.get());
    return group == SSL_get_negotiated_group(server.get()) ? unsigned(group & 0xffff) : 0;
}
