// javax.crypto.KEM with the provider. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.ParameterSet;

class KemTest {
    private static final NamedParameterSpec SPEC = new NamedParameterSpec("ML-KEM-768");

    @ParameterizedTest
    @CsvSource({"ML-KEM-512,768", "ML-KEM-768,1088", "ML-KEM-1024,1568"})
    void theTwoSidesAgree(String set, int ciphertextBytes) throws Exception {
        KeyPair pair = Provided.pair(set);
        for (KEM kem : new KEM[] {Provided.kem("ML-KEM"), Provided.kem(set)}) {
            KEM.Encapsulator encapsulator = kem.newEncapsulator(pair.getPublic());
            KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
            assertEquals(32, encapsulator.secretSize());
            assertEquals(32, decapsulator.secretSize());
            assertEquals(ciphertextBytes, encapsulator.encapsulationSize());
            assertEquals(ciphertextBytes, decapsulator.encapsulationSize());
            KEM.Encapsulated made = encapsulator.encapsulate();
            assertEquals(ciphertextBytes, made.encapsulation().length);
            assertNull(made.params());
            assertEquals("Generic", made.key().getAlgorithm());
            assertEquals(32, made.key().getEncoded().length);
            assertEquals(made.key(), decapsulator.decapsulate(made.encapsulation()));
            assertNotEquals(made.key(), encapsulator.encapsulate().key());
        }
    }

