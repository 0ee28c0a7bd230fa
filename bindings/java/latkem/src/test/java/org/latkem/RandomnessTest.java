// The caller's SecureRandom: how often it is asked, and what happens when it fails. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomnessTest {
    /** Counts up, and notes each request's length and the array that it filled. */
    private static final class Counting extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final transient List<Integer> requests = new ArrayList<>();
        private transient byte[] filled;
        private transient byte[] answer;

        @Override
        public void nextBytes(byte[] bytes) {
            requests.add(bytes.length);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i + 1);
            }
            filled = bytes;
            answer = bytes.clone();
        }
    }

    /** Throws in place of giving bytes. */
    private static final class Failing extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final transient Throwable failure;

        Failing(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            Failing.<RuntimeException>sneak(failure);
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void sneak(Throwable thrown) throws T {
            throw (T) thrown;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isAskedOnceForTheSeed(ParameterSet set) throws Exception {
        Counting random = new Counting();
        try (KemKeyPair pair = set.generateKeyPair(random);
                KemKeyPair expected = set.keyPairFromSeed(random.answer)) {
            assertEquals(List.of(set.seedBytes()), random.requests);
            assertEquals(expected.encapsulationKey(), pair.encapsulationKey());
            assertArrayEquals(
                    expected.decapsulationKey().toBytes(),
                    pair.decapsulationKey().toBytes());
        }
        assertArrayEquals(new byte[set.seedBytes()], random.filled, "the seed's array is wiped after use");
    }

    @ParameterizedTest
    @EnumSource
    void isAskedOnceForTheCoins(ParameterSet set) throws Exception {
        Counting random = new Counting();
        try (KemKeyPair pair = set.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate(random);
                Encapsulation expected =
                        Derandomized.encapsulate(set, pair.encapsulationKey().toBytes(), random.answer)) {
            assertEquals(List.of(set.coinsBytes()), random.requests);
            assertArrayEquals(expected.ciphertext(), made.ciphertext());
            assertArrayEquals(expected.sharedSecret(), made.sharedSecret());
        }
        assertArrayEquals(new byte[set.coinsBytes()], random.filled, "the coins' array is wiped after use");
    }

    @ParameterizedTest
    @EnumSource
    void whatItThrowsPassesThrough(ParameterSet set) {
        List<Throwable> failures =
                List.of(new IllegalStateException("no entropy"), new OutOfMemoryError("made up"), new Exception());
        try (KemKeyPair pair = set.generateKeyPair()) {
            for (Throwable failure : failures) {
                Failing random = new Failing(failure);
                assertSame(failure, assertThrows(Throwable.class, () -> set.generateKeyPair(random)));
                assertSame(
                        failure,
                        assertThrows(
                                Throwable.class, () -> pair.encapsulationKey().encapsulate(random)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSystemsGeneratorMakesNewKeysAndSecrets(ParameterSet set) {
        try (KemKeyPair one = set.generateKeyPair();
                KemKeyPair other = set.generateKeyPair()) {
            assertFalse(one.encapsulationKey().equals(other.encapsulationKey()));
            byte[] first = one.encapsulationKey().encapsulate().ciphertext();
            assertFalse(
                    Arrays.equals(first, one.encapsulationKey().encapsulate().ciphertext()));
        }
    }

    /** A generator that calls the library itself finds nothing locked. */
    @Test
    void mayUseTheLibrary() {
        SecureRandom inward = new SecureRandom() {
            private static final long serialVersionUID = 1;

            @Override
            public void nextBytes(byte[] bytes) {
                byte[] ek = new byte[ParameterSet.ML_KEM_512.encapsulationKeyBytes() * 2];
                byte[] dk = new byte[ParameterSet.ML_KEM_512.decapsulationKeyBytes() * 2];
                Batch.generateKeyPairs(ParameterSet.ML_KEM_512, 2, ek, dk);
                System.arraycopy(ek, 0, bytes, 0, Math.min(ek.length, bytes.length));
            }
        };
        try (KemKeyPair pair = ParameterSet.ML_KEM_768.generateKeyPair(inward)) {
            assertEquals(
                    ParameterSet.ML_KEM_768.encapsulationKeyBytes(),
                    pair.encapsulationKey().toBytes().length);
        }
    }
}
