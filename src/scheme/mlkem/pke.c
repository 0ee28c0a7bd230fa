/* K-PKE, the encryption scheme inside (FIPS 203 section 5). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/mlkem/internal.h"

/* ---- Sampling ---- */

static size_t noise_bytes(unsigned eta)
{
    return 64 * (size_t)eta;
}

/* Key generation takes 2k eta1 pieces, encryption k and k + 1 of eta2 <= eta1. */
void lk_mlkem_take_noise(lk_mlkem_op *op, lk_arena *arena)
{
    const lk_mlkem_params *p = op->s->p;
    op->noise = lk_take(arena, 2 * p->k * noise_bytes(p->eta1) + noise_bytes(LK_ETA2));
}

/* The piece with this nonce. */
static uint8_t *noise_at(const lk_mlkem_op *op, size_t nonce, unsigned eta)
{
    const lk_mlkem_params *p = op->s->p;
    if (nonce < p->k) return op->noise + noise_bytes(p->eta1) * nonce;
    return op->noise + noise_bytes(p->eta1) * p->k + noise_bytes(eta) * (nonce - p->k);
}

void lk_mlkem_noise_job(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end, unsigned eta)
{
    lk_job_streams(job, op->s->p->suite->prf, op->g + LK_SYM_BYTES, 1);
    for (size_t nonce = first; nonce < end; nonce++) lk_job_stream(job, (unsigned)nonce);
    lk_job_out(job, noise_at(op, first, eta), noise_bytes(eta));
}

/* SampleNTT as a sink (algorithm 7). The stream comes from rho and is public. Three blocks of SHAKE128 nearly always
 * do. */
static int sample_block(lk_sink_state *state, const uint8_t *block, size_t len)
{
    const lk_q3329_kernels *ring = state->kernels;
    state->have = ring->rej_uniform_vartime(state->out, state->have, block, len);
    return state->have == LK_Q3329_N;
}

lk_sink lk_mlkem_sampler(const lk_q3329_kernels *ring)
{
    const lk_sink sampler = {
        .block = sample_block, .lanes = ring->rej_uniform_lanes_vartime, .expected = 3 * LK_SHAKE128_RATE};
    return sampler;
}

/* A[i][j] = SampleNTT(rho || j || i). */
static unsigned nonce_of(const lk_mlkem *s, size_t i, size_t j)
{
    return (unsigned)(s->kind != LK_KEYPAIR ? i + (j << 8) : j + (i << 8));
}

void lk_mlkem_rows_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t first, size_t end)
{
    const lk_mlkem *s = op->s;
    const size_t k = s->p->k;
    lk_job_streams(job, s->p->suite->xof, rho, 2);
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < k; j++) lk_job_stream(job, nonce_of(s, i, j));
    lk_job_sink(job, &s->sampler, s->ring, &op->key.a_hat[first * k], sizeof(lk_poly));
}

void lk_mlkem_entry_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t i, size_t j)
{
    const lk_mlkem *s = op->s;
    lk_job_streams(job, s->p->suite->xof, rho, 2);
    lk_job_stream(job, nonce_of(s, i, j));
    lk_job_sink(job, &s->sampler, s->ring, op->key.a_hat, sizeof(lk_poly));
}

void lk_mlkem_matrix_order(const lk_mlkem *s, lk_poly *a_hat, size_t count)
{
    if (!s->ring->ntt_order) return;
    for (size_t i = 0; i < count; i++) s->ring->ntt_order(&a_hat[i]);
}

/* ---- Coding ---- */

uint32_t lk_mlkem_decode_vector(const lk_mlkem *s, lk_poly *f, const uint8_t *in)
{
    uint32_t above = 0;
    for (size_t i = 0; i < s->p->k; i++) above |= s->ring->decode_d12(&f[i], in + LK_Q3329_POLY_BYTES * i);
    return above;
}

static void cbd(const lk_q3329_kernels *ring, unsigned eta, lk_poly *f, const uint8_t *noise)
{
    if (eta == 3)
        ring->cbd_eta3(f, noise);
    else
        ring->cbd_eta2(f, noise);
}

static void compress(const lk_q3329_kernels *ring, unsigned d, uint8_t *out, const lk_poly *f)
{
    switch (d) {
    case 4: ring->compress_d4(out, f); break;
    case 5: ring->compress_d5(out, f); break;
    case 10: ring->compress_d10(out, f); break;
    default: ring->compress_d11(out, f); break;
    }
}

static void decompress(const lk_q3329_kernels *ring, unsigned d, lk_poly *f, const uint8_t *in)
{
    switch (d) {
    case 4: ring->decompress_d4(f, in); break;
    case 5: ring->decompress_d5(f, in); break;
    case 10: ring->decompress_d10(f, in); break;
    default: ring->decompress_d11(f, in); break;
    }
}

/* ---- Arithmetic ---- */

void lk_mlkem_take_pke(lk_mlkem *s, lk_arena *arena)
{
    s->y = lk_take(arena, s->p->k * sizeof(lk_poly));
    s->cache = lk_take(arena, s->p->k * sizeof(lk_mulcache));
    s->acc = lk_take(arena, sizeof(lk_poly));
    s->addend = lk_take(arena, sizeof(lk_poly));
}

