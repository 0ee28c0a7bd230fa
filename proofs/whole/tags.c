/* All outcomes of rejection: whether an operation gives the same outputs whatever number of blocks each stream of the
 * matrix needs.
 *
 *     tags LIBRARY OFFSET SET OPERATION ELEMENTS LANES PAIRS NARROW SINK ORDER FIVES
 *
 * The library runs natively with stubs in the place of a backend's kernels. The 64-bit words that a stub writes are tags:
 * hashes of all words that it reads. The code between the kernels is examined: the schemes, the scheduler, absorption. It
 * moves words and XORs them. So equal outputs mean equal values, but for a collision of hashes.
 *
 * OFFSET is that of lk_backend_force behind latkem_kem_find. OPERATION is keygen, encaps, decaps or rejects, a
 * decapsulation of another ciphertext. With ELEMENTS above 1 it is the batch's. LANES, PAIRS and NARROW are those of the
 * backend's Keccak; SINK and ORDER say whether its ring has rej_uniform_lanes_vartime and ntt_order. Each stream needs 3
 * or 4 blocks, and of all at most FIVES need 5.
 *
 * The outputs have to be those of single operations in one lane with 3 blocks for each stream. Prints the number of
 * outcomes, or the first with another output, and exits with 1. SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/backend.h"

enum {
    ELEMENTS_MAX = 3,
    STREAMS_MAX = ELEMENTS_MAX * LK_Q3329_RANK_MAX * LK_Q3329_RANK_MAX,
    BLOCKS_MAX = 5,
    BLOCKS_LEAST = 3,
    RATE_WORDS = LK_SHAKE128_RATE / 8,
    HELD = 200, /* values after the first block, one more after each further block */
    EK_MAX = LATKEM_MLKEM_EK_MAX,
    DK_MAX = LATKEM_MLKEM_DK_MAX,
    CT_MAX = LATKEM_MLKEM_CT_MAX,
    SS = 32,
    SEED = 64
};

/* A stream of the matrix: the tags of its blocks, and how many it needs. */
typedef struct {
    uint64_t blocks[BLOCKS_MAX];
    unsigned needs;
    unsigned ended; /* in the present run */
} stream;

static stream streams[STREAMS_MAX];
static size_t stream_count;
static int is_reference; /* streams and messages are learned */
static const char *wrong;

static void refuse(const char *why)
{
    if (!wrong) wrong = why;
}

/* ---- Tags ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    const unsigned __int128 product = (unsigned __int128)(h ^ UINT64_C(0x9E3779B97F4A7C15)) *
                                      (x ^ UINT64_C(0xD1B54A32D192ED03));
    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ (x << 1 | x >> 63) ^ h << 17;
}

/* The tag of whole words. */
static uint64_t tag_of(uint64_t h, const void *from, size_t bytes)
{
    uint64_t word;
    for (size_t i = 0; i < bytes; i += sizeof word) {
        memcpy(&word, (const char *)from + i, sizeof word);
        h = mix(h, word);
    }
    return h;
}

static void fill(void *to, size_t bytes, uint64_t h)
{
    for (size_t i = 0; i < bytes; i += sizeof h) {
        h = mix(h, i);
        memcpy((char *)to + i, &h, sizeof h);
    }
}

/* Content that nobody may rely on. */
static uint64_t unspecified(void)
{
    static uint64_t state;
    state++;
    return mix(28, state);
}

/* ---- Keccak ---- */

static size_t lanes;

static void permute_words(uint64_t *words, size_t stride)
{
    uint64_t h = 1;
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) h = mix(h, words[w * stride]);
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) words[w * stride] = h = mix(h, w);
}

static size_t permute(uint64_t *states, size_t used)
{
    if (used < 1 || used > lanes) refuse("a permutation of no lanes, or of too many");
    for (size_t l = 0; l < used; l++) permute_words(states + l, lanes);
    for (size_t i = 0; i < LK_KECCAK_WORDS * lanes; i++)
        if (i % lanes >= used) states[i] = unspecified();
    return used;
}

