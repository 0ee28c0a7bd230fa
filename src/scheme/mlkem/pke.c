/* K-PKE, the encryption scheme inside (FIPS 203 section 5). SPDX-License-Identifier: Apache-2.0 */
#include "scheme/mlkem/internal.h"

void lk_mlkem_take_key(lk_mlkem_key *key, lk_arena *arena, const lk_mlkem_params *p, int secret)
{
    key->a_hat = lk_take(arena, (size_t)p->k * p->k * sizeof(lk_poly));
    key->h = lk_take(arena, LK_SYM_BYTES);
    key->z = secret ? lk_take(arena, LK_SYM_BYTES) : NULL;
}

void lk_mlkem_take_vectors(lk_mlkem_key *key, lk_arena *arena, const lk_mlkem_params *p, int secret)
{
    key->t_hat = lk_take(arena, p->k * sizeof(lk_poly));
    key->s_hat = secret ? lk_take(arena, p->k * sizeof(lk_poly)) : NULL;
}

static size_t noise_bytes(unsigned eta)
{
    return 64 * (size_t)eta;
}

/* Key generation takes 2k eta1 pieces, encryption k and k + 1 of eta2 <= eta1. */
uint8_t *lk_mlkem_take_noise(lk_arena *arena, const lk_mlkem_params *p)
{
    return lk_take(arena, 2 * p->k * noise_bytes(p->eta1) + noise_bytes(LK_ETA2));
}

size_t lk_mlkem_noise_at(const lk_mlkem_params *p, size_t i)
{
    return i * noise_bytes(p->eta1);
}

void lk_mlkem_take_pke(lk_pke_buffers *w, lk_arena *arena, const lk_mlkem_params *p)
{
    w->y = lk_take(arena, p->k * sizeof(lk_poly));
    w->cache = lk_take(arena, p->k * sizeof(lk_mulcache));
    w->acc = lk_take(arena, sizeof(lk_poly));
    w->addend = lk_take(arena, sizeof(lk_poly));
}

/* SampleNTT as a sink (algorithm 7). The stream comes from rho and is public. */
static int sample_block(lk_sink_state *state, const uint8_t *block, size_t len)
{
    const lk_q3329_kernels *ring = state->kernels;
    state->have = ring->rej_uniform_vartime(state->out, state->have, block, len);
    return state->have == LK_Q3329_N;
}

lk_sink lk_mlkem_sampler(const lk_backend *b)
{
    const lk_sink sampler = {.block = sample_block, .lanes = b->q3329->rej_uniform_lanes_vartime};
    return sampler;
}

/* A[i][j] comes from XOF(rho, j, i), column first. */
size_t lk_mlkem_row_jobs(const lk_backend *b, const lk_mlkem_params *p, lk_job *jobs, size_t n, const lk_sink *sampler,
                         lk_poly *row, const uint8_t *rho, size_t i, int transposed)
{
    for (size_t j = 0; j < p->k; j++) {
        const uint8_t place[2] = {(uint8_t)(transposed ? i : j), (uint8_t)(transposed ? j : i)};
        lk_job_stream(&jobs[n], p->suite->xof, NULL, 0, rho, 0, place, 2);
        lk_job_sink(&jobs[n++], sampler, b->q3329, &row[j]);
    }
    return n;
}

size_t lk_mlkem_matrix_jobs(const lk_backend *b, const lk_mlkem_params *p, lk_job *jobs, size_t n,
                            const lk_sink *sampler, lk_poly *a_hat, const uint8_t *rho, int transposed)
{
    for (size_t i = 0; i < p->k; i++)
        n = lk_mlkem_row_jobs(b, p, jobs, n, sampler, &a_hat[i * p->k], rho, i, transposed);
    return n;
}

void lk_mlkem_matrix_order(const lk_backend *b, lk_poly *a_hat, size_t count)
{
    if (!b->q3329->ntt_order) return;
    for (size_t i = 0; i < count; i++) b->q3329->ntt_order(&a_hat[i]);
}

size_t lk_mlkem_noise_jobs(const lk_mlkem_params *p, lk_job *jobs, size_t n, uint8_t *noise, const uint8_t *seed,
                           int late, size_t first, size_t eta1_count, size_t eta2_count)
{
    for (size_t i = 0; i < eta1_count + eta2_count; i++) {
        const size_t len = noise_bytes(i < eta1_count ? p->eta1 : LK_ETA2);
        const uint8_t nonce = (uint8_t)(first + i);
        lk_job_stream(&jobs[n++], p->suite->prf, noise, len, seed, late, &nonce, 1);
        noise += len;
    }
    return n;
}

