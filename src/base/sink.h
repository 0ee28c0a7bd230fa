/* A consumer of a hash function's output stream, block by block, for outputs of a length that is not known beforehand.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_BASE_SINK_H
#define LK_BASE_SINK_H

#include <stddef.h>
#include <stdint.h>

/* The place for one stream's output, and how much of it is there; the meaning of the fields is the sink's own. */
typedef struct {
    const void *kernels;
    void *out;
    size_t have; /* 0 at the start of the stream */
} lk_sink_state;

typedef struct {
    /* Consumes the next len bytes of one stream; returns 1 when the stream has given all that is needed, else 0. */
    int (*block)(lk_sink_state *state, const uint8_t *block, size_t len);

    /* Consumes one block of several streams at once, straight from the interleaved Keccak states, so that a vector
     * backend need not untangle them first. Bit l of mask is set for each lane l that has a block of rate bytes to
     * give; word w of lane l is at words[w * lanes + l] and state[l] is its stream. Returns the lanes that are
     * complete. NULL, or beside streams with another such sink: the scheduler untangles the lanes and calls block for
     * each. */
    uint32_t (*lanes)(lk_sink_state *const *state, uint32_t mask, const uint64_t *words, size_t lanes, size_t rate);

    size_t expected; /* about how many bytes of a stream are needed */
} lk_sink;

#endif
