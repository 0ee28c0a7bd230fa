/* K-PKE, the encryption scheme inside (FIPS 203 section 5). SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "scheme/mlkem/internal.h"
#include "shared/ct.h"

/* ---- Sampling ---- */

static size_t noise_bytes(unsigned eta)
{
    return 64 * (size_t)eta;
}

/* Key generation takes 2k eta1 pieces, encryption k and k + 1 of eta2 <= eta1. */
void lk_mlkem_take_noise(lk_mlkem_op *op, lk_arena *arena)
{
    const lk_mlkem_params *p = op->s->p;
    if (!LK_IS_SMALL) op->noise = lk_take(arena, 2 * p->k * noise_bytes(p->eta1) + noise_bytes(LK_ETA2));
}

/* The piece with this nonce. In the small build it comes to the end of the polynomial that is made of it. */
static uint8_t *noise_at(const lk_mlkem_op *op, size_t nonce, unsigned eta)
{
    const lk_mlkem_params *p = op->s->p;
    if (LK_IS_SMALL) return (uint8_t *)((nonce < p->k ? &op->s->y[nonce] : op->s->acc) + 1) - noise_bytes(eta);
    if (nonce < p->k) return op->noise + noise_bytes(p->eta1) * nonce;
    return op->noise + noise_bytes(p->eta1) * p->k + noise_bytes(eta) * (nonce - p->k);
}

static void noise_streams(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end)
{
    lk_job_streams(job, op->s->p->suite->prf, op->g + LK_SYM_BYTES, 1);
    for (size_t nonce = first; nonce < end; nonce++) lk_job_stream(job, (unsigned)nonce);
}

void lk_mlkem_noise_job(const lk_mlkem_op *op, lk_job *job, size_t first, size_t end, unsigned eta)
{
    noise_streams(op, job, first, end);
    lk_job_out(job, noise_at(op, first, eta), noise_bytes(eta));
    if (LK_IS_SMALL) job->stride = sizeof(lk_poly);
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

/* The streams of rows [first, end): A[i][j] = SampleNTT(rho || j || i). */
static void matrix_streams(const lk_mlkem *s, lk_job *job, const uint8_t *rho, size_t first, size_t end)
{
    lk_job_streams(job, s->p->suite->xof, rho, 2);
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < s->p->k; j++)
            lk_job_stream(job, (unsigned)(s->kind != LK_KEYPAIR ? i + (j << 8) : j + (i << 8)));
}

void lk_mlkem_rows_job(const lk_mlkem_op *op, lk_job *job, const uint8_t *rho, size_t first, size_t end)
{
    const lk_mlkem *s = op->s;
    matrix_streams(s, job, rho, first, end);
    lk_job_sink(job, &s->sampler, s->ring, &op->key.a_hat[first * s->p->k], sizeof(lk_poly));
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
    for (size_t i = 0; i < s->p->k; i++)
        above |= s->ring->decode_d12(&f[LK_IS_SMALL ? 0 : i], in + LK_Q3329_POLY_BYTES * i);
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
    s->acc = lk_take(arena, sizeof(lk_poly));
    if (LK_IS_SMALL) {
        s->addend = s->y;
        s->row_again = (uint8_t *)s->acc;
    } else {
        s->cache = lk_take(arena, s->p->k * sizeof(lk_mulcache));
        s->addend = lk_take(arena, sizeof(lk_poly));
        s->row_again = (uint8_t *)s->addend;
    }
}

/* y[i], which is in the NTT domain, made ready for products. */
static void cache(const lk_mlkem *s, size_t i)
{
    if (!LK_IS_SMALL) s->ring->mulcache(&s->cache[i], &s->y[i]);
}

/* ---- Products, which have two forms: of factors that are stored, or of factors as they come ---- */

/* A sink for one entry of A: adds it times a polynomial of y, its place, to acc. */
static int multiply_block(lk_sink_state *state, const uint8_t *block, size_t len)
{
    const lk_mlkem *s = state->kernels;
    state->have = s->ring->rej_uniform_mac_vartime(s->acc, state->out, state->have, block, len);
    return state->have == LK_Q3329_N;
}

static const lk_sink multiplier = {.block = multiply_block, .expected = 3 * LK_SHAKE128_RATE};

/* acc = A y, the present row; the small build adds it to acc. Returns 1 if it is written down as a job. */
static int multiplies_row(const lk_mlkem_op *op, lk_jobs *jobs, const uint8_t *rho)
{
    const lk_mlkem *s = op->s;
    if (!LK_IS_SMALL) {
        s->ring->inner_product(s->acc, &op->key.a_hat[op->row * s->p->k], s->y, s->cache, s->p->k);
        return 0;
    }
    lk_job *job = lk_jobs_next(jobs);
    matrix_streams(s, job, rho, op->row, op->row + 1u);
    lk_job_sink(job, &multiplier, s, s->y, sizeof(lk_poly));
    return 1;
}

