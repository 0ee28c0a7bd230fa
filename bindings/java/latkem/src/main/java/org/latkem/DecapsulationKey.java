/* Private keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.util.Objects;

/**
 * A private key. Its bytes lie in native memory alone: the key, its seed, and its expanded form. The first
 * decapsulation works on the key as it is, because many keys have no second one. The second expands the key, once. A
 * key that was made from bytes was checked then.
 *
 * <p>{@link #close} wipes it, as soon as no thread uses it any more; a key that nobody closed is wiped some time after
 * it became unreachable. Any number of threads may use one key. After {@code close} all methods but {@link
 * #parameterSet}, {@link #hasSeed} and {@link #isClosed} throw {@link IllegalStateException}.
 */
public final class DecapsulationKey implements AutoCloseable {
    private final ParameterSet set;
    private final boolean hasSeed;
    private final NativeMemory memory;
    private boolean isUsed; // a thread that sees this late expands the key later
    private volatile boolean isExpanded;

    /** The handle may be an error, which {@link #made} returns: such an object goes no further. */
    DecapsulationKey(ParameterSet set, boolean hasSeed, NativeMemory.Make make) {
        this.set = set;
        this.hasSeed = hasSeed;
        this.memory = new NativeMemory(this, make, Native::freeKey);
    }

    /** Reads PKCS#8. */
    DecapsulationKey(byte[] der) throws InvalidKeyException {
        memory = new NativeMemory(this, () -> Native.readPrivate(der), Native::freeKey);
        long key = KeyFormats.requireFile("PKCS#8", memory.made());
        set = KeyFormats.setOf(Native.kemOf(key));
        hasSeed = Native.hasSeed(key);
    }

    /** Returns the key's handle, or the error. */
    long made() {
        return memory.made();
    }

    /** Returns the key's set. */
    public ParameterSet parameterSet() {
        return set;
    }

    /**
     * Returns a copy of the key as its standard or scheme has it, of {@link ParameterSet#decapsulationKeyBytes} bytes.
     * It is the caller's to wipe.
     */
    public byte[] toBytes() {
        byte[] dk = new byte[set.decapsulationKeyBytes()];
        long key = memory.acquire(this);
        try {
            Native.toBytes(key, dk);
        } finally {
            memory.release();
        }
        return dk;
    }

    /** Whether {@link #seed} has one: ML-KEM keys that were generated, or made from a seed or a file with one. */
    public boolean hasSeed() {
        return hasSeed;
    }

    /**
     * Returns a copy of the seed d || z of 64 bytes (FIPS 203 section 3.3). It is a private key too, and the caller's
     * to wipe.
     *
     * @throws IllegalStateException if the key has none, or is closed
     */
    public byte[] seed() {
        byte[] seed = new byte[set.seedBytes()];
        long key = memory.acquire(this);
        try {
            if (!hasSeed) {
                throw new IllegalStateException(set + ": this decapsulation key has no seed");
            }
            Native.seed(key, seed);
        } finally {
            memory.release();
        }
        return seed;
    }

    /**
     * Returns the shared secret of a ciphertext (FIPS 203 algorithm 21), of {@link ParameterSet#sharedSecretBytes}
     * bytes. A ciphertext of the right length is never an error.
     *
     * @throws InvalidCiphertextException if the ciphertext has the wrong length
     */
    public byte[] decapsulate(byte[] ct) throws InvalidCiphertextException {
        ParameterSet.Facts facts = set.facts();
        facts.requireCiphertext(Objects.requireNonNull(ct, "ct"));
        byte[] ss = new byte[facts.ss];
        long key = memory.acquire(this);
        try {
            if (isUsed && !isExpanded) {
                expand(key);
            }
            isUsed = true;
            Native.requireSuccess(Native.decapsulateWith(key, ss, ct));
        } finally {
            memory.release();
        }
        return ss;
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return memory.isClosed();
    }

    /** Wipes and frees the key, when its last use in another thread ends. Closing it again does nothing. */
    @Override
    public void close() {
        memory.close();
    }

    /** Names the set. */
    @Override
    public String toString() {
        return set + " decapsulation key";
    }

    /** The key as a file, in a form that it has. */
    byte[] write(PrivateKeyFormat format) {
        long key = memory.acquire(this);
        try {
            if (format != PrivateKeyFormat.EXPANDED && !hasSeed) {
                throw new IllegalStateException(set + ": the form " + format + " needs a seed, which this key has not");
            }
            byte[] der = Native.writePrivate(key, format.ordinal() + 1);
            if (der == null) {
                throw new LatkemException(set + ": the key cannot be written");
            }
            return der;
        } finally {
            memory.release();
        }
    }

    /** The public half of an ML-KEM key, which its bytes hold. */
    EncapsulationKey encapsulationKey() {
        byte[] ek = new byte[set.encapsulationKeyBytes()];
        long key = memory.acquire(this);
        try {
            Native.ekOf(key, ek);
        } finally {
            memory.release();
        }
        return new EncapsulationKey(set, ek);
    }

    private synchronized void expand(long key) {
        if (isExpanded) {
            return;
        }
        Native.requireSuccess(Native.expand(key));
        isExpanded = true;
    }
}
