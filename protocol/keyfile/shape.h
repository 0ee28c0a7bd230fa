/* The shapes of key files: which sets have one, and the place of each part. Keys themselves are not looked at.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_KEYFILE_SHAPE_H
#define LKP_KEYFILE_SHAPE_H

#include <latkem/latkem.h>

#include "keyfile/der.h"

/* A set that has an encoding. */
typedef struct {
    const char *name;
    const latkem_kem *(*find)(const char *name);
    uint8_t oid[11]; /* of the AlgorithmIdentifier, which has no parameters */
    uint8_t oid_bytes;
    uint8_t is_mlkem; /* the private key is a CHOICE of forms (RFC 9935 section 6), and not the seed itself */
} lkp_encoding;

/* lkp_encoding_of returns the encoding of a set, or NULL if it has none. */
const lkp_encoding *lkp_encoding_of(const latkem_kem *kem);

/* The parts of a file: places in it, empty where it has no such part. */
typedef struct {
    const latkem_kem *kem;
    const lkp_encoding *encoding;
    lkp_der ek; /* of a public key's file; the publicKey of a private key's */
    int form;
    lkp_der seed, dk, second_ek; /* second_ek: behind dk in LATKEM_FORM_OQS */
} lkp_file;

/* lkp_read_public and lkp_read_private find the parts of a file. Their lengths are right then, and each tag and length
 * of the file is as DER has it. They return 0 or LATKEM_ERR_FORMAT. */
int lkp_read_public(lkp_file *file, lkp_der in);
int lkp_read_private(lkp_file *file, lkp_der in);

/* The kem, encoding and form of file are given to what follows, and the form is one that can be written.
 * lkp_public_bytes and lkp_private_bytes return the bytes of a file. */
size_t lkp_public_bytes(const lkp_file *file);
size_t lkp_private_bytes(const lkp_file *file);

/* lkp_put_public writes a file up to ek, which ends it, and returns where ek goes. lkp_put_private writes all but seed
 * and dk, and says where the two go, NULL where the form has no such part. */
uint8_t *lkp_put_public(const lkp_file *file, uint8_t *at);
void lkp_put_private(const lkp_file *file, uint8_t *at, uint8_t **seed, uint8_t **dk);

#endif
