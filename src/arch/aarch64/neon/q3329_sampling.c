/* Rejection sampling for NEON (FIPS 203 algorithm 7). Everything here is public. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/neon/q3329.h"
#include "arch/aarch64/neon/q3329_constants.h"
#include "arch/compilers.h"
#include "shared/ct.h"

__extension__ typedef unsigned __int128 places;

/* The places of those of eight words with bits set in m, the lowest first, as pairs of bytes. */
#define NEXT(list, m, i) ((list) * (1 + 65535ull * ((m) >> (i)&1)) + (0x0100 + 0x0202 * (i)) * ((m) >> (i)&1ull))
#define PLACES(m)                                                                                                      \
    NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT((places)0, m, 7), m, 6), m, 5), m, 4), m, 3), m, 2), m, 1), m, 0)
#define PLACES4(m) PLACES(m), PLACES((m) + 1), PLACES((m) + 2), PLACES((m) + 3)
#define PLACES16(m) PLACES4(m), PLACES4((m) + 4), PLACES4((m) + 8), PLACES4((m) + 12)
#define PLACES64(m) PLACES16(m), PLACES16((m) + 16), PLACES16((m) + 32), PLACES16((m) + 48)

static const places chosen[256] = {PLACES64(0), PLACES64(64), PLACES64(128), PLACES64(192)};

/* Up to so many bytes before the end of a polynomial 32 values have room, and there is nothing to ask. */
enum { LIMIT = 64 };

/* The values that every step needs. Compilers are kept from making it anew in each. */
typedef struct {
    uint8x16_t places; /* of the bytes that eight values of 12 bits are in */
    int16x8_t shifts;
    uint16x8_t mask, below_q, weight;
    const places *chosen;
} constants;

static inline constants load_constants(void)
{
    constants k = {
        .places = {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11},
        .shifts = {0, -4, 0, -4, 0, -4, 0, -4},
        .mask = vdupq_n_u16(0xFFF),
        .below_q = vdupq_n_u16(Q),
        .weight = {512 + 1, 512 + 2, 512 + 4, 512 + 8, 512 + 16, 512 + 32, 512 + 64, 512 + 128},
        .chosen = chosen,
    };
    __asm__("" : "+w"(k.places), "+w"(k.shifts), "+w"(k.mask), "+w"(k.below_q), "+w"(k.weight), "+r"(k.chosen));
    return k;
}

/* Eight values from the first twelve bytes of b. */
static inline uint16x8_t unpack(uint8x16_t b, const constants *k)
{
    return vandq_u16(vshlq_u16(vreinterpretq_u16_u8(vqtbl1q_u8(b, k->places)), k->shifts), k->mask);
}

/* Writes those of eight values that are below q close together to out, where eight have room; returns the end of them.
 * The sum of the accepted lanes' values is their choice as bits and, from bit 9, their number: twice that from
 * bit 8. Compilers that do not know how small it is, nor where out came from, shift and add in one instruction. */
static inline uint8_t *select_below_q(uint8_t *out, uint16x8_t values, const constants *k)
{
    uint64_t sum = vaddvq_u16(vandq_u16(vcltq_u16(values, k->below_q), k->weight));
    __asm__("" : "+r"(sum));
    const uint8x16_t from = vld1q_u8((const uint8_t *)&k->chosen[sum & 0xFF]);
    vst1q_u8(out, vqtbl1q_u8(vreinterpretq_u8_u16(values), from));
    out += sum >> 8;
    __asm__("" : "+r"(out));
    return out;
}

/* The same near the end of a polynomial: what has no room is dropped. */
static inline uint8_t *select_up_to(uint8_t *out, uint8_t *end, uint16x8_t values, const constants *k)
{
    uint8_t last[32], *most = last + 16;
    if (end - out >= 16) return select_below_q(out, values, k);
    vst1q_u8(last, vld1q_u8(end - 16));
    const uint8_t *filled = select_below_q(most - (end - out), values, k);
    vst1q_u8(end - 16, vld1q_u8(last));
    return filled < most ? end - (most - filled) : end;
}

