/* DER and the shapes of key files. Keys are only pointed at: sizes are those of the sets. SPDX-License-Identifier:
 * Apache-2.0 */
#include <string.h>

#define LKP_MLKEM_ONLY
#include "keyfile/der.c"
#include "keyfile/shape.c"
#include "prove.h"

struct latkem_kem {
    const char *name;
    size_t ek, dk;
};

/* The sets as the registry has them, or small ones, for which all bytes of a file can be unknowns. */
#if defined(SMALL)
static const struct latkem_kem sets[] = {{"ML-KEM-512", 5, 9}, {"ML-KEM-768", 6, 10}, {"ML-KEM-1024", 7, 11}};
enum { SEED_BYTES = 4, FILE_MOST = 48 };
#else
static const struct latkem_kem sets[] = {
    {"ML-KEM-512", 800, 1632}, {"ML-KEM-768", 1184, 2400}, {"ML-KEM-1024", LATKEM_MLKEM_EK_MAX, LATKEM_MLKEM_DK_MAX}};
enum { SEED_BYTES = 64, FILE_MOST = 3400 };
#endif
enum { SHORT = 300 };

const latkem_kem *latkem_kem_find(const char *name)
{
    for (size_t i = 0; i < 3; i++)
        if (name[7] == sets[i].name[7]) return &sets[i];
    return NULL;
}

size_t latkem_ek_bytes(const latkem_kem *kem)
{
    return kem->ek;
}

size_t latkem_dk_bytes(const latkem_kem *kem)
{
    return kem->dk;
}

size_t latkem_seed_bytes(const latkem_kem *kem)
{
    (void)kem;
    return SEED_BYTES;
}

/* Whether a part is empty or lies in a file. */
static int inside(lkp_der part, const uint8_t *file, size_t len)
{
    if (part.len == 0) return 1;
    return __CPROVER_same_object(part.at, file) && part.at >= file && part.len <= len &&
           (size_t)(part.at - file) <= len - part.len;
}

/* Of an element that is taken: what it takes is what lkp_der_put writes for so much content. */
void prove_der_take(void)
{
    uint8_t file[SHORT], again[8];
    ANY(file);
    const size_t len = nondet_below(SHORT + 1);
    const unsigned tag = nondet_byte();
    lkp_der in = {file, len}, content;
    const int taken = lkp_der_take(&in, tag, &content);
    CLAIM(inside(in, file, len) && inside(content, file, len), "what is left and the content lie in the file");
    if (!taken) {
        CLAIM(in.at == file && in.len == len && content.len == 0, "without an element nothing is taken");
        return;
    }
    CLAIM(in.at == content.at + content.len, "what is left begins behind the content");
    CLAIM(in.at + in.len == file + len, "and ends where the file does");
    CLAIM(len - in.len == lkp_der_bytes(content.len), "the element has the bytes that lkp_der_bytes says");
    const size_t header = (size_t)(lkp_der_put(again, tag, content.len) - again);
    const size_t i = nondet_below(header);
    CLAIM(content.at == file + header && again[i] == file[i], "tag and length are the minimal ones");
}

void prove_der_take_exactly(void)
{
    uint8_t file[16], bytes[16];
    ANY(file);
    ANY(bytes);
    const size_t len = nondet_below(17), wanted = nondet_below(17);
    lkp_der in = {file, len};
    int begins = len >= wanted;
    for (size_t i = 0; i < 16; i++) begins &= i >= wanted || file[i] == bytes[i];
    CLAIM(lkp_der_take_exactly(&in, bytes, wanted) == begins, "1 if the file begins so");
    CLAIM(in.at == file + (begins ? wanted : 0) && in.at + in.len == file + len, "and then it is taken");
}

/* Every written file is read again, for any content. */
void prove_der_put(void)
{
    uint8_t file[8];
    const size_t content = nondet_below(65536);
    const unsigned tag = nondet_byte();
    ANY(file);
    const uint8_t *end = lkp_der_put(file, tag, content);
    CLAIM((size_t)(end - file) + content == lkp_der_bytes(content), "writes what lkp_der_bytes says");
    lkp_der in = {file + 1, 7};
    size_t length = 0;
    CLAIM(file[0] == tag && take_length(&in, &length) && length == content && in.at == end, "and is read again");
}

static void check_parts(const lkp_file *f, const uint8_t *file, size_t len)
{
    CLAIM(inside(f->ek, file, len) && inside(f->seed, file, len), "ek and seed lie in the file");
    CLAIM(inside(f->dk, file, len) && inside(f->second_ek, file, len), "dk and the ek behind it lie in the file");
}

void prove_read_public(void)
{
    uint8_t file[FILE_MOST];
    ANY(file);
    const size_t len = nondet_below(FILE_MOST + 1);
    lkp_file f;
    const int error = lkp_read_public(&f, (lkp_der){file, len});
    CLAIM(error == 0 || error == LATKEM_ERR_FORMAT, "0 or LATKEM_ERR_FORMAT");
    if (error) return;
    check_parts(&f, file, len);
    CLAIM(f.ek.len == f.kem->ek && lkp_public_bytes(&f) == len, "a file that is read has the one length of its set");
    CLAIM(f.ek.at + f.ek.len == file + len, "and ends with ek");
}

void prove_read_private(void)
{
    uint8_t file[FILE_MOST];
    ANY(file);
    const size_t len = nondet_below(FILE_MOST + 1);
    lkp_file f;
    const int error = lkp_read_private(&f, (lkp_der){file, len});
    CLAIM(error == 0 || error == LATKEM_ERR_FORMAT, "0 or LATKEM_ERR_FORMAT");
    if (error) return;
    check_parts(&f, file, len);
    CLAIM(f.form >= LATKEM_FORM_SEED && f.kem && f.encoding, "a file that is read has a form and a set");
    CLAIM(f.seed.len == 0 || f.seed.len == SEED_BYTES, "a seed has its length");
    CLAIM(f.dk.len == 0 || f.dk.len == f.kem->dk, "dk has its length");
    CLAIM(f.second_ek.len == 0 || f.second_ek.len == f.kem->ek, "the ek behind dk has its length");
    CLAIM(f.ek.len == 0 || f.ek.len == f.kem->ek, "ek has its length");
    CLAIM(f.seed.len > 0 || f.dk.len > 0, "a file that is read has a key");
}

static void write_and_read(size_t set, int form)
{
    uint8_t file[FILE_MOST], *seed, *dk;
    const latkem_kem *kem = &sets[set];
    const lkp_file written = {.kem = kem, .encoding = &encodings[set], .form = form};
    const size_t len = lkp_private_bytes(&written);
    ANY(file);
    CLAIM(len <= FILE_MOST, "a file fits");
    lkp_put_private(&written, file, &seed, &dk);
    CLAIM((seed != NULL) == (form != LATKEM_FORM_EXPANDED), "there is a seed if the form has one");
    CLAIM((dk != NULL) == (form != LATKEM_FORM_SEED), "there is a dk if the form has one");
    CLAIM((dk ? dk + kem->dk : seed + SEED_BYTES) == file + len, "the file ends where it says");
    lkp_file f;
    CLAIM(lkp_read_private(&f, (lkp_der){file, len}) == 0, "it is read again");
    CLAIM(f.form == form && f.kem == kem && f.seed.at == seed && f.dk.at == dk, "as what was written");
}

/* Every file that can be written. */
void prove_write_private(void)
{
    for (size_t set = 0; set < 3; set++)
        for (int form = LATKEM_FORM_SEED; form <= LATKEM_FORM_BOTH; form++) write_and_read(set, form);
}
