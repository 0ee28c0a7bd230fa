// Key pairs by java.security. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPairGeneratorTest {
    private static String setOf(KeyPair pair) {
        String set = ((MlKemPublicKey) pair.getPublic()).getParams().getName();
        assertEquals(set, ((MlKemPrivateKey) pair.getPrivate()).getParams().getName());
        return set;
    }

    @ParameterizedTest
    @CsvSource({"ML-KEM,ML-KEM-768", "ML-KEM-512,ML-KEM-512", "ML-KEM-768,ML-KEM-768", "ML-KEM-1024,ML-KEM-1024"})
    void hasADefaultSet(String algorithm, String set) throws Exception {
        assertEquals(set, setOf(Provided.pair(algorithm)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void takesTheNameOfASetInAnyCase(String set) throws Exception {
        for (String algorithm : new String[] {"ML-KEM", set}) {
            for (String name : new String[] {set, set.toLowerCase(Locale.ROOT), set.replace("KEM", "Kem")}) {
                KeyPairGenerator generator = Provided.generator(algorithm);
                generator.initialize(new NamedParameterSpec(name));
                assertEquals(set, setOf(generator.generateKeyPair()));
            }
        }
    }

    private static void refuses(String algorithm, AlgorithmParameterSpec spec) throws Exception {
        KeyPairGenerator generator = Provided.generator(algorithm);
        String before = setOf(generator.generateKeyPair());
        String message = assertThrows(InvalidAlgorithmParameterException.class, () -> generator.initialize(spec))
                .getMessage();
        assertTrue(message.contains(algorithm), message);
        assertEquals(before, setOf(generator.generateKeyPair()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM", "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void refusesOtherSpecifications(String algorithm) throws Exception {
        refuses(algorithm, null);
        refuses(algorithm, NamedParameterSpec.X25519);
        refuses(algorithm, new NamedParameterSpec("ML-KEM"));
        refuses(algorithm, new NamedParameterSpec("Saber"));
        refuses(algorithm, new NamedParameterSpec("Kyber768"));
        refuses(algorithm, new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
    }

    @Test
    void refusesTheSetOfAnotherName() throws Exception {
        refuses("ML-KEM-512", new NamedParameterSpec("ML-KEM-768"));
        refuses("ML-KEM-768", new NamedParameterSpec("ML-KEM-1024"));
        refuses("ML-KEM-1024", new NamedParameterSpec("ML-KEM-512"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -2, 0, 1, 512, 768, 1024})
    void refusesKeySizes(int size) throws Exception {
        KeyPairGenerator generator = Provided.generator("ML-KEM");
        assertThrows(InvalidParameterException.class, () -> generator.initialize(size));
        assertThrows(InvalidParameterException.class, () -> generator.initialize(size, GivenRandom.of(1)));
    }

    /** As the JDK's own: a caller gives its generator and leaves the set as it is. */
    @ParameterizedTest
    @CsvSource({"ML-KEM,ML-KEM-1024", "ML-KEM-512,ML-KEM-512", "ML-KEM-1024,ML-KEM-1024"})
    void theSizeMinusOneKeepsTheSet(String algorithm, String set) throws Exception {
        KeyPairGenerator generator = Provided.generator(algorithm);
        generator.initialize(new NamedParameterSpec(set), GivenRandom.failing());
        GivenRandom random = GivenRandom.of(9);
        generator.initialize(-1, random);
        KeyPair pair = generator.generateKeyPair();
        assertEquals(set, setOf(pair));
        assertEquals(1, random.asked);
        generator.initialize(-1, null);
        assertNotEquals(pair.getPublic(), generator.generateKeyPair().getPublic());
        assertEquals(1, random.asked);
        generator.initialize(-1);
        assertEquals(set, setOf(generator.generateKeyPair()));
    }

    @Test
    void asksTheUsersGeneratorOnceForTheSeed() throws Exception {
        GivenRandom random = GivenRandom.of(7);
        KeyPairGenerator generator = Provided.generator("ML-KEM");
        generator.initialize(new NamedParameterSpec("ML-KEM-512"), random);
        byte[] seed = new byte[64];
        Arrays.fill(seed, (byte) 7);
        MlKemPrivateKey key = (MlKemPrivateKey) generator.generateKeyPair().getPrivate();
        assertEquals(1, random.asked);
        assertArrayEquals(seed, key.decapsulationKey().seed());
    }

    @Test
    void passesOnWhatTheUsersGeneratorThrows() throws Exception {
        KeyPairGenerator generator = Provided.generator("ML-KEM");
        generator.initialize(new NamedParameterSpec("ML-KEM-512"), GivenRandom.failing());
        assertThrows(UnsupportedOperationException.class, generator::generateKeyPair);
    }

    @Test
    void makesAnotherPairEachTime() throws Exception {
        KeyPairGenerator generator = Provided.generator("ML-KEM");
        assertNotEquals(
                generator.generateKeyPair().getPublic(),
                generator.generateKeyPair().getPublic());
        generator.initialize(new NamedParameterSpec("ML-KEM-768"), null);
        assertNotEquals(
                generator.generateKeyPair().getPublic(),
                generator.generateKeyPair().getPublic());
    }
}