uint32_t lk_mlkem_decode_vector(const lk_backend *b, const lk_mlkem_params *p, lk_poly *f, const uint8_t *in)
{
    uint32_t above = 0;
    for (size_t i = 0; i < p->k; i++) above |= b->q3329->decode_d12(&f[i], in + LK_Q3329_POLY_BYTES * i);
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

/* The eta1 vector at the start of the noise, in the NTT domain, ready for products. */
static void noise_vector_ntt(const lk_q3329_kernels *ring, const lk_mlkem_params *p, const uint8_t *noise,
                             const lk_pke_buffers *w)
{
    for (size_t i = 0; i < p->k; i++) {
        cbd(ring, p->eta1, &w->y[i], noise + lk_mlkem_noise_at(p, i));
        ring->ntt(&w->y[i]);
        ring->mulcache(&w->cache[i], &w->y[i]);
    }
}

void lk_pke_keygen_secret(const lk_backend *b, const lk_mlkem_params *p, uint8_t *s_bytes, const uint8_t *noise,
                          const lk_pke_buffers *w)
{
    const lk_q3329_kernels *ring = b->q3329;
    noise_vector_ntt(ring, p, noise, w);
    for (size_t i = 0; i < p->k; i++) {
        ring->reduce(&w->y[i]);
        ring->encode_d12(s_bytes + LK_Q3329_POLY_BYTES * i, &w->y[i]);
    }
}

void lk_pke_keygen_row(const lk_backend *b, const lk_mlkem_params *p, uint8_t *t_bytes, const lk_poly *row, size_t i,
                       const uint8_t *noise, const lk_pke_buffers *w)
{
    const lk_q3329_kernels *ring = b->q3329;
    ring->inner_product(w->acc, row, w->y, w->cache, p->k);
    ring->tomont(w->acc);
    cbd(ring, p->eta1, w->addend, noise + lk_mlkem_noise_at(p, p->k + i));
    ring->ntt(w->addend);
    ring->add(w->acc, w->addend);
    ring->reduce(w->acc);
    ring->encode_d12(t_bytes, w->acc);
}

/* Algorithm 14 from step 9: u = A^T y + e1, v = t y + e2 + mu. */
void lk_pke_encrypt(const lk_backend *b, const lk_mlkem_params *p, uint8_t *ct, const lk_mlkem_key *key,
                    const uint8_t *m, const uint8_t *noise, const lk_pke_buffers *w)
{
    const lk_q3329_kernels *ring = b->q3329;
    noise_vector_ntt(ring, p, noise, w);
    noise += lk_mlkem_noise_at(p, p->k);
    for (size_t i = 0; i < p->k; i++) {
        ring->inner_product(w->acc, &key->a_hat[i * p->k], w->y, w->cache, p->k);
        ring->invntt_tomont(w->acc);
        ring->cbd_eta2(w->addend, noise);
        noise += noise_bytes(LK_ETA2);
        ring->add(w->acc, w->addend);
        ring->reduce(w->acc);
        compress(ring, p->du, ct, w->acc);
        ct += 32 * (size_t)p->du;
    }
    ring->inner_product(w->acc, key->t_hat, w->y, w->cache, p->k);
    ring->invntt_tomont(w->acc);
    ring->cbd_eta2(w->addend, noise);
    ring->add(w->acc, w->addend);
    ring->decompress_d1(w->addend, m);
    ring->add(w->acc, w->addend);
    ring->reduce(w->acc);
    compress(ring, p->dv, ct, w->acc);
}

/* Algorithm 15: m from v - s u. */
void lk_pke_decrypt(const lk_backend *b, const lk_mlkem_params *p, uint8_t *m, const lk_mlkem_key *key,
                    const uint8_t *ct, const lk_pke_buffers *w)
{
    const lk_q3329_kernels *ring = b->q3329;
    for (size_t i = 0; i < p->k; i++) {
        decompress(ring, p->du, &w->y[i], ct + 32 * (size_t)p->du * i);
        ring->ntt(&w->y[i]);
        ring->mulcache(&w->cache[i], &w->y[i]);
    }
    ring->inner_product(w->acc, key->s_hat, w->y, w->cache, p->k);
    ring->invntt_tomont(w->acc);
    decompress(ring, p->dv, w->addend, ct + 32 * (size_t)p->du * p->k);
    ring->sub_from(w->acc, w->addend);
    ring->reduce(w->acc);
    ring->compress_d1(m, w->acc);
}
