/* Key files: arguments, the checks of keys, and the calls of keyfile.h. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <string.h>

#include "call/output.h"
#include "keyfile/shape.h"
#include "shared/ct.h"
#include "shared/wipe.h"

/* z and H(ek), at the end of dk (FIPS 203 algorithm 16). */
enum { Z_BYTES = 32, H_BYTES = 32 };

static lkp_output output_of(uint8_t *at, size_t *len)
{
    static const lk_buffer nothing;
    return lkp_output_of(nothing, at, len);
}

/* All arguments are needed, also those of 0 bytes. The last is the input; the others are outputs. */
static int check_arguments(const lk_buffer *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!arguments[i].at) return LATKEM_ERR_ARGUMENT;
    return lk_check_buffers(arguments, count, count - 1);
}

/* Whether bytes differ. That they do is public: it decides between a key and an error. */
static int differ(const uint8_t *a, const uint8_t *b, size_t len)
{
    const uint32_t difference = lk_ct_differ(a, b, len);
    lk_declassify(&difference, sizeof difference);
    return difference != 0;
}

/* Whether a part of a file is there and differs from what it repeats. */
static int contradicts(lkp_der part, const uint8_t *key)
{
    return part.len > 0 && differ(part.at, key, part.len);
}

static const uint8_t *hash_in(const latkem_kem *kem, const uint8_t *dk)
{
    return dk + latkem_dk_bytes(kem) - Z_BYTES - H_BYTES;
}

static const uint8_t *ek_in(const latkem_kem *kem, const uint8_t *dk)
{
    return hash_in(kem, dk) - latkem_ek_bytes(kem);
}

/* Whether dk decapsulates what is encapsulated to the ek inside. The coins are H(ek), which is at hand, and other for
 * each key. They need not be secret: the ciphertext leaves this function in no form. Nor need they be unpredictable:
 * the check is for keys that were damaged or mixed up, because a person who makes a bad key on purpose knows it anyway.
 * So no random generator can fail here, and a file is read the same way each time. */
static int check_pair(const latkem_kem *kem, const uint8_t *dk)
{
    uint8_t ct[LATKEM_MLKEM_CT_MAX], sent[LATKEM_MLKEM_SS_BYTES], received[LATKEM_MLKEM_SS_BYTES];
    int error = latkem_encaps_derand(kem, ct, sent, ek_in(kem, dk), latkem_ek_bytes(kem), hash_in(kem, dk), H_BYTES);
    if (!error) error = latkem_decaps(kem, received, ct, latkem_ct_bytes(kem), dk, latkem_dk_bytes(kem));
    if (!error) error = differ(sent, received, LATKEM_MLKEM_SS_BYTES);
    lk_wipe(ct, sizeof ct);
    lk_wipe(sent, sizeof sent);
    lk_wipe(received, sizeof received);
    return error ? LATKEM_ERR_DK : 0;
}

/* dk of the seed or, without a seed, that in the file; and its ek. */
static int expand(const lkp_file *file, uint8_t *ek, uint8_t *dk)
{
    if (file->seed.len > 0) return latkem_keypair_derand(file->kem, ek, dk, file->seed.at, file->seed.len);
    memcpy(dk, file->dk.at, file->dk.len);
    memcpy(ek, ek_in(file->kem, dk), latkem_ek_bytes(file->kem));
    return 0;
}

/* Writes dk of an ML-KEM key, once everything that the file says of it agrees. */
static int check_private(const lkp_file *file, uint8_t *dk)
{
    uint8_t ek[LATKEM_MLKEM_EK_MAX];
    if (file->dk.len > 0 && latkem_check_dk(file->kem, file->dk.at, file->dk.len) != 0) return LATKEM_ERR_DK;
    const int error = expand(file, ek, dk);
    if (error) return error;
    if (contradicts(file->dk, dk)) return LATKEM_ERR_DK;
    if (contradicts(file->second_ek, ek)) return LATKEM_ERR_DK;
    if (contradicts(file->ek, ek)) return LATKEM_ERR_DK;
    return file->seed.len > 0 ? 0 : check_pair(file->kem, dk);
}

/* X-Wing's dk is its seed, which cannot be wrong. */
static int write_dk(const lkp_file *file, uint8_t *dk)
{
    if (file->encoding->is_mlkem) return check_private(file, dk);
    memcpy(dk, file->seed.at, file->seed.len);
    return 0;
}

int latkem_public_key_read(const latkem_kem **kem, uint8_t *ek, size_t *ek_len, const uint8_t *der, size_t der_len)
{
    const lkp_output out = output_of(ek, ek_len);
    const lk_buffer arguments[] = {lk_buffer_of(kem, sizeof(void *)), lkp_bytes_of(out), lkp_length_of(out),
                                   lk_buffer_of(der, der_len)};
    lkp_file file = {.kem = NULL};
    int error = check_arguments(arguments, 4);
    if (!error) error = lkp_read_public(&file, (lkp_der){der, der_len});
    if (!error && out.capacity < file.ek.len) error = LATKEM_ERR_LENGTH;
    if (!error) error = latkem_check_ek(file.kem, file.ek.at, file.ek.len);
    if (kem) *kem = error ? NULL : file.kem;
    if (error) return lkp_refuse(error, out, error == LATKEM_ERR_LENGTH ? file.ek.len : 0);
    memcpy(ek, file.ek.at, file.ek.len);
    *ek_len = file.ek.len;
    return 0;
}

static int check_read_arguments(const lk_buffer *arguments, lkp_output seed)
{
    enum { ALL = 7, SEED = 2 }; /* seed and its length come first, and may both be missing */
    const size_t missing = seed.at || seed.len ? 0 : SEED;
    return check_arguments(arguments + missing, ALL - missing);
}

