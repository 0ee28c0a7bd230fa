/* The results of an encapsulation. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.util.Arrays;
import java.util.Objects;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A shared secret, and the ciphertext that is sent to the owner of the key. */
public final class Encapsulation implements AutoCloseable {
    private final ParameterSet.Facts facts;
    private boolean isClosed;

    /** The ciphertext and behind it the shared secret: one array, so that native code has one to fill. */
    final byte[] ctAndSs;

    Encapsulation(ParameterSet.Facts facts) {
        this.facts = facts;
        this.ctAndSs = new byte[facts.ct + facts.ss];
    }

    /**
     * Returns a copy of the ciphertext, of {@link ParameterSet#ciphertextBytes} bytes. It is public, also after close.
     */
    public byte[] ciphertext() {
        return Arrays.copyOf(ctAndSs, facts.ct);
    }

    /**
     * Returns a copy of the shared secret, of {@link ParameterSet#sharedSecretBytes} bytes, which is the caller's to
     * wipe.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public synchronized byte[] sharedSecret() {
        requireOpen();
        return Arrays.copyOfRange(ctAndSs, facts.ct, ctAndSs.length);
    }

    /**
     * Returns the shared secret as a key for an algorithm of javax.crypto, such as {@code "AES"}.
     *
     * @throws IllegalStateException after {@link #close}
     * @throws IllegalArgumentException if the algorithm is empty
     */
    public synchronized SecretKey sharedSecretKey(String algorithm) {
        requireOpen();
        return new SecretKeySpec(ctAndSs, facts.ct, facts.ss, Objects.requireNonNull(algorithm, "algorithm"));
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException(this + ": it is closed");
        }
    }

    /** Wipes the shared secret. */
    @Override
    public synchronized void close() {
        isClosed = true;
        Arrays.fill(ctAndSs, facts.ct, ctAndSs.length, (byte) 0);
    }

    /** Names the set. */
    @Override
    public String toString() {
        return facts.set + " encapsulation";
    }
}
