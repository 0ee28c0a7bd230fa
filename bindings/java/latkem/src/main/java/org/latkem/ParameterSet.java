/* The parameter sets and what can be done with each. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * A parameter set. ML-KEM is a standard (FIPS 203); the other sets are for research and comparison, complete and
 * tested, but not meant for new deployments.
 *
 * <p>All methods may be called from any thread. Each that needs the native library throws {@link LatkemException} where
 * there is none for this system.
 */
public enum ParameterSet {
    ML_KEM_512("ML-KEM-512"),
    ML_KEM_768("ML-KEM-768"),
    ML_KEM_1024("ML-KEM-1024"),
    KYBER512("Kyber512"),
    KYBER768("Kyber768"),
    KYBER1024("Kyber1024"),
    KYBER512_90S("Kyber512-90s"),
    KYBER768_90S("Kyber768-90s"),
    KYBER1024_90S("Kyber1024-90s"),
    LIGHTSABER("LightSaber"),
    SABER("Saber"),
    FIRESABER("FireSaber"),
    NTRU_HPS_2048_509("NTRU-HPS-2048-509"),
    NTRU_HPS_2048_677("NTRU-HPS-2048-677"),
    NTRU_HPS_4096_821("NTRU-HPS-4096-821"),
    NTRU_HRSS_701("NTRU-HRSS-701");

    private final String setName;
    private volatile Facts facts;

    ParameterSet(String setName) {
        this.setName = setName;
    }

    /** The library's facts about a set. */
    static final class Facts {
        final ParameterSet set;
        final long kem;
        final int level, isStandard, ek, dk, ct, ss, seed, coins;

        Facts(ParameterSet set, long kem) {
            this.set = set;
            this.kem = kem;
            int[] all = Native.facts(kem);
            level = all[0];
            isStandard = all[1];
            ek = all[2];
            dk = all[3];
            ct = all[4];
            ss = all[5];
            seed = all[6];
            coins = all[7];
        }

        boolean keepsSeed() {
            return isStandard != 0;
        }

        void requireEk(byte[] key) throws InvalidKeyException {
            requireKey("an encapsulation key", ek, key);
        }

        void requireDk(byte[] key) throws InvalidKeyException {
            requireKey("a decapsulation key", dk, key);
        }

        void requireKey(String what, int bytes, byte[] key) throws InvalidKeyException {
            if (key.length != bytes) {
                throw new InvalidKeyException(describe(set + ": " + what, bytes, key.length));
            }
        }

        void requireCiphertext(byte[] given) throws InvalidCiphertextException {
            if (given.length != ct) {
                throw new InvalidCiphertextException(describe(set + ": a ciphertext", ct, given.length));
            }
        }
    }

    private static String describe(String what, long bytes, int given) {
        return what + " has " + bytes + " bytes, not " + given;
    }

    static void requireLength(String what, long bytes, int given) {
        if (given != bytes) {
            throw new IllegalArgumentException(describe(what, bytes, given));
        }
    }

    Facts facts() {
        Facts known = facts;
        return known != null ? known : ask();
    }

    private Facts ask() {
        NativeLibrary.load();
        long kem = Native.find(setName);
        if (kem == 0) {
            throw new LatkemException("the native library was built without " + setName);
        }
        return facts = new Facts(this, kem);
    }

    /**
     * Returns the set of a name as {@code latkem list} has it, such as {@code "ML-KEM-768"}.
     *
     * @throws IllegalArgumentException if there is none of exactly that name
     */
    public static ParameterSet of(String name) {
        Objects.requireNonNull(name, "name");
        for (ParameterSet set : values()) {
            if (set.setName.equals(name)) {
                return set;
            }
        }
        throw new IllegalArgumentException("no parameter set " + name + "; there are " + Arrays.toString(values()));
    }

    /** Returns the name that {@link #of} knows. */
    @Override
    public String toString() {
        return setName;
    }

    /** Returns the NIST security category: 1, 3 or 5. */
    public int level() {
        return facts().level;
    }

    /** Whether the set is of a published standard. */
    public boolean isStandard() {
        return facts().isStandard != 0;
    }

    /** Returns the length of an encapsulation key in bytes. */
    public int encapsulationKeyBytes() {
        return facts().ek;
    }

    /** Returns the length of a decapsulation key in bytes. */
    public int decapsulationKeyBytes() {
        return facts().dk;
    }

    /** Returns the length of a ciphertext in bytes. */
    public int ciphertextBytes() {
        return facts().ct;
    }

    /** Returns the length of a shared secret in bytes. */
    public int sharedSecretBytes() {
        return facts().ss;
    }

