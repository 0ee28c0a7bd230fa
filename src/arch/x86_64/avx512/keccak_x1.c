/* Keccak-f[1600] on one state, in five 512-bit registers.
 *
 * A register holds five words A[x,y] (FIPS 202 section 3.1.2) in its lanes 0 to 4. All coordinates below are modulo 5.
 * Theta wants words of one column in the same lane of different registers, chi those of one row. In the form (g, d),
 * d != 0, register r holds the words with g x + d y = r, word x in lane x: theta's column parities are the XOR of the
 * registers. Pi takes A[x,y] to B[X,Y] = B[y, 2x + 3y], so that the register's words satisfy (g + d) X + 3g Y = r. If
 * g + d != 0 they differ in Y. A permutation of lanes then brings B[X,Y] into lane Y, where its neighbours in the row,
 * B[X + 1,Y] and B[X + 2,Y], are in lane Y of registers r + (g + d) and r + 2 (g + d). If g != 0, a second permutation
 * brings E[X,Y] into lane X: the form (g + d, 3g). No word has changed its register.
 *
 * From (1, 3) this gives (4, 3), (2, 2) and (4, 1). There g + d = 0: each register is a row, and chi is done within it,
 * which gives (0, 2). There g = 0: after chi each register is a sheet, and only now words change registers, to (1, 3).
 * So 24 rounds are four times five and four.
 *
 * The latency of a round decides. The permutation for pi is therefore applied to the words and to theta's effect
 * on them apart, so that the former runs beside the column parities. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/compilers.h"
#include "arch/x86_64/avx512/keccak_x1.h"
#include "symmetric/keccak/kernels.h"

enum { LANES = 8 };

typedef struct {
    _Alignas(64) uint64_t lane[8];
} vector;

/* The vector with f(..., l) in each lane l, and the list of list(..., r) for each register r. */
#define BY_LANE(f, ...)                                                                                                \
    {                                                                                                                  \
        {                                                                                                              \
            f(__VA_ARGS__, 0), f(__VA_ARGS__, 1), f(__VA_ARGS__, 2), f(__VA_ARGS__, 3), f(__VA_ARGS__, 4)              \
        }                                                                                                              \
    }
#define BY_REGISTER(list, ...)                                                                                         \
    {                                                                                                                  \
        list(__VA_ARGS__, 0), list(__VA_ARGS__, 1), list(__VA_ARGS__, 2), list(__VA_ARGS__, 3), list(__VA_ARGS__, 4)   \
    }

/* The offsets of rho (section 3.2.2, table 2) for word w = x + 5y. */
#define RHO_ROW(w, r0, r1, r2, r3, r4)                                                                                 \
    ((w) % 5 == 0 ? (r0) : (w) % 5 == 1 ? (r1) : (w) % 5 == 2 ? (r2) : (w) % 5 == 3 ? (r3) : (r4))
#define RHO(w)                                                                                                         \
    ((w) / 5 == 0   ? RHO_ROW(w, 0, 1, 62, 28, 27)                                                                     \
     : (w) / 5 == 1 ? RHO_ROW(w, 36, 44, 6, 55, 20)                                                                    \
     : (w) / 5 == 2 ? RHO_ROW(w, 3, 10, 43, 25, 39)                                                                    \
     : (w) / 5 == 3 ? RHO_ROW(w, 41, 45, 15, 21, 8)                                                                    \
                    : RHO_ROW(w, 18, 2, 61, 56, 14))

/* In the form (g, 1/i): the offset for the word in lane x of register r, y = (r - g x) / d. */
#define TURN(g, i, r, x) RHO((x) + 5 * (((r) + (5 - (g)) * (x)) * (i) % 5))
#define TURNS(g, i, r) BY_LANE(TURN, g, i, r)

/* The lane x from which lane Y of register r comes: Y = 2x + 3y gives (2 - 3g/d) x = Y - 3r/d; k = 1 / (2 - 3g/d). The
 * neighbours' lanes are x - 1 and x + 1. */
#define PI(i, k, r, Y) (((Y) + 2 * (i) * (r)) * (k) % 5)
#define LEFT(i, k, r, Y) ((PI(i, k, r, Y) + 4) % 5)
#define RIGHT(i, k, r, Y) ((PI(i, k, r, Y) + 1) % 5)
#define PI_TURN(g, i, k, r, Y) TURN(g, i, r, PI(i, k, r, Y))
#define PIS(i, k, r) BY_LANE(PI, i, k, r)
#define LEFTS(i, k, r) BY_LANE(LEFT, i, k, r)
#define RIGHTS(i, k, r) BY_LANE(RIGHT, i, k, r)
#define PI_TURNS(g, i, k, r) BY_LANE(PI_TURN, g, i, k, r)

