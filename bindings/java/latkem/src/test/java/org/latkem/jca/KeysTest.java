// The provider's key objects. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.security.Key;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.KeyFormats;
import org.latkem.PrivateKeyFormat;

class KeysTest {
    private static final String PROPERTY = "latkem.pkcs8";

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
        Security.setProperty(PROPERTY, "SEED");
        Security.removeProvider(LatkemProvider.NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void sayWhatTheyAre(String set) throws Exception {
        KeyPair pair = Provided.pair(set);
        MlKemPublicKey publicKey = (MlKemPublicKey) pair.getPublic();
        MlKemPrivateKey privateKey = (MlKemPrivateKey) pair.getPrivate();
        assertEquals("ML-KEM", publicKey.getAlgorithm());
        assertEquals("ML-KEM", privateKey.getAlgorithm());
        assertEquals("X.509", publicKey.getFormat());
        assertEquals("PKCS#8", privateKey.getFormat());
        assertEquals(set, publicKey.getParams().getName());
        assertEquals(set, privateKey.getParams().getName());
        assertEquals(set, publicKey.encapsulationKey().parameterSet().toString());
        assertEquals(set, privateKey.decapsulationKey().parameterSet().toString());
        assertEquals(set + " public key", publicKey.toString());
        assertEquals(set + " private key", privateKey.toString());
    }

    /** JDK 22 declares getParams in java.security.AsymmetricKey, with a wider type, and has a default that is null. */
    @Test
    void haveTheParametersOfAnAsymmetricKey() throws Exception {
        Class<?> declaring =
                Runtime.version().feature() >= 22 ? Class.forName("java.security.AsymmetricKey") : MlKemKey.class;
        KeyPair pair = Provided.pair("ML-KEM-512");
        for (Key key : new Key[] {pair.getPublic(), pair.getPrivate()}) {
            AlgorithmParameterSpec spec =
                    (AlgorithmParameterSpec) declaring.getMethod("getParams").invoke(key);
            assertEquals("ML-KEM-512", ((NamedParameterSpec) spec).getName());
        }
    }

    @Test
    void publicKeysAreEncodedAsX509() throws Exception {
        MlKemPublicKey key = Provided.publicKey("ML-KEM-768");
        assertEquals(1206, key.getEncoded().length);
        assertArrayEquals(KeyFormats.x509(key.encapsulationKey()), key.getEncoded());
        assertNotSame(key.getEncoded(), key.getEncoded());
    }

    private static void assertForm(PrivateKeyFormat expected, MlKemPrivateKey key) {
        assertEquals(Provided.bytes(key.getParams().getName(), expected), key.getEncoded().length);
        assertArrayEquals(KeyFormats.pkcs8(key.decapsulationKey(), expected), key.getEncoded());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void privateKeysAreEncodedAsTheirSeedIfTheyHaveOne(String set) throws Exception {
        assertForm(PrivateKeyFormat.SEED, Provided.privateKey(set));
        assertForm(PrivateKeyFormat.EXPANDED, Provided.withoutSeed(set));
    }

    @ParameterizedTest
    @EnumSource
    void privateKeysAreEncodedInTheFormOfTheirUsersChoice(PrivateKeyFormat format) throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-768");
        assertArrayEquals(KeyFormats.pkcs8(key.decapsulationKey(), format), key.getEncoded(format));
        assertEquals(Provided.bytes("ML-KEM-768", format), key.getEncoded(format).length);
    }

    @Test
    void withoutASeedThereIsOneForm() throws Exception {
        MlKemPrivateKey key = Provided.withoutSeed("ML-KEM-512");
        assertThrows(IllegalStateException.class, () -> key.getEncoded(PrivateKeyFormat.SEED));
        assertThrows(IllegalStateException.class, () -> key.getEncoded(PrivateKeyFormat.BOTH));
        assertThrows(NullPointerException.class, () -> key.getEncoded(null));
        assertNotNull(key.getEncoded(PrivateKeyFormat.EXPANDED));
    }

    @ParameterizedTest
    @CsvSource({"SEED,SEED", "EXPANDED,EXPANDED", "BOTH,BOTH", "expanded,EXPANDED", "' Both ',BOTH"})
    void propertiesChooseTheForm(String value, PrivateKeyFormat format) throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        Security.setProperty(PROPERTY, value);
        assertForm(format, key);
        assertForm(PrivateKeyFormat.EXPANDED, Provided.withoutSeed("ML-KEM-512"));
        Security.setProperty(PROPERTY, "SEED");
        System.setProperty(PROPERTY, value);
        assertForm(format, key);
        assertForm(PrivateKeyFormat.EXPANDED, Provided.withoutSeed("ML-KEM-512"));
    }

