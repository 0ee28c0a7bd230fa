/* Two keys that belong together. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

/** An encapsulation key and its decapsulation key. Closing the pair closes the decapsulation key. */
public final class KemKeyPair implements AutoCloseable {
    private final EncapsulationKey encapsulationKey;
    private final DecapsulationKey decapsulationKey;

    KemKeyPair(EncapsulationKey encapsulationKey, DecapsulationKey decapsulationKey) {
        this.encapsulationKey = encapsulationKey;
        this.decapsulationKey = decapsulationKey;
    }

    /** Returns the set of both keys. */
    public ParameterSet parameterSet() {
        return encapsulationKey.parameterSet();
    }

    /** Returns the public key, which stays usable after {@link #close}. */
    public EncapsulationKey encapsulationKey() {
        return encapsulationKey;
    }

    /** Returns the private key. */
    public DecapsulationKey decapsulationKey() {
        return decapsulationKey;
    }

    /** Closes the decapsulation key. */
    @Override
    public void close() {
        decapsulationKey.close();
    }

    /** Names the set. */
    @Override
    public String toString() {
        return parameterSet() + " key pair";
    }
}