    /** Returns the bytes of randomness that key generation takes. */
    public int seedBytes() {
        return facts().seed;
    }

    /** Returns the bytes of randomness that an encapsulation takes. */
    public int coinsBytes() {
        return facts().coins;
    }

    /**
     * Makes a key pair with the system's random generator (FIPS 203 algorithm 19).
     *
     * @throws LatkemException if that failed
     */
    public KemKeyPair generateKeyPair() {
        Facts known = facts();
        byte[] ek = new byte[known.ek];
        return pair(ek, () -> Native.generate(known.kem, known.keepsSeed(), ek));
    }

    /**
     * The same with the caller's generator, which is asked once for {@link #seedBytes} bytes. Its exceptions pass
     * through.
     */
    public KemKeyPair generateKeyPair(SecureRandom random) {
        Objects.requireNonNull(random, "random");
        byte[] seed = new byte[seedBytes()];
        try {
            random.nextBytes(seed);
            return fromSeed(seed);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /**
     * Makes the key pair of a seed (ML-KEM.KeyGen_internal, FIPS 203 algorithm 16). The seed is a private key.
     *
     * @param seed {@link #seedBytes} bytes: of ML-KEM d || z
     * @throws InvalidKeyException if it has another length
     */
    public KemKeyPair keyPairFromSeed(byte[] seed) throws InvalidKeyException {
        facts().requireKey("a seed", facts().seed, Objects.requireNonNull(seed, "seed"));
        return fromSeed(seed);
    }

    private KemKeyPair fromSeed(byte[] seed) {
        Facts known = facts();
        byte[] ek = new byte[known.ek];
        return pair(ek, () -> Native.fromSeed(known.kem, known.keepsSeed(), ek, seed));
    }

    /** Making the private key fills ek. */
    private KemKeyPair pair(byte[] ek, NativeMemory.Make make) {
        DecapsulationKey dk = new DecapsulationKey(this, facts().keepsSeed(), make);
        Native.requireSuccess(dk.made());
        return new KemKeyPair(new EncapsulationKey(this, ek), dk);
    }

    /**
     * Makes a public key of its bytes, which are copied and checked (FIPS 203 section 7.2).
     *
     * @throws InvalidKeyException if they are not one of this set
     */
    public EncapsulationKey encapsulationKey(byte[] ek) throws InvalidKeyException {
        facts().requireEk(Objects.requireNonNull(ek, "ek"));
        return EncapsulationKey.checked(this, ek.clone());
    }

    /**
     * Makes a private key of its bytes, which are copied into native memory and checked (FIPS 203 section 7.3).
     *
     * @throws InvalidKeyException if they are not one of this set
     */
    public DecapsulationKey decapsulationKey(byte[] dk) throws InvalidKeyException {
        Facts known = facts();
        known.requireDk(Objects.requireNonNull(dk, "dk"));
        DecapsulationKey key = new DecapsulationKey(this, false, () -> Native.fromBytes(known.kem, dk));
        Native.requireKey(this, key.made());
        return key;
    }

    /**
     * Makes a shared secret and its ciphertext for the owner of ek, which is checked. Nothing is kept: for many
     * encapsulations to one key, {@link #encapsulationKey} is faster.
     *
     * @throws InvalidKeyException if ek is not an encapsulation key of this set
     */
    public Encapsulation encapsulate(byte[] ek) throws InvalidKeyException {
        facts().requireEk(Objects.requireNonNull(ek, "ek"));
        return encapsulate(ek, null);
    }

    Encapsulation encapsulate(byte[] ek, byte[] coinsOrNull) throws InvalidKeyException {
        Facts known = facts();
        Encapsulation made = new Encapsulation(known);
        Native.requireKey(this, Native.encapsulate(known.kem, made.ctAndSs, ek, coinsOrNull));
        return made;
    }

    /**
     * Returns the shared secret of a ciphertext, with dk, which is checked. Nothing is kept: for many decapsulations
     * with one key, {@link #decapsulationKey} is faster and keeps dk off the Java heap.
     *
     * @throws InvalidKeyException if dk is not a decapsulation key of this set
     * @throws InvalidCiphertextException if the ciphertext has the wrong length; one of the right length is never an
     *     error
     */
    public byte[] decapsulate(byte[] dk, byte[] ct) throws InvalidKeyException, InvalidCiphertextException {
        Facts known = facts();
        known.requireDk(Objects.requireNonNull(dk, "dk"));
        known.requireCiphertext(Objects.requireNonNull(ct, "ct"));
        byte[] ss = new byte[known.ss];
        Native.requireKey(this, Native.decapsulate(known.kem, ss, ct, dk));
        return ss;
    }
}
