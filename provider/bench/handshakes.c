/* Full TLS 1.3 handshakes a second, client and server in one process on one processor, for groups in turns.
 *
 * The certificate is ECDSA with P-256, made anew and trusted by the client; there are no session tickets. A round gives each
 * group the same time, and rounds follow each other, so that a group's ratio to the first one is taken under the same
 * load. The configuration (OPENSSL_CONF) says which providers are there.
 *
 *     handshakes [ROUNDS [MILLISECONDS]] GROUP[@PROPERTIES]...
 *
 * prints a line of JSON: for each group handshakes a second and the ratio to the first group, as median and quartiles of the
 * rounds. SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 1000, GROUPS_MAX = 16 };

typedef struct {
    const char *name;
    SSL_CTX *client, *server;
    double rates[ROUNDS_MAX], ratios[ROUNDS_MAX];
} contestant;

static void fail(const char *what)
{
    (void)fprintf(stderr, "handshakes: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- A certificate, and two sides that use it ---- */

static X509 *certificate(EVP_PKEY *key)
{
    X509 *made = X509_new();
    X509_NAME *name = X509_NAME_new();
    const int ok = made && name && X509_set_version(made, 2) && ASN1_INTEGER_set(X509_get_serialNumber(made), 1) &&
                   X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1,
                                              0) &&
                   X509_set_subject_name(made, name) && X509_set_issuer_name(made, name) &&
                   X509_gmtime_adj(X509_getm_notBefore(made), -3600) &&
                   X509_gmtime_adj(X509_getm_notAfter(made), 86400) && X509_set_pubkey(made, key) &&
                   X509_sign(made, key, EVP_sha256());
    if (!ok) fail("cannot make a certificate");
    X509_NAME_free(name);
    return made;
}

static SSL_CTX *side(const SSL_METHOD *method, const char *properties, const char *group)
{
    SSL_CTX *made = SSL_CTX_new_ex(NULL, properties, method);
    if (!made || !SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION)) fail("cannot make a side");
    if (SSL_CTX_set1_groups_list(made, group) != 1) fail(group);
    return made;
}

/* NAME, or NAME@PROPERTIES for a choice of providers. */
static void prepare(contestant *c, char *word, EVP_PKEY *key, X509 *cert)
{
    char group[64];
    char *properties = strchr(word, '@');
    const int len = properties ? (int)(properties - word) : (int)strlen(word);
    (void)snprintf(group, sizeof group, "%.*s", len, word);
    c->name = word;
    c->server = side(TLS_server_method(), properties ? properties + 1 : NULL, group);
    c->client = side(TLS_client_method(), properties ? properties + 1 : NULL, group);
    SSL_CTX_set_num_tickets(c->server, 0);
    SSL_CTX_set_verify(c->client, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_use_certificate(c->server, cert) != 1 || SSL_CTX_use_PrivateKey(c->server, key) != 1 ||
        X509_STORE_add_cert(SSL_CTX_get_cert_store(c->client), cert) != 1)
        fail("cannot use the certificate");
}

/* ---- One handshake, through a pair of buffers ---- */

static int is_waiting(SSL *s, int result)
{
    return result != 1 && SSL_get_error(s, result) == SSL_ERROR_WANT_READ;
}

static void handshake(const contestant *c)
{
    BIO *one = NULL, *other = NULL;
    SSL *client = SSL_new(c->client), *server = SSL_new(c->server);
    if (!client || !server || BIO_new_bio_pair(&one, 0, &other, 0) != 1) fail("cannot make a connection");
    SSL_set_bio(client, one, one);
    SSL_set_bio(server, other, other);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    for (int sent = 0, received = 0; sent != 1 || received != 1;) {
        sent = SSL_do_handshake(client);
        if (sent != 1 && !is_waiting(client, sent)) fail("the client fails");
        received = SSL_do_handshake(server);
        if (received != 1 && !is_waiting(server, received)) fail("the server fails");
    }
    SSL_free(client);
    SSL_free(server);
}

static double rate(const contestant *c, double span)
{
    const double begin = seconds();
    double now;
    size_t n = 0;
    do {
        for (int i = 0; i < 4; i++, n++) handshake(c);
        now = seconds();
    } while (now - begin < span);
    return (double)n / (now - begin);
}

/* ---- The report ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, double *values, size_t n, const char *format)
{
    qsort(values, n, sizeof *values, ascending);
    printf("\"%s\": [", name);
    printf(format, values[n / 4]);
    printf(", ");
    printf(format, values[n / 2]);
    printf(", ");
    printf(format, values[n * 3 / 4]);
    printf("]");
}

/* A word that is a number, else 0. */
static long number(const char *word)
{
    char *end;
    const long value = strtol(word, &end, 10);
    return *end == 0 ? value : 0;
}

int main(int argc, char **argv)
{
    static contestant all[GROUPS_MAX];
    size_t rounds = 15, groups = 0;
    double span = 0.2;
    int at = 1;
    if (at < argc && number(argv[at]) > 0) rounds = (size_t)number(argv[at++]);
    if (at < argc && number(argv[at]) > 0) span = (double)number(argv[at++]) * 1e-3;
    if (at >= argc || argc - at > GROUPS_MAX || rounds > ROUNDS_MAX) {
        (void)fprintf(stderr, "usage: handshakes [ROUNDS [MILLISECONDS]] GROUP[@PROPERTIES]...\n");
        return 2;
    }
    EVP_PKEY *key = EVP_EC_gen("P-256");
    if (!key) fail("cannot make a key");
    X509 *cert = certificate(key);
    for (; at < argc; at++) prepare(&all[groups++], argv[at], key, cert);
    for (size_t round = 0; round < rounds; round++)
        for (size_t g = 0; g < groups; g++) {
            all[g].rates[round] = rate(&all[g], span);
            all[g].ratios[round] = all[g].rates[round] / all[0].rates[round];
        }
    printf("{\"openssl\": \"%s\", \"rounds\": %zu, \"groups\": {", OpenSSL_version(OPENSSL_VERSION), rounds);
    for (size_t g = 0; g < groups; g++) {
        printf("%s\"%s\": {", g > 0 ? ", " : "", all[g].name);
        print("per_second", all[g].rates, rounds, "%.0f");
        printf(", ");
        print("ratio", all[g].ratios, rounds, "%.3f");
        printf("}");
        SSL_CTX_free(all[g].client);
        SSL_CTX_free(all[g].server);
    }
    printf("}}\n");
    X509_free(cert);
    EVP_PKEY_free(key);
    return 0;
}