    /** The plain API, which is tested on known answers, gives the same secret. */
    @Test
    void thePlainApiAgrees() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-768");
        KEM.Encapsulated made =
                Provided.kem("ML-KEM").newEncapsulator(pair.getPublic()).encapsulate();
        MlKemPrivateKey key = (MlKemPrivateKey) pair.getPrivate();
        assertArrayEquals(made.key().getEncoded(), key.decapsulationKey().decapsulate(made.encapsulation()));
    }

    @ParameterizedTest
    @CsvSource({"0,32", "0,16", "16,32", "5,6", "31,32"})
    void givesSlicesOfTheSecret(int from, int to) throws Exception {
        KeyPair pair = Provided.pair("ML-KEM");
        KEM kem = Provided.kem("ML-KEM");
        KEM.Encapsulated made = kem.newEncapsulator(pair.getPublic()).encapsulate(from, to, "AES");
        KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
        byte[] whole = decapsulator.decapsulate(made.encapsulation()).getEncoded();
        SecretKey slice = decapsulator.decapsulate(made.encapsulation(), from, to, "AES");
        assertEquals("AES", made.key().getAlgorithm());
        assertEquals("AES", slice.getAlgorithm());
        assertArrayEquals(Arrays.copyOfRange(whole, from, to), made.key().getEncoded());
        assertArrayEquals(Arrays.copyOfRange(whole, from, to), slice.getEncoded());
    }

    @ParameterizedTest
    @CsvSource({"-1,32", "0,33", "17,16", "33,33", "-2147483648,2147483647", "2147483647,-2147483648"})
    void refusesSlicesOutOfBounds(int from, int to) throws Exception {
        KeyPair pair = Provided.pair("ML-KEM");
        KEM kem = Provided.kem("ML-KEM");
        KEM.Encapsulator encapsulator = kem.newEncapsulator(pair.getPublic());
        KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
        byte[] ct = encapsulator.encapsulate().encapsulation();
        assertThrows(IndexOutOfBoundsException.class, () -> encapsulator.encapsulate(from, to, "AES"));
        assertThrows(IndexOutOfBoundsException.class, () -> decapsulator.decapsulate(ct, from, to, "AES"));
    }

    @Test
    void refusesNull() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM");
        KEM kem = Provided.kem("ML-KEM");
        KEM.Encapsulator encapsulator = kem.newEncapsulator(pair.getPublic());
        KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
        byte[] ct = encapsulator.encapsulate().encapsulation();
        assertThrows(NullPointerException.class, () -> encapsulator.encapsulate(0, 32, null));
        assertThrows(NullPointerException.class, () -> decapsulator.decapsulate(ct, 0, 32, null));
        assertThrows(NullPointerException.class, () -> decapsulator.decapsulate(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void refusesCiphertextsOfAnotherLength(String set) throws Exception {
        KEM.Decapsulator decapsulator = Provided.kem(set).newDecapsulator(Provided.privateKey(set));
        int right = decapsulator.encapsulationSize();
        for (int length : new int[] {0, 1, 32, right - 1, right + 1, 2 * right}) {
            String message = assertThrows(DecapsulateException.class, () -> decapsulator.decapsulate(new byte[length]))
                    .getMessage();
            for (Object word : List.of(set, length, right)) {
                assertTrue(message.contains(word.toString()), message);
            }
        }
        assertNotNull(decapsulator.decapsulate(new byte[right]), "implicit rejection is no error");
    }

    @Test
    void takesTheUsersGenerator() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-768");
        GivenRandom random = GivenRandom.of(3);
        KEM.Encapsulated made =
                Provided.kem("ML-KEM").newEncapsulator(pair.getPublic(), random).encapsulate();
        byte[] coins = new byte[32];
        Arrays.fill(coins, (byte) 3);
        byte[] ek = ((MlKemPublicKey) pair.getPublic()).encapsulationKey().toBytes();
        try (Encapsulation expected = Derandomized.encapsulate(ParameterSet.ML_KEM_768, ek, coins)) {
            assertArrayEquals(expected.ciphertext(), made.encapsulation());
            assertArrayEquals(expected.sharedSecret(), made.key().getEncoded());
        }
        assertEquals(1, random.asked);
        KEM.Encapsulator failing = Provided.kem("ML-KEM").newEncapsulator(pair.getPublic(), GivenRandom.failing());
        assertThrows(UnsupportedOperationException.class, failing::encapsulate);
    }

    @Test
    void takesNoParameters() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-768");
        KEM kem = Provided.kem("ML-KEM");
        assertThrows(InvalidAlgorithmParameterException.class, () -> kem.newEncapsulator(pair.getPublic(), SPEC, null));
        assertThrows(InvalidAlgorithmParameterException.class, () -> kem.newDecapsulator(pair.getPrivate(), SPEC));
        KEM.Encapsulated made =
                kem.newEncapsulator(pair.getPublic(), null, null).encapsulate();
        assertEquals(made.key(), kem.newDecapsulator(pair.getPrivate(), null).decapsulate(made.encapsulation()));
    }

    @Test
    void takesKeysOfOtherProvidersByTheirEncoding() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-768");
        KEM kem = Provided.kem("ML-KEM-768");
        PublicKey publicKey = GivenKey.ofPublic("X.509", pair.getPublic().getEncoded());
        PrivateKey privateKey = GivenKey.ofPrivate("PKCS#8", pair.getPrivate().getEncoded());
        KEM.Encapsulated made = kem.newEncapsulator(publicKey).encapsulate();
        assertEquals(made.key(), kem.newDecapsulator(privateKey).decapsulate(made.encapsulation()));
    }

    private static void refusesPublic(KEM kem, PublicKey key) {
        String message = assertThrows(InvalidKeyException.class, () -> kem.newEncapsulator(key))
                .getMessage();
        assertNotNull(message);
    }

    private static void refusesPrivate(KEM kem, PrivateKey key) {
        String message = assertThrows(InvalidKeyException.class, () -> kem.newDecapsulator(key))
                .getMessage();
        assertNotNull(message);
    }

    @Test
    void refusesKeysOfAnotherSet() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-512");
        KEM kem = Provided.kem("ML-KEM-768");
        refusesPublic(kem, pair.getPublic());
        refusesPrivate(kem, pair.getPrivate());
        refusesPublic(kem, GivenKey.ofPublic("X.509", pair.getPublic().getEncoded()));
        refusesPrivate(kem, GivenKey.ofPrivate("PKCS#8", pair.getPrivate().getEncoded()));
    }

    @Test
    void refusesOtherKeys() throws Exception {
        KEM kem = Provided.kem("ML-KEM");
        refusesPublic(kem, null);
        refusesPrivate(kem, null);
        MlKemPrivateKey destroyed = Provided.privateKey("ML-KEM");
        destroyed.destroy();
        refusesPrivate(kem, destroyed);
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        refusesPublic(kem, rsa.getPublic());
        refusesPrivate(kem, rsa.getPrivate());
        refusesPublic(kem, GivenKey.ofPublic(null, null));
        refusesPrivate(kem, GivenKey.ofPrivate("PKCS#8", null));
        refusesPublic(kem, GivenKey.ofPublic("X.509", new byte[10]));
    }

    @Test
    void aKeyDestroyedLaterIsNoLongerUsed() throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        KEM.Decapsulator decapsulator = Provided.kem("ML-KEM").newDecapsulator(key);
        key.destroy();
        assertThrows(IllegalStateException.class, () -> decapsulator.decapsulate(new byte[768]));
    }

    @Test
    void threadsShareOneEncapsulatorAndOneDecapsulator() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-768");
        KEM kem = Provided.kem("ML-KEM");
        KEM.Encapsulator encapsulator = kem.newEncapsulator(pair.getPublic());
        KEM.Decapsulator decapsulator = kem.newDecapsulator(pair.getPrivate());
        Callable<Boolean> roundTrip = () -> {
            KEM.Encapsulated made = encapsulator.encapsulate();
            return made.key().equals(decapsulator.decapsulate(made.encapsulation()));
        };
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (Future<Boolean> same : threads.invokeAll(
                    IntStream.range(0, 400).mapToObj(i -> roundTrip).toList())) {
                assertTrue(same.get());
            }
        } finally {
            threads.shutdown();
        }
    }
}
