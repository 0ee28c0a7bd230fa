/* Public keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * A public key, valid in the sense of its standard. The first encapsulation works on the key as it is, because many
 * keys have no second one. The second expands the key, once, off the Java heap. Any number of threads may use one key.
 */
public final class EncapsulationKey {
    private final ParameterSet set;
    private final byte[] ek;
    private boolean isUsed; // a thread that sees this late expands the key later
    private volatile NativeMemory expanded;

    /** ek is the object's own, and valid. */
    EncapsulationKey(ParameterSet set, byte[] ek) {
        this.set = set;
        this.ek = ek;
    }

    /** Checks ek, which is the object's own. */
    static EncapsulationKey checked(ParameterSet set, byte[] ek) throws InvalidKeyException {
        Native.requireKey(set, Native.checkEk(set.facts().kem, ek));
        return new EncapsulationKey(set, ek);
    }

    /** Returns the key's set. */
    public ParameterSet parameterSet() {
        return set;
    }

    /** Returns a copy of the key, of {@link ParameterSet#encapsulationKeyBytes} bytes. */
    public byte[] toBytes() {
        return ek.clone();
    }

    /**
     * Makes a shared secret and its ciphertext (FIPS 203 algorithm 20), with the system's random generator.
     *
     * @throws LatkemException if that failed
     */
    public Encapsulation encapsulate() {
        return encapsulate((byte[]) null);
    }

    /**
     * The same with the caller's generator, which is asked once for {@link ParameterSet#coinsBytes} bytes. Its
     * exceptions pass through.
     */
    public Encapsulation encapsulate(SecureRandom random) {
        Objects.requireNonNull(random, "random");
        byte[] coins = new byte[set.coinsBytes()];
        try {
            random.nextBytes(coins);
            return encapsulate(coins);
        } finally {
            Arrays.fill(coins, (byte) 0);
        }
    }

    private Encapsulation encapsulate(byte[] coinsOrNull) {
        ParameterSet.Facts facts = set.facts();
        Encapsulation made = new Encapsulation(facts);
        if (isUsed) {
            encapsulateExpanded(facts, made, coinsOrNull);
        } else {
            Native.requireSuccess(Native.encapsulate(facts.kem, made.ctAndSs, ek, coinsOrNull));
        }
        isUsed = true;
        return made;
    }

    private void encapsulateExpanded(ParameterSet.Facts facts, Encapsulation made, byte[] coinsOrNull) {
        NativeMemory memory = expanded;
        if (memory == null) {
            memory = expand();
        }
        long handle = memory.acquire(this);
        try {
            Native.requireSuccess(Native.encapsulateExpanded(facts.kem, made.ctAndSs, handle, coinsOrNull));
        } finally {
            memory.release();
        }
    }

    private synchronized NativeMemory expand() {
        if (expanded == null) {
            long kem = set.facts().kem;
            NativeMemory memory = new NativeMemory(this, () -> Native.expandEk(kem, ek), Native::freeEk);
            Native.requireSuccess(memory.made());
            expanded = memory;
        }
        return expanded;
    }

    /** The same set and the same bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof EncapsulationKey
                && set == ((EncapsulationKey) other).set
                && Arrays.equals(ek, ((EncapsulationKey) other).ek);
    }

    @Override
    public int hashCode() {
        return 31 * set.hashCode() + Arrays.hashCode(ek);
    }

    /** Names the set. */
    @Override
    public String toString() {
        return set + " encapsulation key";
    }

    /** The key as a file. */
    byte[] write() {
        byte[] der = Native.writePublic(set.facts().kem, ek);
        if (der == null) {
            throw new LatkemException(set + ": the key cannot be written");
        }
        return der;
    }
}