/* acc = f y, with the encoded vector f or what is decoded of it. Returns 0 if every value of f is below q, or if f has been
 * checked. */
static uint32_t multiply_vector(const lk_mlkem *s, const lk_poly *decoded, const uint8_t *f)
{
    uint32_t above = 0;
    if (!LK_IS_SMALL) {
        s->ring->inner_product(s->acc, decoded, s->y, s->cache, s->p->k);
        return 0;
    }
    memset(s->acc, 0, sizeof *s->acc);
    for (size_t i = 0; i < s->p->k; i++)
        above |= s->ring->decode_d12_mac(s->acc, f + LK_Q3329_POLY_BYTES * i, &s->y[i]);
    return above;
}

/* ---- Noise: there already, or a job ---- */

/* Returns 1 if pieces [first, end) are written down as a job. */
static int samples(const lk_mlkem_op *op, lk_jobs *jobs, size_t first, size_t end, unsigned eta)
{
    if (LK_IS_SMALL) lk_mlkem_noise_job(op, lk_jobs_next(jobs), first, end, eta);
    return LK_IS_SMALL;
}

/* A sink that adds a piece to a polynomial: one block has all of it. */
static int add_block(lk_sink_state *state, const uint8_t *block, size_t len)
{
    const lk_q3329_kernels *ring = state->kernels;
    (void)len;
    ring->cbd_eta2_add(state->out, block);
    return 1;
}

static const lk_sink adder = {.block = add_block, .expected = 64 * LK_ETA2};

/* acc += the present row's piece, in encryption. Returns 1 if it is written down as a job. */
static int adds_noise(const lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem *s = op->s;
    const size_t nonce = s->p->k + op->row;
    if (!LK_IS_SMALL) {
        s->ring->cbd_eta2(s->addend, noise_at(op, nonce, LK_ETA2));
        s->ring->add(s->acc, s->addend);
        return 0;
    }
    lk_job *job = lk_jobs_next(jobs);
    noise_streams(op, job, nonce, nonce + 1);
    lk_job_sink(job, &adder, s->ring, s->acc, 0);
    return 1;
}

/* ---- K-PKE ---- */

/* The steps: those of the vector y, or s, then those of each row. */
enum { BEGIN, VECTOR, ROW, ROW_GOES_ON, ROW_ENDS };

static void end_row(lk_mlkem_op *op)
{
    op->row++;
    op->step = ROW;
}

static void vector_ntt(const lk_mlkem *s, const lk_mlkem_op *op, size_t i)
{
    cbd(s->ring, s->p->eta1, &s->y[i], noise_at(op, i, s->p->eta1));
    s->ring->ntt(&s->y[i]);
}

/* Algorithm 13 steps 8 to 11, 16 and 20. In the small build the products of s come with a factor R, because they are added
 * to e. */
static void keygen_secret(const lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    for (size_t i = 0; i < s->p->k; i++) {
        vector_ntt(s, op, i);
        cache(s, i);
        s->ring->reduce(&s->y[i]);
        s->ring->encode_d12(op->io.dk_out + LK_Q3329_POLY_BYTES * i, &s->y[i]);
        if (LK_IS_SMALL) s->ring->tomont(&s->y[i]);
    }
}

/* 13.12-15, 17 */
static void keygen_error(const lk_mlkem_op *op, lk_poly *e)
{
    const lk_mlkem *s = op->s;
    cbd(s->ring, s->p->eta1, e, noise_at(op, s->p->k + op->row, s->p->eta1));
    s->ring->ntt(e);
}

/* 13.18: A s + e. Without a second polynomial e comes first. */
static int keygen_product(const lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem *s = op->s;
    const int waits = multiplies_row(op, jobs, op->io.ek_out + s->p->vector_bytes);
    if (LK_IS_SMALL) {
        keygen_error(op, s->acc);
        s->ring->reduce(s->acc);
    } else {
        keygen_error(op, s->addend);
        s->ring->tomont(s->acc);
        s->ring->add(s->acc, s->addend);
    }
    return waits;
}

/* 13.19 */
static void keygen_encode(const lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    s->ring->reduce(s->acc);
    s->ring->encode_d12(op->io.ek_out + LK_Q3329_POLY_BYTES * op->row, s->acc);
}

/* Returns 1 if jobs have to run before the next step. */
static int keygen_step(lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem *s = op->s;
    const size_t k = s->p->k;
    switch (op->step++) {
    case BEGIN: return samples(op, jobs, 0, k, s->p->eta1);
    case VECTOR: keygen_secret(op); return 0;
    case ROW: return samples(op, jobs, k + op->row, k + op->row + 1, s->p->eta1);
    case ROW_GOES_ON: return keygen_product(op, jobs);
    default:
        keygen_encode(op);
        end_row(op);
        return 0;
    }
}

