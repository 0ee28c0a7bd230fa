/* Public keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.security.KeyRep;
import java.security.spec.NamedParameterSpec;
import org.latkem.EncapsulationKey;
import org.latkem.KeyFormats;

/** A public key: the plain API's, with an encoding. */
final class LatkemPublicKey implements MlKemPublicKey {
    static final String FORMAT = "X.509";
    private static final long serialVersionUID = 1;

    private final transient EncapsulationKey key;

    LatkemPublicKey(EncapsulationKey key) {
        this.key = key;
    }

    @Override
    public String getAlgorithm() {
        return Accepted.ANY.algorithm;
    }

    @Override
    public String getFormat() {
        return FORMAT;
    }

    @Override
    public byte[] getEncoded() {
        return KeyFormats.x509(key);
    }

    @Override
    public NamedParameterSpec getParams() {
        return new NamedParameterSpec(key.parameterSet().toString());
    }

    @Override
    public EncapsulationKey encapsulationKey() {
        return key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatkemPublicKey && key.equals(((LatkemPublicKey) other).key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return key.parameterSet() + " public key";
    }

    private Object writeReplace() {
        return new KeyRep(KeyRep.Type.PUBLIC, getAlgorithm(), FORMAT, getEncoded());
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("keys are serialised as java.security.KeyRep");
    }
}