/* All 32 values in 48 bytes. */
static inline uint8_t *select_from_48(uint8_t *out, const uint8_t *in, const constants *k)
{
    const uint8x16x3_t triple = vld3q_u8(in);
    for (int i = 0; i < 2; i++) {
        const uint8x16_t low = i ? vzip2q_u8(triple.val[0], triple.val[1]) : vzip1q_u8(triple.val[0], triple.val[1]);
        const uint8x16_t high = i ? vzip2q_u8(triple.val[1], triple.val[2]) : vzip1q_u8(triple.val[1], triple.val[2]);
        const uint16x8_t first = vandq_u16(vreinterpretq_u16_u8(low), k->mask);
        const uint16x8_t second = vshrq_n_u16(vreinterpretq_u16_u8(high), 4);
        out = select_below_q(out, vzip1q_u16(first, second), k);
        out = select_below_q(out, vzip2q_u16(first, second), k);
    }
    return out;
}

/* Eight values at a time from the 12 bytes at in and up to last, where 16 can be read. */
static inline uint8_t *select_until(uint8_t *out, uint8_t *end, const uint8_t **in, const uint8_t *last,
                                    const constants *k)
{
    for (; *in <= last && out < end; *in += 12) out = select_up_to(out, end, unpack(vld1q_u8(*in), k), k);
    return out;
}

/* The portable kernel does the end of a stream, 15 bytes at most. */
size_t lk_q3329_rej_uniform_vartime_neon(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    const constants k = load_constants();
    const uint8_t *in_end = in + len;
    uint8_t *out = (uint8_t *)&f->c[have], *end = (uint8_t *)&f->c[N];
    for (; in_end - in >= 48 && out <= end - LIMIT; in += 48) out = select_from_48(out, in, &k);
    if (in_end - in >= 16) out = select_until(out, end, &in, in_end - 16, &k);
    have = (size_t)((int16_t *)out - f->c);
    return have == N ? N : lk_q3329_portable.rej_uniform_vartime(f, have, in, (size_t)(in_end - in));
}

/* ---- From interleaved Keccak states ---- */

/* The bytes of 32 values, or of 16 in the first two registers. */
typedef struct {
    uint8x16_t b[3];
} bytes48;

/* Appends those below q of the first 16 values, or of all 32. */
static inline uint8_t *append(uint8_t *out, bytes48 from, int half, const constants *k)
{
    out = select_below_q(out, unpack(from.b[0], k), k);
    out = select_below_q(out, unpack(vextq_u8(from.b[0], from.b[1], 12), k), k);
    if (half) return out;
    out = select_below_q(out, unpack(vextq_u8(from.b[1], from.b[2], 8), k), k);
    return select_below_q(out, unpack(vextq_u8(from.b[2], from.b[2], 4), k), k);
}

/* The same if some of them may have no room, by way of memory: eight values are loaded with those behind them. */
static __attribute__((noinline)) uint8_t *append_up_to_vartime(uint8_t *out, uint8_t *end, bytes48 from, int half)
{
    const constants k = load_constants();
    uint8_t bytes[64];
    const uint8_t *in = bytes;
    UNROLL for (size_t i = 0; i < 3; i++) vst1q_u8(bytes + 16 * i, from.b[i]);
    vst1q_u8(bytes + 48, vdupq_n_u8(0));
    return select_until(out, end, &in, bytes + (half ? 12 : 36), &k);
}

static inline uint8_t *append_checked(uint8_t *out, uint8_t *limit, bytes48 from, int half, const constants *k)
{
    if (out <= limit) return append(out, from, half, k);
    return out < limit + LIMIT ? append_up_to_vartime(out, limit + LIMIT, from, half) : out;
}