/* Back: the lane Y from which lane X of register r comes if the new form is (g, 1/i): Y = (r - g X) / d. */
#define BACK(g, i, r, X) (((r) + (5 - (g)) * (X)) * (i) % 5)
#define BACKS(g, i, r) BY_LANE(BACK, g, i, r)

typedef struct {
    vector pi[5], left[5], right[5], turn[5];
} tables;

#define TABLES(g, i, k)                                                                                                \
    {                                                                                                                  \
        BY_REGISTER(PIS, i, k), BY_REGISTER(LEFTS, i, k), BY_REGISTER(RIGHTS, i, k), BY_REGISTER(PI_TURNS, g, i, k)    \
    }

static const tables form_1_3 = TABLES(1, 2, 1), form_4_3 = TABLES(4, 2, 2), form_2_2 = TABLES(2, 3, 4);
static const tables form_0_2 = TABLES(0, 3, 3);
static const vector turn_4_1[5] = BY_REGISTER(TURNS, 4, 1);
static const vector to_4_3[5] = BY_REGISTER(BACKS, 4, 2), to_2_2[5] = BY_REGISTER(BACKS, 2, 3),
                    to_4_1[5] = BY_REGISTER(BACKS, 4, 1);

/* Lane x from lane x + n. */
#define ROTATE(n, x) (((x) + (n)) % 5)
#define ROTATES(zero, n) BY_LANE(ROTATE, n)
static const vector rotate[5] = BY_REGISTER(ROTATES, 0);

static inline __m512i load(const vector *v)
{
    return _mm512_load_si512(v->lane);
}

static inline __m512i permute_lanes(__m512i x, const vector *from)
{
    return _mm512_permutexvar_epi64(load(from), x);
}

static inline __m512i xor3(__m512i x, __m512i y, __m512i z)
{
    return _mm512_ternarylogic_epi64(x, y, z, 0x96);
}

/* x ^ (~y & z) */
static inline __m512i chi(__m512i x, __m512i y, __m512i z)
{
    return _mm512_ternarylogic_epi64(x, y, z, 0xD2);
}

static inline __m512i iota(__m512i x, const uint64_t *constant)
{
    return _mm512_xor_si512(x, _mm512_maskz_loadu_epi64(1, constant));
}

static inline __m512i parities(const __m512i s[5])
{
    return xor3(xor3(s[0], s[1], s[2]), s[3], s[4]);
}

/* A round up to chi, from the words in lane x to those in lane Y; g_next is the factor g of the new form. */
static ALWAYS_INLINE void round_to_rows(__m512i s[5], const tables *t, int g_next, const uint64_t *constant)
{
    const __m512i c = parities(s), turned = _mm512_rol_epi64(c, 1);
    __m512i b[5];
    for (int r = 0; r < 5; r++) {
        const __m512i left = permute_lanes(c, &t->left[r]), right = permute_lanes(turned, &t->right[r]);
        b[r] = _mm512_rolv_epi64(xor3(permute_lanes(s[r], &t->pi[r]), left, right), load(&t->turn[r]));
    }
    UNROLL
    for (int r = 0; r < 5; r++) s[r] = chi(b[r], b[(r + g_next) % 5], b[(r + 2 * g_next) % 5]);
    s[0] = iota(s[0], constant);
}

static inline void rows_to_form(__m512i s[5], const vector back[5])
{
    for (int r = 0; r < 5; r++) s[r] = permute_lanes(s[r], &back[r]);
}

/* A round from the form (4, 1), where register r becomes the row Y = 3r: B[X,Y] comes from lane x = X + 3Y = X + 4r. */
static inline void round_within_rows(__m512i s[5], const uint64_t *constant)
{
    const __m512i c = parities(s);
    const __m512i left = permute_lanes(c, &rotate[4]), right = permute_lanes(_mm512_rol_epi64(c, 1), &rotate[1]);
    UNROLL
    for (int r = 0; r < 5; r++) {
        const __m512i b = _mm512_rolv_epi64(xor3(s[r], left, right), load(&turn_4_1[r]));
        s[r] = chi(permute_lanes(b, &rotate[4 * r % 5]), permute_lanes(b, &rotate[(4 * r + 1) % 5]),
                   permute_lanes(b, &rotate[(4 * r + 2) % 5]));
    }
    s[0] = iota(s[0], constant);
}

/* In the form (1, 3) register r has in lane x the word with y = (r - x) / 3, which lies in lane y of sheet x. PAIR
 * takes these words for r and r' from two sheets into four lanes; JOIN puts the lanes of two pairs of sheets side by
 * side. */
