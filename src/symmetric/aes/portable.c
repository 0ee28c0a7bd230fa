/* AES-256 in counter mode, bit-sliced: no tables, no branches (FIPS 197).
 *
 * Four blocks are 64 bytes; plane b, a 64-bit word, holds bit b of each. The byte in row r and column c of block n is
 * at position 16 r + 4 c + n of the planes, so that ShiftRows rotates within 16-bit groups and the neighbours in a
 * column are 16 positions apart. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/aes/kernels.h"

#include "base/bytes.h"

enum { ROUNDS = 14, BIT_PLANES = 8, PARALLEL = 4, KEY_WORDS = 4 * (ROUNDS + 1) };

static inline void swap_bits(uint64_t *a, uint64_t *b, uint64_t mask, unsigned shift)
{
    const uint64_t t = ((*a >> shift) ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Transposes the 8 x 8 bits that byte k of the eight words form, for each k. Its own inverse. */
static void transpose(uint64_t q[BIT_PLANES])
{
    for (size_t i = 0; i < 8; i += 2) swap_bits(&q[i], &q[i + 1], 0x5555555555555555, 1);
    for (size_t i = 0; i < 8; i += 4) {
        swap_bits(&q[i], &q[i + 2], 0x3333333333333333, 2);
        swap_bits(&q[i + 1], &q[i + 3], 0x3333333333333333, 2);
    }
    for (size_t i = 0; i < 4; i++) swap_bits(&q[i], &q[i + 4], 0x0F0F0F0F0F0F0F0F, 4);
}

/* Moves the four bytes of x to the even bytes of a 64-bit word, and back. */
static inline uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x0000FFFF0000FFFF;
    return (x | x << 8) & 0x00FF00FF00FF00FF;
}

static inline uint32_t gather(uint64_t x)
{
    x &= 0x00FF00FF00FF00FF;
    x = (x | x >> 8) & 0x0000FFFF0000FFFF;
    return (uint32_t)(x | x >> 16);
}

/* columns[4 n + c] is column c of block n, row 0 in the lowest byte. */
static void pack(uint64_t q[BIT_PLANES], const uint32_t columns[16])
{
    for (size_t n = 0; n < PARALLEL; n++)
        for (size_t c = 0; c < 2; c++) q[4 * c + n] = spread(columns[4 * n + c]) | spread(columns[4 * n + c + 2]) << 8;
    transpose(q);
}

static void unpack(uint32_t columns[16], uint64_t q[BIT_PLANES])
{
    transpose(q);
    for (size_t n = 0; n < PARALLEL; n++)
        for (size_t c = 0; c < 2; c++) {
            columns[4 * n + c] = gather(q[4 * c + n]);
            columns[4 * n + c + 2] = gather(q[4 * c + n] >> 8);
        }
}

/* SubBytes: the circuit of Boyar and Peralta (ePrint 2011/332, depth 16) with their names; x0 is the highest bit. */
static inline void sub_bytes(uint64_t q[BIT_PLANES])
{
    const uint64_t x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];

    const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const uint64_t y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8;
    const uint64_t t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9;
    const uint64_t y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    const uint64_t t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2, t7 = y13 & y16;
    const uint64_t t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17;
    const uint64_t t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12, t17 = t4 ^ t14, t18 = t6 ^ t16;
    const uint64_t t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20, t22 = t18 ^ y19, t23 = t19 ^ y21;
    const uint64_t t24 = t20 ^ y18, t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27;
    const uint64_t t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24;
    const uint64_t t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36;
    const uint64_t t39 = t29 & t38, t40 = t25 ^ t39, t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40;
    const uint64_t t44 = t33 ^ t37, t45 = t42 ^ t41;

    const uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const uint64_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const uint64_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    const uint64_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5;
    const uint64_t t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    const uint64_t t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58;
    const uint64_t t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, t67 = t64 ^ t65, s3 = t53 ^ t66;
    q[7] = t59 ^ t63;
    q[6] = t64 ^ ~s3;
    q[5] = t55 ^ ~t67;
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = t56 ^ ~t62;
    q[0] = t48 ^ ~t60;
}

/* Row r, 16 bits, rotates by r columns of four bits. */
static inline void shift_rows(uint64_t q[BIT_PLANES])
{
    for (size_t i = 0; i < BIT_PLANES; i++) {
        const uint64_t x = q[i];
        q[i] = (x & 0x000000000000FFFF) | (x & 0x00000000FFF00000) >> 4 | (x & 0x00000000000F0000) << 12 |
               (x & 0x0000FF0000000000) >> 8 | (x & 0x000000FF00000000) << 8 | (x & 0xF000000000000000) >> 12 |
               (x & 0x0FFF000000000000) << 4;
    }
}

