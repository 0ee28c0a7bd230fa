/* Many operations in one call. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Batches: n independent operations in one call, which vector backends compute side by side.
 *
 * <p>Arrays are contiguous: element i begins at i times the object's size. If one element's key is bad, its outputs
 * are zeroed, the others are complete, and {@link InvalidKeyException} is thrown. n = 0 does nothing. Arrays of a wrong
 * length and n below 0 are {@link IllegalArgumentException}s. No array may be changed by another thread meanwhile.
 */
public final class Batch {
    private Batch() {}

    /**
     * Makes n key pairs, in the two output arrays.
     *
     * @throws LatkemException if the random generator or the hardware failed; all outputs are zeroed then
     */
    public static void generateKeyPairs(ParameterSet set, int n, byte[] eks, byte[] dks) {
        ParameterSet.Facts facts = set.facts();
        require(set, "encapsulation keys", n, facts.ek, eks);
        require(set, "decapsulation keys", n, facts.dk, dks);
        if (n > 0) {
            requireWhole(Native.generateKeyPairs(facts.kem, n, eks, dks), eks, dks);
        }
    }

    /**
     * Encapsulates once to each of n keys; ciphertexts and shared secrets are the outputs.
     *
     * @throws LatkemException if the random generator or the hardware failed; all outputs are zeroed then
     */
    public static void encapsulate(ParameterSet set, int n, byte[] cts, byte[] sss, byte[] eks)
            throws InvalidKeyException {
        ParameterSet.Facts facts = set.facts();
        require(set, "ciphertexts", n, facts.ct, cts);
        require(set, "shared secrets", n, facts.ss, sss);
        require(set, "encapsulation keys", n, facts.ek, eks);
        requireApart(cts, sss, eks);
        if (n == 0) {
            return;
        }
        int error = Native.encapsulateBatch(facts.kem, n, cts, sss, eks);
        requireWhole(error, cts, sss);
        Native.requireKey(set, error);
    }

    /** Decapsulates ciphertext i with decapsulation key i; shared secrets are the output. */
    public static void decapsulate(ParameterSet set, int n, byte[] sss, byte[] cts, byte[] dks)
            throws InvalidKeyException {
        ParameterSet.Facts facts = set.facts();
        require(set, "shared secrets", n, facts.ss, sss);
        require(set, "ciphertexts", n, facts.ct, cts);
        require(set, "decapsulation keys", n, facts.dk, dks);
        requireApart(sss, cts, dks);
        if (n > 0) {
            Native.requireKey(set, Native.decapsulateBatch(facts.kem, n, sss, cts, dks));
        }
    }

    private static void require(ParameterSet set, String what, int n, int each, byte[] array) {
        Objects.requireNonNull(array, what);
        if (n < 0) {
            throw new IllegalArgumentException(set + ": a batch of " + n);
        }
        ParameterSet.requireLength(set + ": " + n + " " + what, (long) n * each, array.length);
    }

    private static void requireApart(byte[] a, byte[] b, byte[] c) {
        if ((a == b || a == c || b == c) && a.length > 0) {
            throw new IllegalArgumentException("an array is given twice");
        }
    }

    private static void requireWhole(int error, byte[] out1, byte[] out2) {
        if (error == Native.RNG_FAILED || error == Native.NO_MEMORY || error == Native.FAULT) {
            Arrays.fill(out1, (byte) 0);
            Arrays.fill(out2, (byte) 0);
            Native.requireSuccess(error);
        }
    }
}
