// latkem's C calls without Java around each of them. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.latkem.ParameterSet;

/** The same operations in a loop in C, in liblatkem_bare: what is left of Java is one call for a whole block. */
final class BareC implements Kem {
    private static final String LIBRARY = System.getProperty("latkem.bare", "");

    private final long work;
    private final boolean prepared;

    /**
     * Makes a key pair and a ciphertext, which stay for the life of the process.
     *
     * @param prepared whether keys are expanded before, or each call takes bytes
     */
    BareC(ParameterSet set, boolean prepared) {
        System.load(LIBRARY);
        this.work = open(set.toString());
        this.prepared = prepared;
    }

    /** Whether {@code -Dlatkem.bare} names the library. */
    static boolean isThere() {
        return !LIBRARY.isEmpty();
    }

    private static native long open(String set);

    private static native void repeat(long work, int operation, boolean prepared, int calls);

    private static native byte[] secret(long work);

    @Override
    public void repeat(Operation operation, int calls) {
        repeat(work, operation.ordinal(), prepared, calls);
    }

    @Override
    public Object generateKeyPair() {
        repeat(Operation.KEYGEN, 1);
        return this;
    }

    @Override
    public Object encapsulate() {
        repeat(Operation.ENCAPS, 1);
        return this;
    }

    @Override
    public byte[] decapsulate() {
        repeat(Operation.DECAPS, 1);
        return secret(work);
    }

    @Override
    public byte[] secret() {
        return secret(work);
    }
}
