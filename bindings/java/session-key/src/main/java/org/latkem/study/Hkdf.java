/* HKDF-SHA-256 of RFC 5869 on the platform's HMAC. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives keys from a shared secret. For one thread at a time. */
final class Hkdf {
    private static final String HMAC = "HmacSHA256";
    private static final int HASH_BYTES = 32;
    private static final int MOST_BLOCKS = 255;

    private final Mac hmac;

    Hkdf() throws GeneralSecurityException {
        hmac = Mac.getInstance(HMAC);
    }

    /** RFC 5869 sections 2.2 and 2.3; an empty salt is one of zeros. The caller wipes the result. */
    byte[] derive(byte[] salt, byte[] secret, byte[] info, int length) throws GeneralSecurityException {
        if (length < 0 || length > MOST_BLOCKS * HASH_BYTES) {
            throw new IllegalArgumentException("HKDF-SHA-256 gives at most 8160 bytes, not " + length);
        }
        byte[] prk = extract(salt, secret);
        try {
            return expand(prk, info, length);
        } finally {
            Arrays.fill(prk, (byte) 0);
        }
    }

    private byte[] extract(byte[] salt, byte[] secret) throws GeneralSecurityException {
        hmac.init(new SecretKeySpec(salt.length == 0 ? new byte[HASH_BYTES] : salt, HMAC));
        return hmac.doFinal(secret);
    }

    /** T(i) = HMAC(PRK, T(i - 1) || info || i), side by side. */
    private byte[] expand(byte[] prk, byte[] info, int length) throws GeneralSecurityException {
        hmac.init(new SecretKeySpec(prk, HMAC));
        byte[] blocks = new byte[(length + HASH_BYTES - 1) / HASH_BYTES * HASH_BYTES];
        for (int at = 0; at < blocks.length; at += HASH_BYTES) {
            if (at > 0) {
                hmac.update(blocks, at - HASH_BYTES, HASH_BYTES);
            }
            hmac.update(info);
            hmac.update((byte) (at / HASH_BYTES + 1));
            hmac.doFinal(blocks, at);
        }
        return cut(blocks, length);
    }

    private static byte[] cut(byte[] blocks, int length) {
        if (blocks.length == length) {
            return blocks;
        }
        byte[] wanted = Arrays.copyOf(blocks, length);
        Arrays.fill(blocks, (byte) 0);
        return wanted;
    }
}