/* The blocks that follow from a state. */
static void learn(const uint64_t state[LK_KECCAK_WORDS])
{
    uint64_t words[LK_KECCAK_WORDS];
    stream s = {.needs = BLOCKS_LEAST};
    memcpy(words, state, sizeof words);
    for (size_t t = 0; t < BLOCKS_MAX; t++) {
        permute_words(words, 1);
        s.blocks[t] = tag_of(2, words, LK_SHAKE128_RATE);
    }
    for (size_t e = 0; e < stream_count; e++)
        if (streams[e].blocks[0] == s.blocks[0]) return;
    if (stream_count < STREAMS_MAX)
        streams[stream_count++] = s;
    else
        refuse("more streams than entries");
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    for (size_t l = 0; l < lanes; l++) {
        uint64_t state[LK_KECCAK_WORDS] = {0};
        if (!(in >> l & 1)) continue;
        memcpy(state, seed, 32);
        state[4] = ends[l];
        state[last] = (uint64_t)1 << 63;
        if (is_reference && last == RATE_WORDS - 1) learn(state);
        for (size_t w = 0; w < LK_KECCAK_WORDS; w++) states[w * lanes + l] = state[w];
    }
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    for (size_t l = 0; l < lanes; l++) {
        for (size_t w = 0; w < LK_KECCAK_WORDS && words[l] > 0; w++) {
            uint64_t *to = &states[w * lanes + l], word = 0;
            if (w < words[l]) memcpy(&word, blocks[l] + 8 * w, 8);
            *to = (fresh >> l & 1 ? 0 : *to) ^ word;
        }
    }
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    size_t sum = 0;
    for (size_t l = 0; l < lanes; l++) {
        for (size_t w = 0; w < words[l]; w++) memcpy(blocks[l] + 8 * w, &states[w * lanes + l], 8);
        sum += words[l];
    }
    return sum;
}

/* ---- Rejection: the outcomes decide how many blocks a stream needs ---- */

/* Makes f the polynomial of stream e after t blocks. */
static void hold(lk_poly *f, size_t e, size_t t)
{
    for (size_t i = 0; i < HELD / 4; i++) {
        const uint64_t word = mix(streams[e].blocks[t - 1], i);
        memcpy(&f->c[4 * i], &word, sizeof word);
    }
    for (size_t i = HELD; i < LK_Q3329_N; i++) f->c[i] = (int16_t)unspecified();
}

static int holds(const lk_poly *f, size_t e, size_t t)
{
    lk_poly held;
    hold(&held, e, t);
    return memcmp(held.c, f->c, HELD * sizeof f->c[0]) == 0;
}

/* The stream with t blocks in f, or that begins with this block. */
static size_t stream_of(const lk_poly *f, size_t t, uint64_t block)
{
    size_t e = 0;
    while (e < stream_count && !(t > 0 ? holds(f, e, t) : streams[e].blocks[0] == block)) e++;
    return e;
}

static size_t sample(lk_poly *f, size_t have, uint64_t block)
{
    const size_t t = have > 0 ? have - HELD + 1 : 0, e = stream_of(f, t, block);
    if (e == stream_count) {
        refuse(t > 0 ? "what a stream left is gone" : "a block that begins no stream");
        return LK_Q3329_N;
    }
    if (streams[e].blocks[t] != block) refuse("a block that is not the next of its stream");
    if (t + 1 < streams[e].needs) {
        hold(f, e, t + 1);
        return HELD + t;
    }
    streams[e].ended++;
    fill(f->c, sizeof f->c, streams[e].blocks[0]);
    return LK_Q3329_N;
}

static size_t rej_uniform(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    if (len != LK_SHAKE128_RATE) refuse("a block of another length");
    return sample(f, have, tag_of(2, in, LK_SHAKE128_RATE));
}

static uint32_t rej_uniform_lanes(lk_sink_state *const *to, uint32_t mask, const uint64_t *words, size_t count,
                                  size_t rate)
{
    uint32_t complete = 0;
    if (rate != LK_SHAKE128_RATE || count != lanes) refuse("a block of another length");
    for (size_t l = 0; l < lanes; l++) {
        uint64_t block[RATE_WORDS];
        if (!(mask >> l & 1)) continue;
        for (size_t w = 0; w < RATE_WORDS; w++) block[w] = words[w * lanes + l];
        to[l]->have = sample(to[l]->out, to[l]->have, tag_of(2, block, sizeof block));
        complete |= (uint32_t)(to[l]->have == LK_Q3329_N) << l;
    }
    return complete;
}

