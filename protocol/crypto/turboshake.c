/* TurboSHAKE (RFC 9861): the sponge of SHAKE with the last 12 of the 24 rounds of Keccak. The core's kernels have all 24, and
 * speed does not count for the few hundred bytes of a key schedule. SPDX-License-Identifier: Apache-2.0 */
#include "crypto/turboshake.h"

enum { LANES = 25, ROUNDS = 12, DOMAIN = 0x1F, LAST_BIT = 0x80 };

/* A sponge: the next byte goes to, or comes from, place. */
typedef struct {
    uint64_t lanes[LANES];
    size_t rate, place;
} sponge;

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return bits == 0 ? x : x << bits | x >> (64 - bits);
}

/* theta, rho and pi of FIPS 202 section 3.2. */
static void mix(const uint64_t lanes[LANES], uint64_t moved[LANES])
{
    static const uint8_t rotations[LANES] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                             25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
    uint64_t columns[5];
    for (size_t x = 0; x < 5; x++) columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    for (size_t x = 0; x < 5; x++) {
        const uint64_t theta = columns[(x + 4) % 5] ^ rotate(columns[(x + 1) % 5], 1);
        for (size_t y = 0; y < 5; y++)
            moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lanes[x + 5 * y] ^ theta, rotations[x + 5 * y]);
    }
}

static void permute(uint64_t lanes[LANES])
{
    static const uint64_t constants[ROUNDS] = {0x000000008000808B, 0x800000000000008B, 0x8000000000008089,
                                               0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
                                               0x000000000000800A, 0x800000008000000A, 0x8000000080008081,
                                               0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
    uint64_t moved[LANES];
    for (size_t round = 0; round < ROUNDS; round++) {
        mix(lanes, moved);
        for (size_t y = 0; y < LANES; y += 5)
            for (size_t x = 0; x < 5; x++) /* chi */
                lanes[y + x] = moved[y + x] ^ (~moved[y + (x + 1) % 5] & moved[y + (x + 2) % 5]);
        lanes[0] ^= constants[round];
    }
}

static void add_byte(sponge *s, size_t place, unsigned byte)
{
    s->lanes[place / 8] ^= (uint64_t)byte << 8 * (place % 8);
}

static void absorb(sponge *s, lkp_piece piece)
{
    const uint8_t *bytes = piece.at;
    for (size_t i = 0; i < piece.len; i++) {
        add_byte(s, s->place++, bytes[i]);
        if (s->place < s->rate) continue;
        permute(s->lanes);
        s->place = 0;
    }
}

static void squeeze(sponge *s, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (s->place == s->rate) {
            permute(s->lanes);
            s->place = 0;
        }
        out[i] = (uint8_t)(s->lanes[s->place / 8] >> 8 * (s->place % 8));
        s->place++;
    }
}

void lkp_turboshake(size_t rate, uint8_t *out, size_t out_len, const lkp_piece *pieces, size_t count)
{
    sponge s = {.rate = rate};
    for (size_t i = 0; i < count; i++) absorb(&s, pieces[i]);
    add_byte(&s, s.place, DOMAIN);
    add_byte(&s, rate - 1, LAST_BIT);
    s.place = rate;
    squeeze(&s, out, out_len);
    OPENSSL_cleanse(&s, sizeof s);
}
