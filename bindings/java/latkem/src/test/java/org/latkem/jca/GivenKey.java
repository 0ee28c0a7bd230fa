// Keys of other providers, made up. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import java.security.PrivateKey;
import java.security.PublicKey;

/** A key that is known only by its encoding, which is handed out without a copy. */
class GivenKey {
    private static final long serialVersionUID = 1;
    private final String algorithm;
    private final String format;
    private final byte[] encoded;

    private GivenKey(String algorithm, String format, byte[] encoded) {
        this.algorithm = algorithm;
        this.format = format;
        this.encoded = encoded;
    }

    public String getAlgorithm() {
        return algorithm;
    }

    public String getFormat() {
        return format;
    }

    public byte[] getEncoded() {
        return encoded;
    }

    static PublicKey ofPublic(String format, byte[] encoded) {
        return new Public("made up", format, encoded);
    }

    static PrivateKey ofPrivate(String format, byte[] encoded) {
        return new Private("made up", format, encoded);
    }

    /** Keys as bytes alone, of an algorithm that may name their set. */
    static PublicKey rawPublic(String algorithm, byte[] encoded) {
        return new Public(algorithm, "RAW", encoded);
    }

    static PrivateKey rawPrivate(String algorithm, byte[] encoded) {
        return new Private(algorithm, "RAW", encoded);
    }

    private static final class Public extends GivenKey implements PublicKey {
        private static final long serialVersionUID = 1;

        Public(String algorithm, String format, byte[] encoded) {
            super(algorithm, format, encoded);
        }
    }

    private static final class Private extends GivenKey implements PrivateKey {
        private static final long serialVersionUID = 1;

        Private(String algorithm, String format, byte[] encoded) {
            super(algorithm, format, encoded);
        }
    }
}