/* ---- The ring: what is written depends on all that is read ---- */

static uint64_t tag_of_poly(uint64_t h, const lk_poly *f)
{
    return tag_of(h, f->c, sizeof f->c);
}

#define IN_PLACE(name, salt)                                                                                           \
    static void name(lk_poly *f)                                                                                       \
    {                                                                                                                  \
        fill(f->c, sizeof f->c, tag_of_poly(salt, f));                                                                 \
    }
IN_PLACE(ntt, 3)
IN_PLACE(invntt, 4)
IN_PLACE(tomont, 5)
IN_PLACE(reduce, 6)

/* The same values in another order. */
static void ntt_order(lk_poly *f)
{
    (void)f;
}

#define OF_TWO(name, salt)                                                                                             \
    static void name(lk_poly *f, const lk_poly *g)                                                                     \
    {                                                                                                                  \
        fill(f->c, sizeof f->c, tag_of_poly(tag_of_poly(salt, f), g));                                                 \
    }
OF_TWO(add, 7)
OF_TWO(sub_from, 8)

static void mulcache(lk_mulcache *cache, const lk_poly *g)
{
    fill(cache->c, sizeof cache->c, tag_of_poly(9, g));
}

static void inner_product(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    uint64_t tag = 10;
    for (size_t i = 0; i < k; i++) {
        tag = tag_of_poly(tag_of_poly(tag, f + i), g + i);
        tag = tag_of(tag, cache[i].c, sizeof cache[i].c);
    }
    fill(h->c, sizeof h->c, tag);
}

#define TO_BYTES(name, salt, bytes)                                                                                    \
    static void name(uint8_t *out, const lk_poly *f)                                                                   \
    {                                                                                                                  \
        fill(out, bytes, tag_of_poly(salt, f));                                                                        \
    }
TO_BYTES(encode_d12, 11, 384)
TO_BYTES(compress_d4, 12, 128)
TO_BYTES(compress_d5, 13, 160)
TO_BYTES(compress_d10, 14, 320)
TO_BYTES(compress_d11, 15, 352)

#define OF_BYTES(name, salt, bytes)                                                                                    \
    static void name(lk_poly *f, const uint8_t *in)                                                                    \
    {                                                                                                                  \
        fill(f->c, sizeof f->c, tag_of(salt, in, bytes));                                                              \
    }
OF_BYTES(decompress_d1, 16, 32)
OF_BYTES(decompress_d4, 17, 128)
OF_BYTES(decompress_d5, 18, 160)
OF_BYTES(decompress_d10, 19, 320)
OF_BYTES(decompress_d11, 20, 352)
OF_BYTES(cbd_eta2, 21, 128)
OF_BYTES(cbd_eta3, 22, 192)

static uint32_t decode_d12(lk_poly *f, const uint8_t in[384])
{
    fill(f->c, sizeof f->c, tag_of(23, in, 384));
    return 0;
}

/* Decryption's last step. Tags know nothing of cancelling, so the reference says what comes out: the message that was
 * encrypted, or another one if the ciphertext is another. */
static struct {
    uint64_t tag;
    uint8_t m[32];
} messages[2 * ELEMENTS_MAX];
static size_t message_count;
static const uint8_t *message;

static void compress_d1(uint8_t out[32], const lk_poly *f)
{
    const uint64_t tag = tag_of_poly(24, f);
    size_t i = 0;
    while (i < message_count && messages[i].tag != tag) i++;
    if (i == message_count && is_reference) {
        messages[message_count].tag = tag;
        memcpy(messages[message_count++].m, message, 32);
    }
    if (i < message_count)
        memcpy(out, messages[i].m, 32);
    else
        refuse("a decrypted message that no ciphertext has");
}

/* ---- Backends ---- */

static lk_keccak_kernels keccak = {
    .permute = permute, .absorb_seed = absorb_seed, .absorb = absorb, .squeeze = squeeze};