void lk_pke_keygen_row(lk_mlkem_op *op)
{
    const unsigned row = op->row;
    lk_mlkem_matrix_order(op->s, &op->key.a_hat[row * op->s->p->k], op->s->p->k);
    while (op->row == row) (void)keygen_step(op, NULL);
}

uint32_t lk_pke_keygen(lk_mlkem_op *op, lk_jobs *jobs)
{
    while (op->row < op->s->p->k) {
        if (!LK_IS_SMALL) {
            lk_pke_keygen_row(op);
        } else if (keygen_step(op, jobs)) {
            op->again = 1;
            return 0;
        }
    }
    return LK_DONE;
}

/* 14.9-12, 18 */
static void encrypt_vector(const lk_mlkem_op *op)
{
    for (size_t i = 0; i < op->s->p->k; i++) {
        vector_ntt(op->s, op, i);
        cache(op->s, i);
    }
}

/* For products of factors as they come. */
static const uint8_t *rho_of(const lk_mlkem_op *op)
{
    return op->s->rows == LK_MLKEM_ROWS_OF_U ? op->io.part : lk_mlkem_ek(op) + op->s->p->vector_bytes;
}

/* 14.19, 21: A^T y or t y. With a prepared key there is an ek in the small build alone. */
static int encrypt_product(lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem *s = op->s;
    if (op->row == s->p->k) {
        lk_mlkem_judge_t(op, multiply_vector(s, op->key.t_hat, LK_IS_SMALL ? lk_mlkem_ek(op) : NULL));
        return 0;
    }
    if (LK_IS_SMALL) memset(s->acc, 0, sizeof *s->acc);
    return multiplies_row(op, jobs, LK_IS_SMALL ? rho_of(op) : NULL);
}

/* A row of d bits is written, or compared with that of the ciphertext which came: in two ways that share no instruction, so
 * that the compiler must not know their lengths to be the same. */
static void put(lk_mlkem_op *op, size_t at, unsigned d)
{
    const lk_mlkem *s = op->s;
    const size_t bytes = 32 * (size_t)d, again = lk_barrier_size(bytes);
    compress(s->ring, d, s->kind == LK_DECAPS ? s->row_again : op->io.ct_out + at, s->acc);
    if (s->kind != LK_DECAPS) return;
    op->differ |= lk_ct_differ(s->row_again, op->io.ct + at, bytes);
    op->agreed += (uint32_t)bytes & lk_ct_same(s->row_again, op->io.ct + at, again);
}

/* 14.20-23: + mu, and the bytes */
static void encrypt_encode(lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    const int is_v = op->row == s->p->k;
    if (is_v) {
        s->ring->decompress_d1(s->addend, op->m);
        s->ring->add(s->acc, s->addend);
    }
    s->ring->reduce(s->acc);
    put(op, 32 * (size_t)s->p->du * (op->row - lk_mlkem_first_row(s)), is_v ? s->p->dv : s->p->du);
}

static int encrypt_step(lk_mlkem_op *op, lk_jobs *jobs)
{
    const lk_mlkem *s = op->s;
    switch (op->step++) {
    case BEGIN: return samples(op, jobs, 0, s->p->k, s->p->eta1);
    case VECTOR: encrypt_vector(op); return 0;
    case ROW: return encrypt_product(op, jobs);
    case ROW_GOES_ON: s->ring->invntt_tomont(s->acc); return adds_noise(op, jobs);
    default:
        encrypt_encode(op);
        end_row(op);
        return 0;
    }
}

uint32_t lk_pke_encrypt(lk_mlkem_op *op, lk_jobs *jobs)
{
    while (op->row < lk_mlkem_end_row(op->s)) {
        if (!encrypt_step(op, jobs)) continue;
        op->again = 1;
        return 0;
    }
    return LK_DONE;
}

void lk_pke_decrypt(const lk_mlkem_op *op)
{
    const lk_mlkem *s = op->s;
    const uint8_t *ct = op->io.ct;
    for (size_t i = 0; i < s->p->k; i++) {
        decompress(s->ring, s->p->du, &s->y[i], ct + 32 * (size_t)s->p->du * i); /* 15.1, 3: u' */
        s->ring->ntt(&s->y[i]);
        cache(s, i);
    }
    (void)multiply_vector(s, op->key.s_hat, op->io.dk); /* 15.6: w = v' - s u' */
    s->ring->invntt_tomont(s->acc);
    decompress(s->ring, s->p->dv, s->addend, ct + s->p->c1_bytes); /* 15.2, 4: v' */
    s->ring->sub_from(s->acc, s->addend);
    s->ring->reduce(s->acc);
    s->ring->compress_d1(lk_mlkem_hash(op, LK_MLKEM_M), s->acc); /* 15.7 */
}