/* ---- Lanes beside those of the mask are secret. A processor that guesses a branch wrongly samples them too, and must
 * not read the table at places that depend on them. ---- */

/* The mask where the number of lanes is that of the code, else no lanes: by arithmetic. `given` is hidden from the compiler
 * before the branch to the code, behind which it would be a constant. */
static inline uint32_t mask_for(uint32_t lanes, uint32_t given, uint32_t mask)
{
    return mask & ~lk_ct_nonzero(lanes ^ given);
}

/* The constants for lane l. If it is not in the mask, no value of it is accepted. */
static inline constants constants_for(const constants *k, uint32_t mask, size_t l)
{
    constants own = *k;
    own.weight = vandq_u16(own.weight, vdupq_n_u16((uint16_t)(0 - lk_barrier(mask >> l & 1))));
    return own;
}

/* Six words of each of two or three interleaved lanes. */
static ALWAYS_INLINE void load_lanes(bytes48 from[3], const uint64_t *words, size_t lanes)
{
    UNROLL for (size_t i = 0; i < 3; i++, words += 2 * lanes)
    {
        if (lanes == 2) {
            const uint64x2_t r0 = vld1q_u64(words), r1 = vld1q_u64(words + 2);
            from[0].b[i] = vreinterpretq_u8_u64(vzip1q_u64(r0, r1));
            from[1].b[i] = vreinterpretq_u8_u64(vzip2q_u64(r0, r1));
        } else {
            const uint64x2x3_t v = vld3q_u64(words);
            UNROLL for (int l = 0; l < 3; l++) from[l].b[i] = vreinterpretq_u8_u64(v.val[l]);
        }
    }
}

static ALWAYS_INLINE void append_lanes(uint8_t *out[3], uint8_t *const limit[3], uint32_t mask, const uint64_t *words,
                                       size_t lanes, int half, const constants k[3])
{
    bytes48 from[3];
    load_lanes(from, words, lanes);
    UNROLL for (size_t l = 0; l < lanes; l++) if (mask >> l & 1)
        out[l] = append_checked(out[l], limit[l], from[l], half, &k[l]);
}

/* Six words of every lane at a time. Rates that are multiples of 3 are multiples of 24: there may be three words in the
 * end, behind which the state goes on. */
static ALWAYS_INLINE uint32_t sample_lanes(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                           size_t lanes, size_t rate)
{
    const constants common = load_constants();
    constants k[3];
    uint8_t *out[3] = {NULL}, *limit[3] = {NULL};
    uint32_t complete = 0;
    UNROLL for (size_t l = 0; l < lanes; l++)
    {
        k[l] = constants_for(&common, mask, l);
        if (!(mask >> l & 1)) continue;
        int16_t *c = ((lk_poly *)streams[l]->out)->c;
        out[l] = (uint8_t *)(c + streams[l]->have);
        limit[l] = (uint8_t *)(c + N) - LIMIT;
    }
    size_t at = 0;
    for (; at + 48 <= rate; at += 48, words += 6 * lanes) append_lanes(out, limit, mask, words, lanes, 0, k);
    if (at < rate) append_lanes(out, limit, mask, words, lanes, 1, k);
    UNROLL for (size_t l = 0; l < lanes; l++)
    {
        if (!(mask >> l & 1)) continue;
        const size_t room = (size_t)(limit[l] + LIMIT - out[l]);
        streams[l]->have = N - room / 2;
        complete |= (uint32_t)(room == 0) << l;
    }
    return complete;
}

uint32_t lk_q3329_rej_uniform_lanes_vartime_neon(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words,
                                                 size_t lanes, size_t rate)
{
    const uint32_t given = lk_barrier((uint32_t)lanes);
    return lanes == 2 ? sample_lanes(streams, mask_for(2, given, mask), words, 2, rate)
                      : sample_lanes(streams, mask_for(3, given, mask), words, 3, rate);
}