static lk_q3329_kernels ring = {ntt,           invntt,        mulcache,      inner_product,  tomont,
                                add,           sub_from,      reduce,        encode_d12,     decode_d12,
                                compress_d1,   compress_d4,   compress_d5,   compress_d10,   compress_d11,
                                decompress_d1, decompress_d4, decompress_d5, decompress_d10, decompress_d11,
                                cbd_eta2,      cbd_eta3,      rej_uniform,   NULL,           NULL};
static const lk_backend backend = {.name = "tags", .symmetric = {.keccak = &keccak}, .q3329 = &ring};

/* ---- The library ---- */

static struct {
    const latkem_kem *kem;
    size_t ek, dk, ct;
    void (*force)(const lk_backend *);
    int (*keypair)(const latkem_kem *, uint8_t *, uint8_t *, const uint8_t *, size_t);
    int (*encaps)(const latkem_kem *, uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t);
    int (*decaps)(const latkem_kem *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t);
    int (*keypairs)(const latkem_kem *, size_t, uint8_t *, uint8_t *, latkem_rng_fn *, void *);
    int (*encapsulations)(const latkem_kem *, size_t, uint8_t *, uint8_t *, const uint8_t *, latkem_rng_fn *, void *);
    int (*decapsulations)(const latkem_kem *, size_t, uint8_t *, const uint8_t *, const uint8_t *);
} api;

static void *named(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        printf("%s: %s\n", name, dlerror());
        exit(2);
    }
    return found;
}

static size_t bytes_of(void *library, const char *function)
{
    size_t (*bytes)(const latkem_kem *);
    *(void **)&bytes = named(library, function);
    return bytes(api.kem);
}

static void open_library(const char *path, const char *offset, const char *set)
{
    const latkem_kem *(*find)(const char *);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        puts(dlerror());
        exit(2);
    }
    *(void **)&find = named(library, "latkem_kem_find");
    *(void **)&api.force = (char *)named(library, "latkem_kem_find") + strtol(offset, NULL, 0);
    *(void **)&api.keypair = named(library, "latkem_keypair_derand");
    *(void **)&api.encaps = named(library, "latkem_encaps_derand");
    *(void **)&api.decaps = named(library, "latkem_decaps");
    *(void **)&api.keypairs = named(library, "latkem_keypair_batch_rng");
    *(void **)&api.encapsulations = named(library, "latkem_encaps_batch_rng");
    *(void **)&api.decapsulations = named(library, "latkem_decaps_batch");
    api.kem = find(set);
    if (!api.kem) {
        printf("no set is called %s\n", set);
        exit(2);
    }
    api.ek = bytes_of(library, "latkem_ek_bytes");
    api.dk = bytes_of(library, "latkem_dk_bytes");
    api.ct = bytes_of(library, "latkem_ct_bytes");
}

/* ---- Operations ---- */

/* Of each element, one behind the other. */
static uint8_t seeds[ELEMENTS_MAX * SEED], coins[ELEMENTS_MAX * SS];
static uint8_t eks[ELEMENTS_MAX * EK_MAX], dks[ELEMENTS_MAX * DK_MAX], cts[ELEMENTS_MAX * CT_MAX];
static uint8_t first[ELEMENTS_MAX * DK_MAX], second[ELEMENTS_MAX * DK_MAX]; /* outputs */
static uint8_t first_expected[sizeof first], second_expected[sizeof second];
static size_t elements;
static char operation;

/* The caller's generator: the next bytes of `ctx`. */
static int next_bytes(void *ctx, uint8_t *out, size_t len)
{
    const uint8_t **from = ctx;
    memcpy(out, *from, len);
    *from += len;
    return 0;
}

static int single(size_t i)
{
    const uint8_t *ek = eks + api.ek * i, *dk = dks + api.dk * i, *ct = cts + api.ct * i;
    if (operation == 'k') return api.keypair(api.kem, first + api.ek * i, second + api.dk * i, seeds + SEED * i, SEED);
    if (operation == 'e')
        return api.encaps(api.kem, first + api.ct * i, second + SS * i, ek, api.ek, coins + SS * i, SS);
    return api.decaps(api.kem, second + SS * i, ct, api.ct, dk, api.dk);
}

