/* The content of a private key's file. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

/**
 * The forms of an ML-KEM private key in PKCS#8 (RFC 9935 section 6). All are read, together with three of older
 * software.
 */
public enum PrivateKeyFormat {
    /** The seed d || z of 64 bytes, from which the key is made again. */
    SEED,
    /** The decapsulation key as FIPS 203 has it; the seed cannot be had from it. */
    EXPANDED,
    /** The two together. */
    BOTH
}
