/* Keys from their encodings, and back. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import org.latkem.DecapsulationKey;
import org.latkem.EncapsulationKey;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/** Reads keys, writes them, and makes keys of other providers its own by their encoding. */
final class MlKemKeyFactory extends KeyFactorySpi {
    /** The format of keys that are bytes as FIPS 203 has them. */
    private static final String RAW = "RAW";

    private final Accepted accepted;

    MlKemKeyFactory(Accepted accepted) {
        this.accepted = accepted;
    }

    @Override
    protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
        if (isRaw(spec)) {
            return read(spec, bytes -> rawPublic(setOfRaw(null), bytes));
        }
        if (!(spec instanceof X509EncodedKeySpec)) {
            throw unknownSpec("public", X509EncodedKeySpec.class);
        }
        return read(spec, this::readPublic);
    }

    @Override
    protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
        if (isRaw(spec)) {
            return read(spec, bytes -> rawPrivate(setOfRaw(null), bytes));
        }
        if (!(spec instanceof PKCS8EncodedKeySpec)) {
            throw unknownSpec("private", PKCS8EncodedKeySpec.class);
        }
        return read(spec, this::readPrivate);
    }

    private static boolean isRaw(KeySpec spec) {
        return spec instanceof EncodedKeySpec && RAW.equalsIgnoreCase(((EncodedKeySpec) spec).getFormat());
    }

    private static InvalidKeySpecException unknownSpec(String kind, Class<?> known) {
        return new InvalidKeySpecException("a " + kind + " key of ML-KEM is specified by " + known.getSimpleName());
    }

    /** How an encoding is read. */
    private interface Reader<K> {
        K read(byte[] encoded) throws InvalidKeyException;
    }

    /** Wipes the array that the specification hands out. */
    private static <K> K read(KeySpec spec, Reader<K> reader) throws InvalidKeySpecException {
        try {
            return readAndWipe(((EncodedKeySpec) spec).getEncoded(), reader);
        } catch (InvalidKeyException e) {
            throw new InvalidKeySpecException(e.getMessage(), e);
        }
    }

    private static <K> K readAndWipe(byte[] encodedOrNull, Reader<K> reader) throws InvalidKeyException {
        byte[] encoded = requireEncoding(encodedOrNull);
        try {
            return reader.read(encoded);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private static byte[] requireEncoding(byte[] encodedOrNull) throws InvalidKeyException {
        if (encodedOrNull == null) {
            throw new InvalidKeyException("the key has no encoding");
        }
        return encodedOrNull;
    }

    private LatkemPublicKey readPublic(byte[] encoded) throws InvalidKeyException {
        EncapsulationKey key = KeyFormats.fromX509(encoded);
        accepted.require(key.parameterSet());
        return new LatkemPublicKey(key);
    }

    private LatkemPrivateKey readPrivate(byte[] encoded) throws InvalidKeyException {
        return requireAccepted(KeyFormats.fromPkcs8(encoded));
    }

    /** A pair that is not accepted is closed. */
    private LatkemPrivateKey requireAccepted(KemKeyPair pair) throws InvalidKeyException {
        try {
            accepted.require(pair.parameterSet());
            return new LatkemPrivateKey(pair);
        } catch (InvalidKeyException e) {
            pair.close();
            throw e;
        }
    }

    @Override
    protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> specClass) throws InvalidKeySpecException {
        try {
            Key own = engineTranslateKey(key);
            if (specClass != null && specClass.isAssignableFrom(specOf(own))) {
                return specClass.cast(write(own));
            }
        } catch (InvalidKeyException e) {
            throw new InvalidKeySpecException(e.getMessage(), e);
        }
        throw new InvalidKeySpecException("keys of ML-KEM are given as X509EncodedKeySpec and PKCS8EncodedKeySpec");
    }

    private static Class<? extends EncodedKeySpec> specOf(Key key) {
        return key instanceof PublicKey ? X509EncodedKeySpec.class : PKCS8EncodedKeySpec.class;
    }

    private static EncodedKeySpec write(Key key) throws InvalidKeyException {
        return readAndWipe(
                key.getEncoded(), key instanceof PublicKey ? X509EncodedKeySpec::new : PKCS8EncodedKeySpec::new);
    }

    @Override
    protected Key engineTranslateKey(Key key) throws InvalidKeyException {
        if (key instanceof PublicKey) {
            return translate((PublicKey) key);
        }
        if (key instanceof PrivateKey) {
            return translate((PrivateKey) key);
        }
        throw new InvalidKeyException(
                key == null ? "the key is null" : "neither a public nor a private key, but " + key.getClass());
    }

    /** Returns the key itself if it is this provider's. */
    LatkemPublicKey translate(PublicKey key) throws InvalidKeyException {
        if (isRaw(key)) {
            return rawPublic(setOfRaw(key), requireEncoding(key.getEncoded()));
        }
        if (!(key instanceof LatkemPublicKey)) {
            return readPublic(requireEncoding(encodingOf(key, LatkemPublicKey.FORMAT)));
        }
        accepted.require(((LatkemPublicKey) key).encapsulationKey().parameterSet());
        return (LatkemPublicKey) key;
    }

    /** Returns the key itself if it is this provider's. */
    LatkemPrivateKey translate(PrivateKey key) throws InvalidKeyException {
        if (isRaw(key)) {
            return readAndWipe(key.getEncoded(), bytes -> rawPrivate(setOfRaw(key), bytes));
        }
        if (!(key instanceof LatkemPrivateKey)) {
            return readAndWipe(encodingOf(key, LatkemPrivateKey.FORMAT), this::readPrivate);
        }
        LatkemPrivateKey own = (LatkemPrivateKey) key;
        accepted.require(own.decapsulationKey().parameterSet());
        if (own.isDestroyed()) {
            throw new InvalidKeyException(own + ": it is destroyed");
        }
        return own;
    }

    private static boolean isRaw(Key key) {
        return key != null && RAW.equalsIgnoreCase(key.getFormat());
    }

    private LatkemPublicKey rawPublic(ParameterSet set, byte[] ek) throws InvalidKeyException {
        return new LatkemPublicKey(set.encapsulationKey(ek));
    }

    private LatkemPrivateKey rawPrivate(ParameterSet set, byte[] dk) throws InvalidKeyException {
        try (DecapsulationKey key = set.decapsulationKey(dk)) {
            return readAndWipe(KeyFormats.pkcs8(key, PrivateKeyFormat.EXPANDED), this::readPrivate);
        }
    }

    /** The set of bytes that do not name it: their key's parameters do, or its algorithm, or this factory's. */
    private ParameterSet setOfRaw(Key keyOrNull) throws InvalidKeyException {
        AlgorithmParameterSpec params = AsymmetricKeys.paramsOrNull(keyOrNull);
        ParameterSet set = params instanceof NamedParameterSpec
                ? accepted.setOrNull(params)
                : accepted.setOfAlgorithmOrNull(keyOrNull == null ? accepted.algorithm : keyOrNull.getAlgorithm());
        if (set == null) {
            throw new InvalidKeyException("a key in raw bytes, of no set that " + accepted.algorithm + " has");
        }
        return set;
    }

    private static byte[] encodingOf(Key key, String format) throws InvalidKeyException {
        if (key == null) {
            throw new InvalidKeyException("the key is null");
        }
        if (!format.equalsIgnoreCase(key.getFormat())) {
            throw new InvalidKeyException("a key of " + key.getAlgorithm() + " without an encoding in " + format);
        }
        return key.getEncoded();
    }
}