static int run(void)
{
    const uint8_t *from = operation == 'k' ? seeds : coins;
    if (elements == 1) return single(0);
    if (operation == 'k') return api.keypairs(api.kem, elements, first, second, next_bytes, &from);
    if (operation == 'e') return api.encapsulations(api.kem, elements, first, second, eks, next_bytes, &from);
    return api.decapsulations(api.kem, elements, second, cts, dks);
}

static void put_in_force(size_t count, size_t pairs, size_t narrow)
{
    lanes = keccak.lanes = count;
    keccak.pairs = pairs;
    keccak.narrow = narrow;
    api.force(&backend);
}

/* Keys, ciphertexts and what has to come out: single operations in one lane. */
static void make_reference(void)
{
    const char asked = operation;
    int error = 0;
    fill(seeds, sizeof seeds, 25);
    fill(coins, sizeof coins, 26);
    put_in_force(1, 0, 0);
    is_reference = 1;
    for (size_t i = 0; i < elements; i++) {
        uint8_t other[SS];
        error |= api.keypair(api.kem, eks + api.ek * i, dks + api.dk * i, seeds + SEED * i, SEED);
        if (asked == 'k') stream_count = 0;
        error |= api.encaps(api.kem, cts + api.ct * i, other, eks + api.ek * i, api.ek, coins + SS * i, SS);
    }
    stream_count = 0;
    for (size_t i = 0; i < elements; i++) {
        uint8_t other[SS];
        fill(other, sizeof other, 27 + i);
        message = asked == 'r' ? other : coins + SS * i;
        if (asked == 'r') cts[api.ct * i] ^= 1;
        error |= single(i);
    }
    is_reference = 0;
    if (error || wrong) {
        printf("one lane, 3 blocks: error %d, %s\n", error, wrong ? wrong : "no block refused");
        exit(1);
    }
    memcpy(first_expected, first, sizeof first);
    memcpy(second_expected, second, sizeof second);
}

/* ---- All outcomes ---- */

static void examine(void)
{
    static const uint8_t none[sizeof first];
    const char *why = NULL;
    memcpy(first, none, sizeof first);
    memcpy(second, none, sizeof second);
    for (size_t e = 0; e < stream_count; e++) streams[e].ended = 0;
    const int error = run();
    for (size_t e = 0; e < stream_count; e++)
        if (streams[e].ended != 1) refuse("a stream that did not end once");
    if (wrong)
        why = wrong;
    else if (error)
        why = "an error is returned";
    else if (memcmp(first, first_expected, sizeof first) != 0 || memcmp(second, second_expected, sizeof second) != 0)
        why = "the outputs differ";
    if (!why) return;
    printf("%s, error %d, blocks", why, error);
    for (size_t e = 0; e < stream_count; e++) printf(" %u", streams[e].needs);
    puts("");
    exit(1);
}

/* Examines those of streams e and up: so many streams may need 5 blocks. Returns the number of outcomes. */
static unsigned long outcomes(size_t e, unsigned fives)
{
    unsigned long count = 0;
    if (e == stream_count) {
        examine();
        return 1;
    }
    for (unsigned needs = BLOCKS_LEAST; needs <= BLOCKS_MAX; needs++) {
        if (needs == BLOCKS_MAX && fives == 0) break;
        streams[e].needs = needs;
        count += outcomes(e + 1, fives - (needs == BLOCKS_MAX));
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 12) return puts("usage: see the head of tags.c"), 2;
    open_library(argv[1], argv[2], argv[3]);
    operation = argv[4][0];
    elements = strtoul(argv[5], NULL, 0);
    if (elements < 1 || elements > ELEMENTS_MAX) return puts("too many elements"), 2;
    make_reference();
    ring.rej_uniform_lanes_vartime = strtoul(argv[9], NULL, 0) ? rej_uniform_lanes : NULL;
    ring.ntt_order = strtoul(argv[10], NULL, 0) ? ntt_order : NULL;
    put_in_force(strtoul(argv[6], NULL, 0), strtoul(argv[7], NULL, 0), strtoul(argv[8], NULL, 0));
    printf("%lu outcomes of %zu streams\n", outcomes(0, (unsigned)strtoul(argv[11], NULL, 0)), stream_count);
    return 0;
}
