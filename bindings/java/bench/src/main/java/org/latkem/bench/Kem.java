// The interface of every library that is timed. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

/** A parameter set of one library, used in one way, with a key pair and a ciphertext that were made before. */
public interface Kem {
    /**
     * Makes another key pair, in the form in which this tier hands keys around.
     *
     * @return something of it, so that no compiler leaves the work out
     * @throws Exception as the library does
     */
    Object generateKeyPair() throws Exception;

    /**
     * Encapsulates for the kept key.
     *
     * @return something of the result
     * @throws Exception as the library does
     */
    Object encapsulate() throws Exception;

    /**
     * Decapsulates the kept ciphertext.
     *
     * @return the shared secret
     * @throws Exception as the library does
     */
    byte[] decapsulate() throws Exception;

    /**
     * The secret that encapsulation gave for the kept ciphertext, with which {@link #decapsulate} must agree.
     *
     * @return the shared secret
     */
    byte[] secret();

    /**
     * Does an operation again and again.
     *
     * @param operation to do
     * @param calls how often
     * @throws Exception as the library does
     */
    default void repeat(Operation operation, int calls) throws Exception {
        Object last = null;
        for (int i = 0; i < calls; i++) {
            last = operation.run(this);
        }
        Sink.last = last;
    }
}