#define SHEET_LANE(r, x) (2 * ((r) + 5 - (x)) % 5)
#define PAIR(r, x) SHEET_LANE(r, x), 8 + SHEET_LANE(r, (x) + 1)
#define PAIRS(x)                                                                                                       \
    {                                                                                                                  \
        {                                                                                                              \
            PAIR(0, x), PAIR(1, x), PAIR(2, x), PAIR(3, x)                                                             \
        }                                                                                                              \
    }
#define JOIN(r)                                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            2 * (r), 2 * (r) + 1, 8 + 2 * (r), 9 + 2 * (r)                                                             \
        }                                                                                                              \
    }
#define LAST(x, r)                                                                                                     \
    {                                                                                                                  \
        {                                                                                                              \
            0, 0, 0, 0, SHEET_LANE(r, x)                                                                               \
        }                                                                                                              \
    }
static const vector pairs_0 = PAIRS(0), pairs_2 = PAIRS(2), pair_0 = {{PAIR(4, 0)}}, pair_2 = {{PAIR(4, 2)}};
static const vector join[4] = {JOIN(0), JOIN(1), JOIN(2), JOIN(3)}, last[5] = BY_REGISTER(LAST, 4);

static inline __m512i choose(__m512i a, const vector *from, __m512i b)
{
    return _mm512_permutex2var_epi64(a, load(from), b);
}

/* From sheets, sheet x in register 2x, to the form (1, 3). */
static inline void sheets_to_form(__m512i s[5])
{
    const __m512i sheet0 = s[0], sheet1 = s[2], sheet2 = s[4], sheet3 = s[1], sheet4 = s[3];
    const __m512i left = choose(sheet0, &pairs_0, sheet1), right = choose(sheet2, &pairs_2, sheet3);
    for (int r = 0; r < 4; r++) s[r] = choose(left, &join[r], right);
    s[4] = choose(choose(sheet0, &pair_0, sheet1), &join[0], choose(sheet2, &pair_2, sheet3));
    for (int r = 0; r < 5; r++) s[r] = _mm512_mask_permutexvar_epi64(s[r], 1 << 4, load(&last[r]), sheet4);
}

static inline void four_rounds(__m512i s[5], const uint64_t *constants)
{
    round_to_rows(s, &form_1_3, 4, constants);
    rows_to_form(s, to_4_3);
    round_to_rows(s, &form_4_3, 2, constants + 1);
    rows_to_form(s, to_2_2);
    round_to_rows(s, &form_2_2, 4, constants + 2);
    rows_to_form(s, to_4_1);
    round_within_rows(s, constants + 3);
}

static inline __m128i word_at(const uint64_t *states, int x, int y)
{
    return _mm_load_si128((const __m128i *)(states + (x + 5 * y) * LANES));
}

void lk_keccak_permute_x1_avx512(uint64_t *states)
{
    const uint64_t *constants = lk_keccak_round_constants;
    __m512i s[5];
    UNROLL
    for (int r = 0; r < 5; r++) { /* the form (1, 3): y = (r - x) / 3 */
        const __m128i w0 = word_at(states, 0, 2 * r % 5), w1 = word_at(states, 1, 2 * (r + 4) % 5);
        const __m128i w2 = word_at(states, 2, 2 * (r + 3) % 5), w3 = word_at(states, 3, 2 * (r + 2) % 5);
        const __m128i w4 = word_at(states, 4, 2 * (r + 1) % 5);
        const __m256i low = _mm256_set_m128i(_mm_unpacklo_epi64(w2, w3), _mm_unpacklo_epi64(w0, w1));
        s[r] = _mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_castsi128_si256(w4), 1);
    }
    for (int i = 0;; i++, constants += 5) {
        four_rounds(s, constants);
        if (i == 4) break;
        round_to_rows(s, &form_0_2, 2, constants + 4);
        sheets_to_form(s);
    }
    UNROLL
    for (int y = 0; y < 5; y++) { /* the form (0, 2) */
        const __m512i plane = s[2 * y % 5];
        const __m256i low = _mm512_castsi512_si256(plane);
        __m256i *row = (__m256i *)(states + 5 * y * LANES);
        _mm256_store_si256(row, low);
        _mm256_store_si256(row + 2, _mm256_permute4x64_epi64(low, 1));
        _mm256_store_si256(row + 4, _mm256_permute4x64_epi64(low, 2));
        _mm256_store_si256(row + 6, _mm256_permute4x64_epi64(low, 3));
        _mm256_store_si256(row + 8, _mm512_extracti64x4_epi64(plane, 1));
    }
}