    @Test
    void theSystemPropertyComesBeforeTheSecurityProperty() throws Exception {
        Security.setProperty(PROPERTY, "EXPANDED");
        System.setProperty(PROPERTY, "BOTH");
        assertForm(PrivateKeyFormat.BOTH, Provided.privateKey("ML-KEM-512"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seeds", "ASN1"})
    void anUnknownFormIsNamed(String value) throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        System.setProperty(PROPERTY, value);
        String message =
                assertThrows(IllegalArgumentException.class, key::getEncoded).getMessage();
        assertTrue(message.contains(PROPERTY) && message.contains("'" + value + "'"), message);
    }

    @Test
    void destroyedKeysHaveNoEncoding() throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-768");
        assertFalse(key.isDestroyed());
        key.destroy();
        assertTrue(key.isDestroyed());
        assertTrue(key.decapsulationKey().isClosed());
        assertNull(key.getEncoded());
        assertNull(key.getFormat());
        assertEquals("ML-KEM", key.getAlgorithm());
        assertEquals("ML-KEM-768", key.getParams().getName());
        assertEquals("ML-KEM-768 private key", key.toString());
        for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
            assertThrows(IllegalStateException.class, () -> key.getEncoded(format));
        }
        key.destroy();
        assertTrue(key.isDestroyed());
    }

    @Test
    void closingTheKeyOfThePlainApiDestroysThisOne() throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        key.decapsulationKey().close();
        assertTrue(key.isDestroyed());
        assertNull(key.getEncoded());
    }

    @Test
    void areEqualIfTheirBytesAre() throws Exception {
        KeyPair pair = Provided.pair("ML-KEM-512"), other = Provided.pair("ML-KEM-512");
        PublicKey again =
                new LatkemPublicKey(KeyFormats.fromX509(pair.getPublic().getEncoded()));
        assertEquals(pair.getPublic(), again);
        assertEquals(pair.getPublic().hashCode(), again.hashCode());
        assertNotEquals(pair.getPublic(), other.getPublic());
        assertNotEquals(pair.getPublic(), null);
        assertNotEquals(pair.getPublic(), pair.getPrivate());
        Key same = new LatkemPrivateKey(KeyFormats.fromPkcs8(pair.getPrivate().getEncoded()));
        assertEquals(pair.getPrivate(), same);
        assertEquals(pair.getPrivate().hashCode(), same.hashCode());
        assertNotEquals(pair.getPrivate(), other.getPrivate());
        assertNotEquals(pair.getPrivate(), pair.getPublic());
    }

    /** z is drawn apart from d: two private keys may share their public key. */
    @Test
    void privateKeysOfOnePublicKeyMayDiffer() throws Exception {
        byte[] file = Provided.privateKey("ML-KEM-512").getEncoded();
        Key key = new LatkemPrivateKey(KeyFormats.fromPkcs8(file));
        file[file.length - 1] ^= 1;
        Key otherZ = new LatkemPrivateKey(KeyFormats.fromPkcs8(file));
        assertEquals(key.hashCode(), otherZ.hashCode());
        assertNotEquals(key, otherZ);
    }

    @Test
    void aDestroyedKeyEqualsItselfAlone() throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        Key same = new LatkemPrivateKey(KeyFormats.fromPkcs8(key.getEncoded()));
        int before = key.hashCode();
        key.destroy();
        assertEquals(key, key);
        assertEquals(before, key.hashCode());
        assertNotEquals(key, same);
        assertNotEquals(same, key);
    }

    private static byte[] serialise(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object deserialise(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void areSerialised(String set) throws Exception {
        Security.insertProviderAt(new LatkemProvider(), 1);
        KeyPair pair = Provided.pair(set);
        assertEquals(pair.getPublic(), deserialise(serialise(pair.getPublic())));
        MlKemPrivateKey again = (MlKemPrivateKey) deserialise(serialise(pair.getPrivate()));
        assertEquals(pair.getPrivate(), again);
        assertTrue(again.decapsulationKey().hasSeed());
        KeyPair both = (KeyPair) deserialise(serialise(pair));
        assertEquals(pair.getPrivate(), both.getPrivate());
        MlKemPrivateKey expanded = (MlKemPrivateKey) deserialise(serialise(Provided.withoutSeed(set)));
        assertFalse(expanded.decapsulationKey().hasSeed());
    }

    @Test
    void aDestroyedKeyIsNotSerialised() throws Exception {
        MlKemPrivateKey key = Provided.privateKey("ML-KEM-512");
        key.destroy();
        assertThrows(NotSerializableException.class, () -> serialise(key));
    }

    /** A stream that names the key's own class, as nobody writes but an attacker. */
    private static byte[] forged(Class<?> type) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(type.getName());
        out.writeLong(1);
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        return bytes.toByteArray();
    }

    @Test
    void noStreamMakesAKeyWithoutBytes() throws Exception {
        for (Class<?> type : new Class<?>[] {LatkemPublicKey.class, LatkemPrivateKey.class}) {
            byte[] stream = forged(type);
            assertThrows(InvalidObjectException.class, () -> deserialise(stream));
        }
    }
}
