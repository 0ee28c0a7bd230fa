// Any scheme by Bouncy Castle's lightweight interface. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.util.function.Function;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.AsymmetricCipherKeyPairGenerator;
import org.bouncycastle.crypto.EncapsulatedSecretExtractor;
import org.bouncycastle.crypto.EncapsulatedSecretGenerator;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.latkem.ParameterSet;

/** Key objects that are kept, or made from bytes in each operation. */
final class BouncyCastleKem implements Kem {
    /** The differences between the schemes. */
    static final class Scheme {
        AsymmetricCipherKeyPairGenerator keys;
        EncapsulatedSecretGenerator encapsulator;
        Function<AsymmetricKeyParameter, EncapsulatedSecretExtractor> decapsulator;
        Function<byte[], AsymmetricKeyParameter> publicKey;
        Function<byte[], AsymmetricKeyParameter> privateKey;
        Function<AsymmetricKeyParameter, byte[]> publicBytes;
        Function<AsymmetricKeyParameter, byte[]> privateBytes;
    }

    private final Scheme scheme;
    private final boolean bytes;
    private final AsymmetricCipherKeyPair pair;
    private final byte[] ek;
    private final byte[] dk;
    private final byte[] ciphertext;
    private final byte[] secret;

    private BouncyCastleKem(Scheme scheme, boolean bytes) {
        this.scheme = scheme;
        this.bytes = bytes;
        pair = scheme.keys.generateKeyPair();
        ek = scheme.publicBytes.apply(pair.getPublic());
        dk = scheme.privateBytes.apply(pair.getPrivate());
        SecretWithEncapsulation made = scheme.encapsulator.generateEncapsulated(pair.getPublic());
        ciphertext = made.getEncapsulation();
        secret = made.getSecret();
    }

    /** Null where Bouncy Castle has no such set, or has it in another interface. */
    static Kem of(ParameterSet set, boolean bytes) {
        Scheme scheme = BouncyCastleSchemes.of(set);
        return scheme == null ? null : new BouncyCastleKem(scheme, bytes);
    }

    @Override
    public Object generateKeyPair() {
        AsymmetricCipherKeyPair made = scheme.keys.generateKeyPair();
        if (!bytes) {
            return made;
        }
        Sink.last = scheme.publicBytes.apply(made.getPublic());
        return scheme.privateBytes.apply(made.getPrivate());
    }

    @Override
    public Object encapsulate() {
        AsymmetricKeyParameter key = bytes ? scheme.publicKey.apply(ek) : pair.getPublic();
        SecretWithEncapsulation made = scheme.encapsulator.generateEncapsulated(key);
        Sink.last = made.getEncapsulation();
        return made.getSecret();
    }

    @Override
    public byte[] decapsulate() {
        AsymmetricKeyParameter key = bytes ? scheme.privateKey.apply(dk) : pair.getPrivate();
        return scheme.decapsulator.apply(key).extractSecret(ciphertext);
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }
}
