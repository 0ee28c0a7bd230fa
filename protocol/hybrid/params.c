/* The rows of the hybrids, and how they are found. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/hybrid.h>
#include <string.h>

#include "call/output.h"
#include "hybrid/hybrid.h"

/* Lengths of ML-KEM's objects (FIPS 203 section 8, table 3), and of the groups'. */
#define EK(k) (384 * (k) + 32)
#define DK(k) (768 * (k) + 96)
#define CT(k) ((k) == 4 ? 32 * (4 * 11 + 5) : 32 * ((k)*10 + 4))

#define SCALAR_x25519 32
#define SHARE_x25519 32
#define RANDOM_x25519 32
#define SCALAR_p256 32
#define SHARE_p256 65
#define RANDOM_p256 96
#define SCALAR_p384 48
#define SHARE_p384 97
#define RANDOM_p384 48

#define PREPARED_EK(k, g) (LK_PREPARED_HEADER + LK_MLKEM_PREPARED_EK(k) + SHARE_##g)
#define PREPARED_DK(k, g) (LK_PREPARED_HEADER + LK_MLKEM_PREPARED_DK(k) + SCALAR_##g)

/* The common part of all rows: ek and ct of both parts, and the parts themselves. */
#define PARTS(k, g)                                                                                                    \
    .mlkem = (k) == 3 ? "ML-KEM-768" : "ML-KEM-1024", .ek = EK(k), .dk = DK(k), .ct = CT(k), .group = &lkp_##g
#define WIRE(k, g) .ek = EK(k) + SHARE_##g, .ct = CT(k) + SHARE_##g, .coins = {LKP_COINS, RANDOM_##g}

