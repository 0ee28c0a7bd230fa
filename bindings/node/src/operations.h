/* The operations that JavaScript calls, each with a set or a key as its subject and buffers behind it.
 *
 * The table is the one description of them: names, what the subject is, which buffers are read and written, and their
 * lengths, which operate checks. The add-on and WebAssembly offer its rows. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_NODE_OPERATIONS_H
#define LATKEM_NODE_OPERATIONS_H

#include "keys.h"

enum { SPANS_MAX = 4 };

/* Things that a buffer holds: one of them, or in a batch many. A file is of any length. */
enum thing { NO_THING, EK, DK, CT, SS, SEED, COINS, DER };
enum subject { NOTHING, SET, PRIVATE, PUBLIC };

typedef struct {
    const latkem_kem *set;
    key *subject, *made;
    span spans[SPANS_MAX];
    size_t count; /* of a batch */
} call;

typedef struct {
    const char *name;
    enum subject subject;
    int inputs; /* the first buffers are read, the others written */
    enum thing things[SPANS_MAX];
    int (*run)(call *c);
    int makes_key, is_batch;
} operation;

/* operation_at returns a row of the table, or NULL past the end. */
const operation *operation_at(size_t index);

/* operation_spans returns the number of buffers of an operation. */
int operation_spans(const operation *row);

/* operate checks the subject and the lengths and runs the operation. It returns an error, or what the operation gives. */
int operate(const operation *row, call *c);

/* Facts of the set at an index; NULL and 0 past the end. The numbers are the level, whether it is a standard, and the bytes
 * of ek, dk, ct, ss, seed and coins. */
const char *set_text(size_t index, int is_family);
int set_number(size_t index, int which);

/* set_index returns the index of a key's set. */
int set_index(const key *k);

#endif
