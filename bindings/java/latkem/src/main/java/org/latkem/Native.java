/* The functions of the JNI library. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;

/**
 * The functions of the JNI library (src/main/c), registered when {@link NativeLibrary} loads it. Callers check
 * arguments: arrays have the lengths of the set. {@code kem} is a set's handle ({@link #find}); an {@code int} result
 * is 0 or an error; a function of handles returns the error in its place.
 */
final class Native {
    /** Errors of {@code enum latkem_error}, and one of the glue. */
    static final int BAD_LENGTH = -2;

    static final int BAD_EK = -3;
    static final int BAD_DK = -4;
    static final int RNG_FAILED = -5;
    static final int BAD_FORMAT = -11;
    static final int FAULT = -13;
    static final int NO_MEMORY = -100;

    private Native() {}

    // Facts
    static native String version();

    static native String setAt(int index);

    static native long find(String name);

    static native String nameOf(long kem);

    /** level, 1 for a standard, bytes of ek, dk, ct, ss, seed, coins. */
    static native int[] facts(long kem);

    static native String backend();

    static native String backendAt(int index);

    static native int useBackend(String nameOrNull);

    // Keys in arrays
    /** Writes the ciphertext and behind it the shared secret. */
    static native int encapsulate(long kem, byte[] ctAndSs, byte[] ek, byte[] coinsOrNull);

    static native int decapsulate(long kem, byte[] ss, byte[] ct, byte[] dk);

    static native int generateKeyPairs(long kem, int n, byte[] eks, byte[] dks);

    static native int encapsulateBatch(long kem, int n, byte[] cts, byte[] sss, byte[] eks);

    static native int decapsulateBatch(long kem, int n, byte[] sss, byte[] cts, byte[] dks);

    // Decapsulation keys in native memory
    static native long generate(long kem, boolean keepsSeed, byte[] ek);

    static native long fromSeed(long kem, boolean keepsSeed, byte[] ek, byte[] seed);

    /** Checks the key. */
    static native long fromBytes(long kem, byte[] dk);

    /** Expands the key, which it is not yet; of one thread at a time. */
    static native int expand(long key);

    static native void toBytes(long key, byte[] dk);

    static native void seed(long key, byte[] seed);

    /** With the expanded key, if there is one. */
    static native int decapsulateWith(long key, byte[] ss, byte[] ct);

    static native void freeKey(long key);

    // Encapsulation keys; an expanded one lies in native memory
    static native int checkEk(long kem, byte[] ek);

    static native long expandEk(long kem, byte[] ek);

    static native int encapsulateExpanded(long kem, byte[] ctAndSs, long expandedEk, byte[] coinsOrNull);

    static native void freeEk(long expandedEk);

    // Key files
    static native byte[] writePublic(long kem, byte[] ek);

    /** The set's handle; ek is as long as the longest. */
    static native long readPublic(byte[] der, byte[] ek);

    static native byte[] writePrivate(long key, int form);

    static native long readPrivate(byte[] der);

    static native long kemOf(long key);

    static native boolean hasSeed(long key);

    static native void ekOf(long key, byte[] ek);

    /**
     * Distinguishes an error from a handle, which may be negative too: some machines keep tags in the high bits of
     * pointers.
     */
    private static boolean isError(long result) {
        return result < 0 && result >= NO_MEMORY;
    }

    /** Whether there is something to free. */
    static boolean isHandle(long result) {
        return result != 0 && !isError(result);
    }

    /** Throws what an error means that is not a caller's mistake: no randomness, no memory. */
    static void requireSuccess(long error) {
        if (!isError(error)) {
            return;
        }
        if (error == RNG_FAILED) {
            throw new LatkemException("the system's random generator failed");
        }
        if (error == FAULT) {
            throw new LatkemException("the operation did not run as it is told: a hardware fault");
        }
        if (error == NO_MEMORY) {
            throw new OutOfMemoryError("no native memory for a key");
        }
        throw new LatkemException("unexpected error " + error + " of the native library");
    }

    /** The same, and what a bad key means. */
    static void requireKey(ParameterSet set, long error) throws InvalidKeyException {
        if (error == BAD_EK) {
            throw new InvalidKeyException(set + ": not a valid encapsulation key");
        }
        if (error == BAD_DK) {
            throw new InvalidKeyException(set + ": not a valid decapsulation key");
        }
        requireSuccess(error);
    }
}
