/* What an encapsulation makes. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A shared secret, and the ciphertext that is sent to the owner of the key. */
public final class Encapsulation implements AutoCloseable {
    private final ParameterSet set;
    private final byte[] ct;
    private final byte[] ss;
    private boolean isClosed;

    /** The arrays are the object's own. */
    Encapsulation(ParameterSet set, byte[] ct, byte[] ss) {
        this.set = set;
        this.ct = ct;
        this.ss = ss;
    }

    /** Returns a copy of the ciphertext, of {@link ParameterSet#ciphertextBytes} bytes. It is public, also after close. */
    public byte[] ciphertext() {
        return ct.clone();
    }

    /**
     * Returns a copy of the shared secret, of {@link ParameterSet#sharedSecretBytes} bytes, which is the caller's to wipe.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public synchronized byte[] sharedSecret() {
        requireOpen();
        return ss.clone();
    }

    /**
     * Returns the shared secret as a key for an algorithm of javax.crypto, such as {@code "AES"}.
     *
     * @throws IllegalStateException after {@link #close}
     * @throws IllegalArgumentException if the algorithm is null or empty
     */
    public synchronized SecretKey sharedSecretKey(String algorithm) {
        requireOpen();
        return new SecretKeySpec(ss, algorithm);
    }

    private void requireOpen() {
        if (isClosed) throw new IllegalStateException(set + ": the encapsulation is closed");
    }

    /** Wipes the shared secret. */
    @Override
    public synchronized void close() {
        isClosed = true;
        Arrays.fill(ss, (byte) 0);
    }

    /** Names the set. */
    @Override
    public String toString() {
        return set + " encapsulation";
    }
}
