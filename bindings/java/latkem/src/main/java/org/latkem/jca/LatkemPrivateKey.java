/* Private keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.security.Security;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import org.latkem.DecapsulationKey;
import org.latkem.EncapsulationKey;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.PrivateKeyFormat;

/**
 * A private key: the plain API's, with an encoding. Its public half distinguishes keys, also after they are destroyed.
 */
final class LatkemPrivateKey implements MlKemPrivateKey {
    static final String FORMAT = "PKCS#8";
    private static final String PROPERTY = "latkem.pkcs8";
    private static final long serialVersionUID = 1;

    private final transient DecapsulationKey key;
    private final transient EncapsulationKey publicHalf;

    LatkemPrivateKey(KemKeyPair pair) {
        this.key = pair.decapsulationKey();
        this.publicHalf = pair.encapsulationKey();
    }

    @Override
    public String getAlgorithm() {
        return Accepted.ANY.algorithm;
    }

    @Override
    public String getFormat() {
        return isDestroyed() ? null : FORMAT;
    }

    @Override
    public byte[] getEncoded() {
        PrivateKeyFormat format = key.hasSeed() ? chosenFormat() : PrivateKeyFormat.EXPANDED;
        try {
            return KeyFormats.pkcs8(key, format);
        } catch (IllegalStateException destroyed) {
            return null;
        }
    }

    @Override
    public byte[] getEncoded(PrivateKeyFormat format) {
        return KeyFormats.pkcs8(key, format);
    }

    private static PrivateKeyFormat chosenFormat() {
        String chosen = System.getProperty(PROPERTY, Security.getProperty(PROPERTY));
        if (chosen == null) {
            return PrivateKeyFormat.SEED;
        }
        for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
            if (format.name().equals(chosen.trim().toUpperCase(Locale.ROOT))) {
                return format;
            }
        }
        throw new IllegalArgumentException("the property " + PROPERTY + " is '" + chosen + "', not one of "
                + Arrays.toString(PrivateKeyFormat.values()));
    }

    @Override
    public NamedParameterSpec getParams() {
        return new NamedParameterSpec(key.parameterSet().toString());
    }

    @Override
    public DecapsulationKey decapsulationKey() {
        return key;
    }

    @Override
    public void destroy() {
        key.close();
    }

    @Override
    public boolean isDestroyed() {
        return key.isClosed();
    }

    /** The same decapsulation key, with a seed or without. A destroyed key equals itself alone. */
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof LatkemPrivateKey
                && publicHalf.equals(((LatkemPrivateKey) other).publicHalf)
                && hasSameBytes((LatkemPrivateKey) other);
    }

    private boolean hasSameBytes(LatkemPrivateKey other) {
        byte[] mine = {}, others = {};
        try {
            mine = key.toBytes();
            others = other.key.toBytes();
            return MessageDigest.isEqual(mine, others);
        } catch (IllegalStateException destroyed) {
            return false;
        } finally {
            Arrays.fill(mine, (byte) 0);
            Arrays.fill(others, (byte) 0);
        }
    }

    @Override
    public int hashCode() {
        return publicHalf.hashCode();
    }

    @Override
    public String toString() {
        return key.parameterSet() + " private key";
    }

    private Object writeReplace() throws NotSerializableException {
        byte[] encoded = getEncoded();
        if (encoded == null) {
            throw new NotSerializableException(this + ": it is destroyed");
        }
        try {
            return new KeyRep(KeyRep.Type.PRIVATE, getAlgorithm(), FORMAT, encoded);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("keys are serialised as java.security.KeyRep");
    }
}
