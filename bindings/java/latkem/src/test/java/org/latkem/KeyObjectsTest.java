// Key pairs, keys and encapsulations as objects. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.Refusals;

class KeyObjectsTest {
    @ParameterizedTest
    @EnumSource
    void bothSidesAgreeInObjectsAndInBytes(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            byte[] dk = pair.decapsulationKey().toBytes();
            byte[] ek = pair.encapsulationKey().toBytes();
            assertArrayEquals(made.sharedSecret(), pair.decapsulationKey().decapsulate(made.ciphertext()));
            assertArrayEquals(made.sharedSecret(), set.decapsulate(dk, made.ciphertext()));
            try (Encapsulation other = set.encapsulate(ek);
                    DecapsulationKey key = set.decapsulationKey(dk)) {
                assertArrayEquals(other.sharedSecret(), key.decapsulate(other.ciphertext()));
                assertFalse(Arrays.equals(made.ciphertext(), other.ciphertext()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellTheirSet(ParameterSet set) {
        try (KemKeyPair pair = set.generateKeyPair()) {
            assertSame(set, pair.parameterSet());
            assertSame(set, pair.encapsulationKey().parameterSet());
            assertSame(set, pair.decapsulationKey().parameterSet());
        }
    }

    @ParameterizedTest
    @EnumSource
    void seedsAreThoseOfMlKem(ParameterSet set) throws Exception {
        byte[] seed = new byte[set.seedBytes()];
        Arrays.fill(seed, (byte) 7);
        boolean keepsSeeds = set.toString().startsWith("ML-KEM");
        try (KemKeyPair generated = set.generateKeyPair();
                KemKeyPair fromSeed = set.keyPairFromSeed(seed);
                DecapsulationKey imported =
                        set.decapsulationKey(fromSeed.decapsulationKey().toBytes())) {
            assertEquals(keepsSeeds, generated.decapsulationKey().hasSeed());
            assertEquals(keepsSeeds, fromSeed.decapsulationKey().hasSeed());
            assertFalse(imported.hasSeed());
            Refusals.names(assertThrows(IllegalStateException.class, imported::seed), set.toString());
            if (keepsSeeds) {
                assertArrayEquals(seed, fromSeed.decapsulationKey().seed());
                sameKeyFromSeed(generated);
            }
        }
    }

    private static void sameKeyFromSeed(KemKeyPair pair) throws Exception {
        byte[] seed = pair.decapsulationKey().seed();
        try (KemKeyPair again = pair.parameterSet().keyPairFromSeed(seed)) {
            assertEquals(pair.encapsulationKey(), again.encapsulationKey());
            assertArrayEquals(
                    pair.decapsulationKey().toBytes(), again.decapsulationKey().toBytes());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyArrayIsACopy(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            DecapsulationKey key = pair.decapsulationKey();
            isCopied(pair.encapsulationKey()::toBytes);
            isCopied(key::toBytes);
            isCopied(made::ciphertext);
            isCopied(made::sharedSecret);
            isCopied(made.sharedSecretKey("AES")::getEncoded);
            if (key.hasSeed()) {
                isCopied(key::seed);
            }
            assertArrayEquals(made.sharedSecret(), key.decapsulate(made.ciphertext()));
        }
    }

    private static void isCopied(Supplier<byte[]> array) {
        byte[] first = array.get();
        byte[] kept = first.clone();
        Arrays.fill(first, (byte) 0x55);
        assertNotSame(first, array.get());
        assertArrayEquals(kept, array.get());
    }

    /** A caller's arrays may change afterwards. */
    @ParameterizedTest
    @EnumSource
    void givenArraysAreCopied(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair()) {
            byte[] ek = pair.encapsulationKey().toBytes();
            byte[] dk = pair.decapsulationKey().toBytes();
            EncapsulationKey publicKey = set.encapsulationKey(ek);
            try (DecapsulationKey privateKey = set.decapsulationKey(dk)) {
                Arrays.fill(ek, (byte) 0);
                Arrays.fill(dk, (byte) 0);
                Encapsulation made = publicKey.encapsulate();
                assertArrayEquals(made.sharedSecret(), privateKey.decapsulate(made.ciphertext()));
                assertEquals(pair.encapsulationKey(), publicKey);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void equalityIsThatOfSetAndBytes(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair();
                KemKeyPair other = set.generateKeyPair()) {
            EncapsulationKey key = pair.encapsulationKey();
            EncapsulationKey same = set.encapsulationKey(key.toBytes());
            assertEquals(key, same);
            assertEquals(key.hashCode(), same.hashCode());
            assertNotEquals(key, other.encapsulationKey());
            assertNotEquals(key, null);
            assertNotEquals(key, new Object());
        }
    }

    /** Kyber's keys have the form of ML-KEM's. */
    @Test
    void keysOfTwoSetsDiffer() throws Exception {
        try (KemKeyPair pair = ParameterSet.ML_KEM_768.generateKeyPair()) {
            byte[] ek = pair.encapsulationKey().toBytes();
            assertNotEquals(pair.encapsulationKey(), ParameterSet.KYBER768.encapsulationKey(ek));
            assertNotEquals(ParameterSet.KYBER768_90S.encapsulationKey(ek), ParameterSet.KYBER768.encapsulationKey(ek));
        }
    }

    @ParameterizedTest
    @EnumSource
    void textNamesTheSetAndShowsNoSecret(ParameterSet set) {
        try (KemKeyPair pair = set.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            for (Object object : List.of(pair, pair.encapsulationKey(), pair.decapsulationKey(), made)) {
                String text = object.toString();
                assertTrue(text.contains(set.toString()), text);
                showsNone(text, pair.decapsulationKey().toBytes());
                showsNone(text, made.sharedSecret());
            }
            showsNone(made.sharedSecretKey("AES").toString(), made.sharedSecret());
        }
    }

    private static void showsNone(String text, byte[] secret) {
        byte[] start = Arrays.copyOf(secret, 6);
        String lower = text.toLowerCase(Locale.ROOT);
        assertFalse(lower.contains(HexFormat.of().formatHex(start)), text);
        assertFalse(text.contains(Base64.getEncoder().encodeToString(start)), text);
        assertFalse(text.contains(secret[0] + ", " + secret[1] + ", " + secret[2]), text);
    }

    @Test
    void sharedSecretKeyHasTheSecretAndTheName() {
        try (KemKeyPair pair = ParameterSet.SABER.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            SecretKey key = made.sharedSecretKey("AES");
            assertEquals("AES", key.getAlgorithm());
            assertEquals("RAW", key.getFormat());
            assertArrayEquals(made.sharedSecret(), key.getEncoded());
        }
    }

    @ParameterizedTest
    @EnumSource
    void closedKeysRefuseEveryUse(ParameterSet set) {
        KemKeyPair pair = set.generateKeyPair();
        DecapsulationKey key = pair.decapsulationKey();
        assertFalse(key.isClosed());
        key.close();
        key.close();
        assertTrue(key.isClosed());
        byte[] ct = new byte[set.ciphertextBytes()];
        List<Executable> uses = List.of(key::toBytes, key::seed, () -> key.decapsulate(ct));
        for (Executable use : uses) {
            Refusals.names(assertThrows(IllegalStateException.class, use), set.toString());
        }
        assertTrue(key.toString().contains(set.toString()));
        assertSame(set, key.parameterSet());
        pair.close();
    }

    @ParameterizedTest
    @EnumSource
    void closingAPairClosesItsPrivateKey(ParameterSet set) throws Exception {
        KemKeyPair pair = set.generateKeyPair();
        DecapsulationKey key = pair.decapsulationKey();
        EncapsulationKey publicKey = pair.encapsulationKey();
        pair.close();
        pair.close();
        assertTrue(key.isClosed());
        assertEquals(set.ciphertextBytes(), publicKey.encapsulate().ciphertext().length);
    }

    @Test
    void closedEncapsulationsKeepNoSecret() {
        try (KemKeyPair pair = ParameterSet.ML_KEM_512.generateKeyPair()) {
            Encapsulation made = pair.encapsulationKey().encapsulate();
            made.close();
            made.close();
            Refusals.names(assertThrows(IllegalStateException.class, made::sharedSecret), "ML-KEM-512");
            assertThrows(IllegalStateException.class, () -> made.sharedSecretKey("AES"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void aChangedHashIsABadKey(ParameterSet set) {
        try (KemKeyPair pair = set.generateKeyPair()) {
            byte[] dk = pair.decapsulationKey().toBytes();
            byte[] ct = new byte[set.ciphertextBytes()];
            dk[dk.length - 40] ^= 1;
            Refusals.names(assertThrows(InvalidKeyException.class, () -> set.decapsulationKey(dk)), set.toString());
            Refusals.names(assertThrows(InvalidKeyException.class, () -> set.decapsulate(dk, ct)), set.toString());
        }
    }
}
