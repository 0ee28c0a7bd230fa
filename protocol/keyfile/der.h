/* DER's tags and lengths (X.690 sections 8.1 and 10.1): all that key files need of it.
 *
 * Tags and lengths are public, and the bytes between them are not looked at. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_KEYFILE_DER_H
#define LKP_KEYFILE_DER_H

#include <stddef.h>
#include <stdint.h>

enum {
    LKP_INTEGER = 0x02,
    LKP_BIT_STRING = 0x03,
    LKP_OCTET_STRING = 0x04,
    LKP_OID = 0x06,
    LKP_SEQUENCE = 0x30,
    LKP_SET = 0x31,
    LKP_CONTEXT = 0x80,    /* plus its number: an implicit tag */
    LKP_CONSTRUCTED = 0x20 /* added to the tag of what holds other elements */
};

/* Bytes of a file, or what is left of them to read. */
typedef struct {
    const uint8_t *at;
    size_t len;
} lkp_der;

/* lkp_der_take takes the element at the beginning of in, gives its content, and returns 1. If in does not begin with a
 * whole element of that tag and of definite, minimal length, it returns 0, leaves in and makes content empty. */
int lkp_der_take(lkp_der *in, unsigned tag, lkp_der *content);

/* lkp_der_take_exactly takes the len bytes with which in has to begin. */
int lkp_der_take_exactly(lkp_der *in, const void *bytes, size_t len);

/* lkp_der_bytes returns the bytes of an element with so much content, which is less than 65536. */
size_t lkp_der_bytes(size_t content);

/* lkp_der_put writes the tag and length of an element with so much content, and returns where the content goes.
 * lkp_der_copy writes bytes, and returns where the next go. */
uint8_t *lkp_der_put(uint8_t *at, unsigned tag, size_t content);
uint8_t *lkp_der_copy(uint8_t *at, const void *bytes, size_t len);

#endif
