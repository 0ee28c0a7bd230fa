// AES-256-CTR-DRBG, from which NIST's known answers take their randomness. SPDX-License-Identifier: Apache-2.0
package org.latkem.testing;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-CTR-DRBG without derivation function (NIST SP 800-90A, 10.2.1). */
public final class NistDrbg {
    private static final int SEED_BYTES = 48;
    private static final int BLOCK = 16;

    private byte[] key = new byte[32];
    private byte[] counter = new byte[BLOCK];

    /** A generator in the state that a seed of 48 bytes gives it. */
    public NistDrbg(byte[] seed) {
        update(seed);
    }

    /** The generator of NIST's files: its first hundred requests of 48 bytes are their seeds. */
    public static NistDrbg ofSeeds() {
        byte[] seed = new byte[SEED_BYTES];
        for (int i = 0; i < SEED_BYTES; i++) {
            seed[i] = (byte) i;
        }
        return new NistDrbg(seed);
    }

    /** Answers one request. Two requests of 32 bytes differ from one of 64. */
    public byte[] next(int bytes) {
        byte[] out = Arrays.copyOf(keystream((bytes + BLOCK - 1) / BLOCK), bytes);
        update(new byte[SEED_BYTES]);
        return out;
    }

    private void update(byte[] data) {
        byte[] state = keystream(SEED_BYTES / BLOCK);
        for (int i = 0; i < SEED_BYTES; i++) {
            state[i] ^= data[i];
        }
        key = Arrays.copyOf(state, 32);
        counter = Arrays.copyOfRange(state, 32, SEED_BYTES);
    }

    private byte[] keystream(int blocks) {
        byte[] counters = new byte[blocks * BLOCK];
        for (int i = 0; i < blocks; i++) {
            increment();
            System.arraycopy(counter, 0, counters, i * BLOCK, BLOCK);
        }
        try {
            Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
            aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
            return aes.doFinal(counters);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JVM has AES", e);
        }
    }

    private void increment() {
        for (int i = BLOCK - 1; i >= 0 && ++counter[i] == 0; i--) {
            continue;
        }
    }
}
