// Keys from specifications and other providers' keys, and back. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.PrivateKeyFormat;

class KeyFactoryTest {
    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void readsKeysOfItsSets(String set) throws Exception {
        KeyPair pair = Provided.pair(set);
        for (KeyFactory factory : new KeyFactory[] {Provided.factory("ML-KEM"), Provided.factory(set)}) {
            assertEquals(
                    pair.getPublic(),
                    factory.generatePublic(
                            new X509EncodedKeySpec(pair.getPublic().getEncoded())));
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                byte[] file = ((MlKemPrivateKey) pair.getPrivate()).getEncoded(format);
                MlKemPrivateKey key = (MlKemPrivateKey) factory.generatePrivate(new PKCS8EncodedKeySpec(file));
                assertEquals(pair.getPrivate(), key);
                assertEquals(
                        format != PrivateKeyFormat.EXPANDED,
                        key.decapsulationKey().hasSeed());
            }
        }
    }

    private static final class RawSpec extends EncodedKeySpec {
        RawSpec(byte[] bytes) {
            super(bytes);
        }

        @Override
        public String getFormat() {
            return "raw";
        }
    }

    /** Keys that are bytes alone, as the JDK's own takes them: their algorithm or the factory names the set. */
    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void readsRawKeys(String set) throws Exception {
        KeyPair pair = Provided.pair(set);
        byte[] ek = ((MlKemPublicKey) pair.getPublic()).encapsulationKey().toBytes();
        byte[] dk = ((MlKemPrivateKey) pair.getPrivate()).decapsulationKey().toBytes();
        KeyFactory family = Provided.factory("ML-KEM"), own = Provided.factory(set);
        assertEquals(pair.getPublic(), family.translateKey(GivenKey.rawPublic(set, ek)));
        assertEquals(pair.getPublic(), own.translateKey(GivenKey.rawPublic("ml-kem", ek)));
        assertEquals(pair.getPublic(), own.generatePublic(new RawSpec(ek)));
        assertEquals(pair.getPrivate(), own.generatePrivate(new RawSpec(dk)));
        assertEquals(pair.getPrivate(), family.translateKey(GivenKey.rawPrivate(set, dk.clone())));
        byte[] handedOut = dk.clone();
        assertEquals(pair.getPrivate(), own.translateKey(GivenKey.rawPrivate("ML-KEM", handedOut)));
        assertArrayEquals(new byte[dk.length], handedOut);
    }

    @Test
    void refusesRawKeysOfNoKnownSet() throws Exception {
        byte[] ek = Provided.publicKey("ML-KEM-768").encapsulationKey().toBytes();
        byte[] dk = Provided.privateKey("ML-KEM-768").decapsulationKey().toBytes();
        KeyFactory family = Provided.factory("ML-KEM"), other = Provided.factory("ML-KEM-512");
        for (String algorithm : new String[] {"ML-KEM", "EC", "Saber", null}) {
            assertThrows(InvalidKeyException.class, () -> family.translateKey(GivenKey.rawPublic(algorithm, ek)));
            assertThrows(InvalidKeyException.class, () -> family.translateKey(GivenKey.rawPrivate(algorithm, dk)));
        }
        for (String algorithm : new String[] {"ML-KEM-768", "ML-KEM", "ML-KEM-512"}) {
            assertThrows(InvalidKeyException.class, () -> other.translateKey(GivenKey.rawPublic(algorithm, ek)));
        }
        assertThrows(InvalidKeySpecException.class, () -> family.generatePublic(new RawSpec(ek)));
        assertThrows(InvalidKeySpecException.class, () -> family.generatePrivate(new RawSpec(dk)));
        assertThrows(InvalidKeySpecException.class, () -> other.generatePublic(new RawSpec(ek)));
        assertThrows(InvalidKeyException.class, () -> other.translateKey(GivenKey.rawPublic("ML-KEM", null)));
        assertThrows(InvalidKeyException.class, () -> other.translateKey(GivenKey.rawPrivate("ML-KEM", null)));
        dk[0] ^= 1; // H(ek) no longer fits
        dk[dk.length - 40] ^= 1;
        KeyFactory own = Provided.factory("ML-KEM-768");
        assertThrows(InvalidKeyException.class, () -> own.translateKey(GivenKey.rawPrivate("ML-KEM", dk)));
    }

    @Test
    void theNameOfAFormatMayBeInAnyCase() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM");
        KeyFactory factory = Provided.factory("ML-KEM");
        byte[] publicFile = pair.getPublic().getEncoded(),
                privateFile = pair.getPrivate().getEncoded();
        assertEquals(pair.getPublic(), factory.translateKey(GivenKey.ofPublic("x.509", publicFile)));
        assertEquals(pair.getPrivate(), factory.translateKey(GivenKey.ofPrivate("pkcs#8", privateFile)));
    }

    @Test
    void refusesKeysOfAnotherSet() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM-512");
        KeyPair other = Provided.pair("ML-KEM-768");
        X509EncodedKeySpec publicSpec = new X509EncodedKeySpec(other.getPublic().getEncoded());
        PKCS8EncodedKeySpec privateSpec =
                new PKCS8EncodedKeySpec(other.getPrivate().getEncoded());
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(publicSpec));
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(privateSpec));
        for (Key key : new Key[] {other.getPublic(), other.getPrivate()}) {
            assertThrows(InvalidKeyException.class, () -> factory.translateKey(key));
            assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(key, EncodedKeySpec.class));
        }
    }

    @Test
    void refusesOtherSpecifications() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        KeyPair pair = Provided.pair("ML-KEM");
        KeySpec wrongForPublic = new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded());
        KeySpec wrongForPrivate = new X509EncodedKeySpec(pair.getPublic().getEncoded());
        KeySpec rsa = new RSAPublicKeySpec(java.math.BigInteger.TEN, java.math.BigInteger.TWO);
        for (KeySpec spec : new KeySpec[] {null, rsa, wrongForPublic, new X509Without()}) {
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePublic(spec));
        }
        for (KeySpec spec : new KeySpec[] {null, rsa, wrongForPrivate, new Pkcs8Without()}) {
            assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(spec));
        }
    }

    private static final class X509Without extends X509EncodedKeySpec {
        X509Without() {
            super(new byte[1]);
        }

        @Override
        public byte[] getEncoded() {
            return null;
        }
    }

    private static final class Pkcs8Without extends PKCS8EncodedKeySpec {
        Pkcs8Without() {
            super(new byte[1]);
        }

        @Override
        public byte[] getEncoded() {
            return null;
        }
    }

    /** Remembers the array that it handed out. */
    private static final class Watched extends PKCS8EncodedKeySpec {
        private byte[] handedOut;

        Watched(byte[] encoded) {
            super(encoded);
        }

        @Override
        public byte[] getEncoded() {
            return handedOut = super.getEncoded();
        }
    }

    /** Remembers the array that it handed out. */
    private static final class WatchedPublic extends X509EncodedKeySpec {
        private byte[] handedOut;

        WatchedPublic(byte[] encoded) {
            super(encoded);
        }

        @Override
        public byte[] getEncoded() {
            return handedOut = super.getEncoded();
        }
    }

    @Test
    void wipesTheArraysOfSpecifications() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM-768");
        Watched good = new Watched(Provided.privateKey("ML-KEM-768").getEncoded());
        factory.generatePrivate(good);
        assertArrayEquals(new byte[86], good.handedOut);
        Watched otherSet = new Watched(Provided.privateKey("ML-KEM-512").getEncoded());
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(otherSet));
        assertArrayEquals(new byte[86], otherSet.handedOut);
        Watched bad = new Watched(new byte[] {1, 2, 3});
        assertThrows(InvalidKeySpecException.class, () -> factory.generatePrivate(bad));
        assertArrayEquals(new byte[3], bad.handedOut);
        WatchedPublic publicSpec =
                new WatchedPublic(Provided.publicKey("ML-KEM-768").getEncoded());
        factory.generatePublic(publicSpec);
        assertArrayEquals(new byte[1206], publicSpec.handedOut);
    }

    @Test
    void writesSpecifications() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        KeyPair pair = Provided.pair("ML-KEM");
        EncodedKeySpec x509 = factory.getKeySpec(pair.getPublic(), X509EncodedKeySpec.class);
        assertArrayEquals(pair.getPublic().getEncoded(), x509.getEncoded());
        EncodedKeySpec pkcs8 = factory.getKeySpec(pair.getPrivate(), PKCS8EncodedKeySpec.class);
        assertArrayEquals(pair.getPrivate().getEncoded(), pkcs8.getEncoded());
        assertInstanceOf(X509EncodedKeySpec.class, factory.getKeySpec(pair.getPublic(), EncodedKeySpec.class));
        assertInstanceOf(PKCS8EncodedKeySpec.class, factory.getKeySpec(pair.getPrivate(), KeySpec.class));
    }

    @Test
    void refusesToWriteOtherSpecifications() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        KeyPair pair = Provided.pair("ML-KEM");
        MlKemPrivateKey destroyed = Provided.privateKey("ML-KEM");
        destroyed.destroy();
        assertThrows(
                InvalidKeySpecException.class, () -> factory.getKeySpec(pair.getPublic(), PKCS8EncodedKeySpec.class));
        assertThrows(
                InvalidKeySpecException.class, () -> factory.getKeySpec(pair.getPrivate(), X509EncodedKeySpec.class));
        assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(pair.getPublic(), RSAPublicKeySpec.class));
        assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(pair.getPublic(), null));
        assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(null, X509EncodedKeySpec.class));
        assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(destroyed, PKCS8EncodedKeySpec.class));
        Key rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPublic();
        assertThrows(InvalidKeySpecException.class, () -> factory.getKeySpec(rsa, X509EncodedKeySpec.class));
    }

    @Test
    void translatesKeysByTheirEncoding() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        KeyPair pair = Provided.pair("ML-KEM-768");
        assertSame(pair.getPublic(), factory.translateKey(pair.getPublic()));
        assertSame(pair.getPrivate(), factory.translateKey(pair.getPrivate()));
        byte[] x509 = pair.getPublic().getEncoded(), pkcs8 = pair.getPrivate().getEncoded();
        assertEquals(pair.getPublic(), factory.translateKey(GivenKey.ofPublic("X.509", x509)));
        assertEquals(pair.getPrivate(), factory.translateKey(GivenKey.ofPrivate("PKCS#8", pkcs8)));
        assertArrayEquals(pair.getPublic().getEncoded(), x509, "a public array is left as it was");
        assertArrayEquals(new byte[86], pkcs8, "a private array is wiped");
    }

    @Test
    void refusesToTranslateOtherKeys() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        KeyPair pair = Provided.pair("ML-KEM"),
                rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        MlKemPrivateKey destroyed = Provided.privateKey("ML-KEM");
        destroyed.destroy();
        Key[] others = {
            null,
            destroyed,
            rsa.getPublic(),
            rsa.getPrivate(),
            new SecretKeySpec(new byte[32], "ML-KEM"),
            GivenKey.ofPublic(null, null),
            GivenKey.ofPrivate(null, null),
            GivenKey.ofPublic("X.509", null),
            GivenKey.ofPrivate("PKCS#8", null),
            GivenKey.ofPublic("RAW", pair.getPublic().getEncoded()),
            GivenKey.ofPrivate("RAW", pair.getPrivate().getEncoded()),
            GivenKey.ofPublic("X.509", pair.getPrivate().getEncoded()),
            GivenKey.ofPrivate("PKCS#8", pair.getPublic().getEncoded()),
        };
        for (Key key : others) {
            String message = assertThrows(InvalidKeyException.class, () -> factory.translateKey(key))
                    .getMessage();
            assertFalse(message.isBlank());
        }
    }

    private static byte[] changed(byte[] der, Random random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(der.length + 40) : der.length;
        byte[] other = Arrays.copyOf(der, length);
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && length > 0; i++) {
            int near = random.nextBoolean() ? Math.min(length, 40) : length;
            other[random.nextInt(near)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }

    private static void readsOrRefuses(KeyFactory factory, byte[] der) throws Exception {
        try {
            assertNotNull(factory.generatePrivate(new PKCS8EncodedKeySpec(der)).getEncoded());
        } catch (InvalidKeySpecException refused) {
            assertInstanceOf(InvalidKeyException.class, refused.getCause());
        }
        try {
            assertNotNull(factory.generatePublic(new X509EncodedKeySpec(der)).getEncoded());
        } catch (InvalidKeySpecException refused) {
            assertInstanceOf(InvalidKeyException.class, refused.getCause());
        }
        try {
            assertNotNull(factory.translateKey(GivenKey.ofPrivate("PKCS#8", der)));
        } catch (InvalidKeyException refused) {
            assertNotNull(refused.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void readsOrRefusesWhateverBytesCome(String set) throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        Random random = new Random(20);
        KeyPair pair = Provided.pair(set);
        for (int round = 0; round < 200; round++) {
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                readsOrRefuses(factory, changed(((MlKemPrivateKey) pair.getPrivate()).getEncoded(format), random));
            }
            readsOrRefuses(factory, changed(pair.getPublic().getEncoded(), random));
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            readsOrRefuses(factory, noise);
        }
        readsOrRefuses(factory, new byte[0]);
        readsOrRefuses(factory, new byte[100_000]);
    }
}
