/* The work of a context: messages and exports (RFC 9180 sections 5.2 and 5.3). SPDX-License-Identifier: Apache-2.0 */
#include "hpke/context.h"

#include <latkem/hpke.h>

#include "call/output.h"

size_t latkem_hpke_bytes(void)
{
    return sizeof(lkp_hpke_context);
}

void latkem_hpke_end(void *context)
{
    OPENSSL_cleanse(context, sizeof(lkp_hpke_context));
}

static lkp_output output_of(const void *context, uint8_t *out, size_t len)
{
    return lkp_fixed_output(lk_buffer_of(context, sizeof(lkp_hpke_context)), out, len);
}

/* Checks the context, the output and two inputs of a call. */
static int check(lkp_output out, lkp_piece in, lkp_piece more)
{
    const lk_buffer buffers[] = {out.object, lkp_bytes_of(out), lk_buffer_of(in.at, in.len),
                                 lk_buffer_of(more.at, more.len)};
    return lk_check_buffers(buffers, 4, 2);
}

/* ComputeNonce: the sequence number, in as many bytes as a nonce has, XORed to the base nonce. */
static void compute_nonce(const lkp_hpke_context *c, uint8_t nonce[LKP_NONCE_BYTES])
{
    for (size_t i = 0; i < LKP_NONCE_BYTES; i++) {
        const size_t place = LKP_NONCE_BYTES - 1 - i; /* i counts from the last byte, the lowest */
        nonce[place] = c->secrets.base_nonce[place] ^ (uint8_t)(i < 8 ? c->sequence >> 8 * i : 0);
    }
}

/* The suite of a context that can have a further message, and that message's nonce. */
static int begin_message(const lkp_hpke_context *c, uint64_t role, lkp_hpke_suite *suite,
                         uint8_t nonce[LKP_NONCE_BYTES])
{
    if (c->role != role || c->sequence == UINT64_MAX) return LATKEM_ERR_STATE;
    if (lkp_hpke_find_suite(suite, c->kem, c->kdf, c->aead) != 0 || !suite->aead->aead) return LATKEM_ERR_STATE;
    compute_nonce(c, nonce);
    return 0;
}

int latkem_hpke_seal(void *context, uint8_t *ct, const uint8_t *aad, size_t aad_len, const uint8_t *pt, size_t pt_len)
{
    lkp_hpke_context *c = context;
    lkp_hpke_suite suite;
    uint8_t nonce[LKP_NONCE_BYTES];
    const lkp_piece ad = {aad, aad_len};
    if (pt_len > PTRDIFF_MAX - LKP_TAG_BYTES) return LATKEM_ERR_LENGTH;
    const size_t ct_len = pt_len + LKP_TAG_BYTES;
    const lkp_output out = output_of(context, ct, ct_len);
    int error = check(out, ad, (lkp_piece){pt, pt_len});
    if (!error) error = begin_message(c, LKP_HPKE_SENDER, &suite, nonce);
    if (!error) error = lkp_aead_seal(suite.aead->aead, ct, c->secrets.key, nonce, ad, pt, pt_len);
    lkp_wipe_below();
    if (error) return lkp_refuse(error, out, 0);
    c->sequence++;
    return 0;
}

int latkem_hpke_open(void *context, uint8_t *pt, const uint8_t *aad, size_t aad_len, const uint8_t *ct, size_t ct_len)
{
    lkp_hpke_context *c = context;
    lkp_hpke_suite suite;
    uint8_t nonce[LKP_NONCE_BYTES];
    const lkp_piece ad = {aad, aad_len};
    const size_t pt_len = ct_len < LKP_TAG_BYTES ? 0 : ct_len - LKP_TAG_BYTES;
    const lkp_output out = output_of(context, pt, pt_len);
    int error = check(out, ad, (lkp_piece){ct, ct_len});
    if (!error) error = begin_message(c, LKP_HPKE_RECIPIENT, &suite, nonce);
    if (!error && ct_len < LKP_TAG_BYTES) error = LATKEM_ERR_LENGTH;
    if (!error) error = lkp_aead_open(suite.aead->aead, pt, c->secrets.key, nonce, ad, ct, pt_len);
    lkp_wipe_below();
    if (error) return lkp_refuse(error, out, 0);
    c->sequence++;
    return 0;
}

int latkem_hpke_export(const void *context, uint8_t *out, size_t out_len, const uint8_t *exporter_context,
                       size_t exporter_context_len)
{
    const lkp_hpke_context *c = context;
    const lkp_piece name = {exporter_context, exporter_context_len};
    lkp_hpke_suite suite;
    const lkp_output output = output_of(context, out, out_len);
    int error = check(output, name, (lkp_piece){NULL, 0});
    if (!error && c->role != LKP_HPKE_SENDER && c->role != LKP_HPKE_RECIPIENT) error = LATKEM_ERR_STATE;
    if (!error && lkp_hpke_find_suite(&suite, c->kem, c->kdf, c->aead) != 0) error = LATKEM_ERR_STATE;
    if (!error && out_len > lkp_hpke_export_max(&suite)) error = LATKEM_ERR_LENGTH;
    if (!error) error = lkp_hpke_export(&suite, out, out_len, c->secrets.exporter, name);
    lkp_wipe_below();
    return error ? lkp_refuse(error, output, 0) : 0;
}