/* The parts of a private key, written where there is room for all of them. */
static int read_private(const lkp_file *file, lkp_output seed, lkp_output dk)
{
    const size_t dk_bytes = latkem_dk_bytes(file->kem);
    if (dk.capacity < dk_bytes || (seed.len && seed.capacity < file->seed.len)) return LATKEM_ERR_LENGTH;
    const int error = write_dk(file, dk.at);
    if (!error && seed.at && file->seed.len > 0) memcpy(seed.at, file->seed.at, file->seed.len);
    return error;
}

int latkem_private_key_read(const latkem_kem **kem, int *form, uint8_t *seed, size_t *seed_len, uint8_t *dk,
                            size_t *dk_len, const uint8_t *der, size_t der_len)
{
    const lkp_output seed_out = output_of(seed, seed_len), dk_out = output_of(dk, dk_len);
    const lk_buffer arguments[] = {
        lkp_bytes_of(seed_out),           lkp_length_of(seed_out), lk_buffer_of(kem, sizeof(void *)),
        lk_buffer_of(form, sizeof *form), lkp_bytes_of(dk_out),    lkp_length_of(dk_out),
        lk_buffer_of(der, der_len)};
    lkp_file file = {.kem = NULL};
    int error = check_read_arguments(arguments, seed_out);
    if (!error) error = lkp_read_private(&file, (lkp_der){der, der_len});
    if (!error) error = read_private(&file, seed_out, dk_out);
    if (kem) *kem = error ? NULL : file.kem;
    if (form) *form = error ? 0 : file.form;
    const int says_lengths = !error || error == LATKEM_ERR_LENGTH;
    const size_t seed_bytes = says_lengths ? file.seed.len : 0, dk_bytes = says_lengths ? latkem_dk_bytes(file.kem) : 0;
    if (error) return lkp_refuse(lkp_refuse(error, dk_out, dk_bytes), seed_out, seed_bytes);
    lkp_say_length(seed_out, seed_bytes);
    lkp_say_length(dk_out, dk_bytes);
    return 0;
}

/* Without room for a file, out is zeroed and says the bytes needed. */
static int make_room(lkp_output out, size_t bytes)
{
    return out.capacity >= bytes ? 0 : lkp_refuse(LATKEM_ERR_LENGTH, out, bytes);
}

int latkem_public_key_write(const latkem_kem *kem, uint8_t *der, size_t *der_len, const uint8_t *ek, size_t ek_len)
{
    const lkp_output out = output_of(der, der_len);
    const lk_buffer arguments[] = {lkp_bytes_of(out), lkp_length_of(out), lk_buffer_of(ek, ek_len)};
    const lkp_file file = {.kem = kem, .encoding = lkp_encoding_of(kem)};
    int error = file.encoding ? check_arguments(arguments, 3) : LATKEM_ERR_ARGUMENT;
    if (!error && ek_len != latkem_ek_bytes(kem)) error = LATKEM_ERR_LENGTH;
    if (error) return lkp_refuse(error, out, 0);
    error = make_room(out, lkp_public_bytes(&file));
    if (error) return error;
    error = latkem_check_ek(kem, ek, ek_len);
    if (error) return lkp_refuse(error, out, 0);
    lkp_der_copy(lkp_put_public(&file, der), ek, ek_len);
    *der_len = lkp_public_bytes(&file);
    return 0;
}

/* Whether a key, a seed or an expanded one, can be written in a form. */
static int check_form(const lkp_file *file, int key_is_seed)
{
    switch (file->form) {
    case LATKEM_FORM_SEED: return key_is_seed ? 0 : LATKEM_ERR_ARGUMENT;
    case LATKEM_FORM_BOTH: return key_is_seed && file->encoding->is_mlkem ? 0 : LATKEM_ERR_ARGUMENT;
    case LATKEM_FORM_EXPANDED: return file->encoding->is_mlkem ? 0 : LATKEM_ERR_ARGUMENT;
    default: return LATKEM_ERR_ARGUMENT;
    }
}

static int write_private(const lkp_file *file, uint8_t *der, lkp_der key)
{
    uint8_t *seed, *dk, ek[LATKEM_MLKEM_EK_MAX];
    lkp_put_private(file, der, &seed, &dk);
    if (seed) memcpy(seed, key.at, key.len);
    if (!dk) return 0;
    if (key.len == latkem_seed_bytes(file->kem)) return latkem_keypair_derand(file->kem, ek, dk, key.at, key.len);
    const int error = latkem_check_dk(file->kem, key.at, key.len);
    if (error) return error;
    memcpy(dk, key.at, key.len);
    return check_pair(file->kem, dk);
}

int latkem_private_key_write(const latkem_kem *kem, int form, uint8_t *der, size_t *der_len, const uint8_t *key,
                             size_t key_len)
{
    const lkp_output out = output_of(der, der_len);
    const lk_buffer arguments[] = {lkp_bytes_of(out), lkp_length_of(out), lk_buffer_of(key, key_len)};
    const lkp_file file = {.kem = kem, .encoding = lkp_encoding_of(kem), .form = form};
    const int is_seed = key_len == latkem_seed_bytes(kem);
    int error = file.encoding ? check_arguments(arguments, 3) : LATKEM_ERR_ARGUMENT;
    if (!error && !is_seed && key_len != latkem_dk_bytes(kem)) error = LATKEM_ERR_LENGTH;
    if (!error) error = check_form(&file, is_seed);
    if (error) return lkp_refuse(error, out, 0);
    error = make_room(out, lkp_private_bytes(&file));
    if (error) return error;
    error = write_private(&file, der, (lkp_der){key, key_len});
    if (error) return lkp_refuse(error, out, 0);
    *der_len = lkp_private_bytes(&file);
    return 0;
}