/* Two secrets side by side (RFC 10024). */
#define CONCATENATION(k, g, first)                                                                                     \
    {                                                                                                                  \
        .row = {.bytes = {WIRE(k, g), .dk = DK(k) + SCALAR_##g, .ss = LKP_SS + SCALAR_##g,                             \
                          .seed = {LKP_SEED, RANDOM_##g}, .prepared_ek = PREPARED_EK(k, g),                            \
                          .prepared_dk = PREPARED_DK(k, g)},                                                           \
                .group = (k) == 3 ? LKP_MOST : LKP_MOST_1024},                                                         \
        PARTS(k, g), .group_first = first                                                                              \
    }

/* A hash for secret, a seed for dk (draft-connolly-cfrg-xwing-kem, draft-ietf-hpke-pq). */
#define HASH(k, g, label_)                                                                                             \
    {                                                                                                                  \
        .row = {.bytes = {WIRE(k, g), .dk = 32, .ss = 32, .seed = {32}, .prepared_ek = PREPARED_EK(k, g),              \
                          .prepared_dk = PREPARED_DK(k, g) + SHARE_##g},                                               \
                .group = (k) == 3 ? LKP_MOST : LKP_MOST_1024},                                                         \
        PARTS(k, g), .label = label_                                                                                   \
    }

static const lkp_hybrid x25519_mlkem768 = CONCATENATION(3, x25519, 0);
static const lkp_hybrid secp256r1_mlkem768 = CONCATENATION(3, p256, 1);
static const lkp_hybrid secp384r1_mlkem1024 = CONCATENATION(4, p384, 1);
static const lkp_hybrid xwing = HASH(3, x25519, "\\.//^\\");
static const lkp_hybrid mlkem768_p256 = HASH(3, p256, "MLKEM768-P256");
static const lkp_hybrid mlkem1024_p384 = HASH(4, p384, "MLKEM1024-P384");

/* clang-format off */
#define SET(name, family, level, standard, params, stack_kib, batch_stack_kib) \
    {name, family, &(params).row, level, standard, 0, stack_kib, batch_stack_kib, &lkp_hybrid_functions}
static const latkem_kem hybrids[] = {
    SET("X25519MLKEM768",     "TLS hybrid", 3, 1, x25519_mlkem768,     40, 80),
    SET("SecP256r1MLKEM768",  "TLS hybrid", 3, 1, secp256r1_mlkem768,  40, 80),
    SET("SecP384r1MLKEM1024", "TLS hybrid", 5, 1, secp384r1_mlkem1024, 48, 80),
    SET("X-Wing",             "Hybrid",     3, 0, xwing,               40, 80),
    SET("MLKEM768-P256",      "Hybrid",     3, 0, mlkem768_p256,       40, 80),
    SET("MLKEM1024-P384",     "Hybrid",     5, 0, mlkem1024_p384,      48, 80),
};

/* Numbers of TLS groups (RFC 10024; draft-ietf-tls-mlkem) and of HPKE KEMs (draft-ietf-hpke-pq); 0: none. */
static const struct {
    const char *name;
    unsigned tls_group, hpke_kem;
} numbers[] = {
    {"ML-KEM-512",         0x0200, 0x0040},
    {"ML-KEM-768",         0x0201, 0x0041},
    {"ML-KEM-1024",        0x0202, 0x0042},
    {"X25519MLKEM768",     0x11ec, 0},
    {"SecP256r1MLKEM768",  0x11eb, 0},
    {"SecP384r1MLKEM1024", 0x11ed, 0},
    {"X-Wing",             0,      0x647a},
    {"MLKEM768-P256",      0,      0x0050},
    {"MLKEM1024-P384",     0,      0x0051},
};
/* clang-format on */

/* A row is laid out for the core of one version. */
const latkem_kem *latkem_hybrid_at(size_t index)
{
    if (strcmp(latkem_version(), LATKEM_VERSION) != 0) return NULL;
    return index < sizeof hybrids / sizeof hybrids[0] ? &hybrids[index] : NULL;
}

const latkem_kem *latkem_hybrid_find(const char *name)
{
    const latkem_kem *kem = NULL;
    if (!name) return NULL;
    for (size_t i = 0; (kem = latkem_hybrid_at(i)); i++)
        if (strcmp(kem->name, name) == 0) break;
    return kem;
}

/* The row of numbers of a set, or past their end. */
static size_t numbers_of(const latkem_kem *kem)
{
    const char *name = latkem_kem_name(kem);
    size_t i = 0;
    while (i < sizeof numbers / sizeof numbers[0] && (!name || strcmp(numbers[i].name, name) != 0)) i++;
    return i;
}

unsigned latkem_tls_group(const latkem_kem *kem)
{
    const size_t i = numbers_of(kem);
    return i < sizeof numbers / sizeof numbers[0] ? numbers[i].tls_group : 0;
}

unsigned latkem_hpke_kem_id(const latkem_kem *kem)
{
    const size_t i = numbers_of(kem);
    return i < sizeof numbers / sizeof numbers[0] ? numbers[i].hpke_kem : 0;
}

/* ---- Opened hybrids ---- */

/* A copy of a row, with a library of its own, in the caller's storage. */
typedef struct {
    latkem_kem kem;
    lkp_hybrid set;
} opened;

size_t latkem_hybrid_bytes(void)
{
    return sizeof(opened);
}

/* Only a pointer to a row is followed. */
static int is_row(const latkem_kem *hybrid)
{
    size_t i = 0;
    while (latkem_hybrid_at(i) && latkem_hybrid_at(i) != hybrid) i++;
    return hybrid && latkem_hybrid_at(i) == hybrid;
}

int latkem_hybrid_open(const latkem_kem **kem, void *storage, const latkem_kem *hybrid, OSSL_LIB_CTX *context)
{
    const lk_buffer buffers[] = {lk_buffer_of(kem, sizeof(void *)), lk_buffer_of(storage, sizeof(opened))};
    opened *o = storage;
    int error = is_row(hybrid) ? lk_check_buffers(buffers, 2, 2) : LATKEM_ERR_ARGUMENT;
    if (!error) {
        *o = (opened){.kem = *hybrid, .set = *(const lkp_hybrid *)hybrid->row};
        o->kem.row = &o->set.row;
        error = lkp_library_open(&o->set.library, o->set.group, context);
    }
    if (kem) *kem = error ? NULL : &o->kem;
    return error ? lkp_fail(error, storage, sizeof *o) : 0;
}

void latkem_hybrid_close(void *storage)
{
    opened *o = storage;
    lkp_library_close(&o->set.library);
    memset(o, 0, sizeof *o);
}