static inline uint64_t rotate(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

/* b_i = 2 (a_i + a_{i+1}) + a_{i+1} + (a_{i+2} + a_{i+3}): doubling moves up one plane and adds 0x1B where plane 7
 * was. In place, from plane 7 down: `sum` is a_i + a_{i+1} of a plane. */
static inline void mix_columns(uint64_t q[BIT_PLANES])
{
    const uint64_t highest = q[7] ^ rotate(q[7], 16);
    uint64_t sum = highest;
    for (size_t i = BIT_PLANES; i-- > 0;) {
        const uint64_t below = i > 0 ? q[i - 1] ^ rotate(q[i - 1], 16) : highest;
        const uint64_t reduction = i == 1 || i == 3 || i == 4 ? highest : 0;
        q[i] ^= below ^ reduction ^ sum ^ rotate(sum, 32);
        sum = below;
    }
}

static inline void add_round_key(uint64_t q[BIT_PLANES], const uint64_t *round_key)
{
    for (size_t i = 0; i < BIT_PLANES; i++) q[i] ^= round_key[i];
}

static void encrypt_blocks(uint64_t q[BIT_PLANES], const lk_aes256_key *key)
{
    add_round_key(q, key->words);
    for (size_t round = 1; round < ROUNDS; round++) {
        sub_bytes(q);
        shift_rows(q);
        mix_columns(q);
        add_round_key(q, key->words + BIT_PLANES * round);
    }
    sub_bytes(q);
    shift_rows(q);
    add_round_key(q, key->words + BIT_PLANES * ROUNDS);
}

static uint32_t sub_word(uint32_t x)
{
    uint64_t q[BIT_PLANES] = {x};
    transpose(q);
    sub_bytes(q);
    transpose(q);
    return (uint32_t)q[0];
}

/* The key schedule keeps the last eight words, w[i % 8]. Words are little-endian here, so that RotWord is a right
 * rotation. */
static void expand_key(lk_aes256_key *expanded, const uint8_t key[32])
{
    uint32_t w[8], rcon = 1;
    for (size_t i = 0; i < 8; i++) w[i] = lk_load32_le(key + 4 * i);
    for (size_t i = 0; i < KEY_WORDS; i += 4) {
        uint32_t columns[16];
        for (size_t j = i; j < i + 4 && i >= 8; j++) {
            uint32_t t = w[(j - 1) % 8];
            if (j % 8 == 0) {
                t = sub_word(t >> 8 | t << 24) ^ rcon;
                rcon <<= 1;
            } else if (j % 8 == 4) {
                t = sub_word(t);
            }
            w[j % 8] ^= t;
        }
        for (size_t j = 0; j < 16; j++) columns[j] = w[(i + j % 4) % 8];
        pack(expanded->words + 2 * i, columns);
    }
}

/* The planes of the blocks from `counter` on. */
static inline void load_counters(uint64_t q[BIT_PLANES], const uint8_t nonce[12], uint32_t counter)
{
    uint32_t columns[16];
    for (size_t n = 0; n < PARALLEL; n++, counter++) {
        uint8_t big_endian[4];
        lk_store32_be(big_endian, counter);
        for (size_t c = 0; c < 3; c++) columns[4 * n + c] = lk_load32_le(nonce + 4 * c);
        columns[4 * n + 3] = lk_load32_le(big_endian);
    }
    pack(q, columns);
}

static inline void store_blocks(uint8_t *out, size_t blocks, uint64_t q[BIT_PLANES])
{
    uint32_t columns[16];
    unpack(columns, q);
    for (size_t i = 0; i < 4 * blocks; i++) lk_store32_le(out + 4 * i, columns[i]);
}

static void ctr(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter)
{
    while (blocks > 0) {
        const size_t now = blocks < PARALLEL ? blocks : PARALLEL;
        uint64_t q[BIT_PLANES];
        load_counters(q, nonce, counter);
        encrypt_blocks(q, key);
        store_blocks(out, now, q);
        counter += PARALLEL;
        out += 16 * now;
        blocks -= now;
    }
}

const lk_aes_kernels lk_aes_portable = {
    .expand_key = expand_key,
    .ctr = ctr,
};