/* The eta1 vector at the start of the noise, s or y, in the NTT domain and ready for products. */
static void noise_vector_ntt(const lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    for (size_t i = 0; i < s->p->k; i++) {
        cbd(s->ring, s->p->eta1, &s->y[i], noise_at(op, i, s->p->eta1));
        s->ring->ntt(&s->y[i]);
        s->ring->mulcache(&s->cache[i], &s->y[i]);
    }
}

/* Algorithm 13 steps 8 to 11, 16 and 20. */
void lk_pke_keygen_secret(lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    noise_vector_ntt(op);
    for (size_t i = 0; i < s->p->k; i++) {
        s->ring->reduce(&s->y[i]);
        s->ring->encode_d12(op->io.dk_out + LK_Q3329_POLY_BYTES * i, &s->y[i]);
    }
}

/* s->acc = row y. */
static void row_product(const lk_mlkem_op *op, const lk_poly *row)
{
    const lk_mlkem *s = op->s;
    s->ring->inner_product(s->acc, row, s->y, s->cache, s->p->k);
}

/* The sum is made canonical each time, so that it fits. */
void lk_pke_add_entry(const lk_mlkem_op *op, size_t j)
{
    const lk_mlkem *s = op->s;
    lk_mlkem_matrix_order(s, op->key.a_hat, 1);
    s->ring->inner_product(j == 0 ? s->acc : s->addend, op->key.a_hat, &s->y[j], &s->cache[j], 1);
    if (j > 0) s->ring->add(s->acc, s->addend);
    s->ring->reduce(s->acc);
}

/* Algorithm 13 steps 12 to 15 and 17 to 19, row i of t = A s + e. */
void lk_pke_keygen_row(lk_mlkem_op *op, size_t i)
{
    row_product(op, &op->key.a_hat[i * op->s->p->k]);
    lk_pke_keygen_finish_row(op, i);
}

void lk_pke_keygen_finish_row(const lk_mlkem_op *op, size_t i)
{
    const lk_mlkem *s = op->s;
    s->ring->tomont(s->acc);
    cbd(s->ring, s->p->eta1, s->addend, noise_at(op, s->p->k + i, s->p->eta1));
    s->ring->ntt(s->addend);
    s->ring->add(s->acc, s->addend);
    s->ring->reduce(s->acc);
    s->ring->encode_d12(op->io.ek_out + LK_Q3329_POLY_BYTES * i, s->acc);
}

/* 14.13-17, 19, 21: A^T y + e1, t y + e2; 14.20-21: + mu; 14.22-23 */
void lk_pke_encrypt_finish_row(const lk_mlkem_op *op, size_t i, uint8_t *ct)
{
    const lk_mlkem *s = op->s;
    const int is_v = i == s->p->k;
    s->ring->invntt_tomont(s->acc);
    s->ring->cbd_eta2(s->addend, noise_at(op, s->p->k + i, LK_ETA2));
    s->ring->add(s->acc, s->addend);
    if (is_v) {
        s->ring->decompress_d1(s->addend, op->m);
        s->ring->add(s->acc, s->addend);
    }
    s->ring->reduce(s->acc);
    compress(s->ring, is_v ? s->p->dv : s->p->du, ct, s->acc);
}

void lk_pke_encrypt_v(const lk_mlkem_op *op, uint8_t *ct)
{
    row_product(op, op->key.t_hat);
    lk_pke_encrypt_finish_row(op, op->s->p->k, ct);
}

/* 14.9-12, 18 */
void lk_pke_encrypt_begin(const lk_mlkem_op *op)
{
    noise_vector_ntt(op);
}

void lk_pke_encrypt(const lk_mlkem_op *op, uint8_t *ct)
{
    const lk_mlkem *s = op->s;
    const size_t k = s->p->k;
    lk_pke_encrypt_begin(op);
    for (size_t i = lk_mlkem_first_row(s); i < k; i++, ct += 32 * (size_t)s->p->du) {
        row_product(op, &op->key.a_hat[i * k]);
        lk_pke_encrypt_finish_row(op, i, ct);
    }
    if (lk_mlkem_end_row(s) > k) lk_pke_encrypt_v(op, ct);
}

void lk_pke_decrypt(const lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    const uint8_t *ct = op->io.ct;
    for (size_t i = 0; i < s->p->k; i++) {
        decompress(s->ring, s->p->du, &s->y[i], ct + 32 * (size_t)s->p->du * i); /* 15.1, 3: u' */
        s->ring->ntt(&s->y[i]);
        s->ring->mulcache(&s->cache[i], &s->y[i]);
    }
    s->ring->inner_product(s->acc, op->key.s_hat, s->y, s->cache, s->p->k); /* 15.6: w = v' - s u' */
    s->ring->invntt_tomont(s->acc);
    decompress(s->ring, s->p->dv, s->addend, ct + s->p->c1_bytes); /* 15.2, 4: v' */
    s->ring->sub_from(s->acc, s->addend);
    s->ring->reduce(s->acc);
    s->ring->compress_d1(lk_mlkem_hash(op, LK_MLKEM_M), s->acc); /* 15.7 */
}
