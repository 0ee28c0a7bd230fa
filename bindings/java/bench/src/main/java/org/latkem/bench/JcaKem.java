// ML-KEM of any security provider. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.KEM;
import org.latkem.ParameterSet;

/** The calls of {@code javax.crypto.KEM}, with keys as objects or as DER. */
abstract class JcaKem implements Kem {
    private final KeyPairGenerator generator;
    private final KEM kem;
    private final byte[] ciphertext;
    private final byte[] secret;

    private JcaKem(Provider provider, ParameterSet set, KeyPair pair) throws Exception {
        generator = generator(provider, set);
        kem = KEM.getInstance("ML-KEM", provider);
        KEM.Encapsulated made = kem.newEncapsulator(pair.getPublic()).encapsulate();
        ciphertext = made.encapsulation();
        secret = made.key().getEncoded();
    }

    private static KeyPairGenerator generator(Provider provider, ParameterSet set) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("ML-KEM", provider);
        generator.initialize(new NamedParameterSpec(set.toString()));
        return generator;
    }

    static JcaKem of(Provider provider, ParameterSet set, boolean encoded) throws Exception {
        KeyPair pair = generator(provider, set).generateKeyPair();
        return encoded ? new Encoded(provider, set, pair) : new Kept(provider, set, pair);
    }

    abstract PublicKey publicKey() throws Exception;

    abstract PrivateKey privateKey() throws Exception;

    @Override
    public Object generateKeyPair() {
        return generator.generateKeyPair();
    }

    @Override
    public Object encapsulate() throws Exception {
        return kem.newEncapsulator(publicKey()).encapsulate();
    }

    @Override
    public byte[] decapsulate() throws Exception {
        return kem.newDecapsulator(privateKey()).decapsulate(ciphertext).getEncoded();
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    private static final class Kept extends JcaKem {
        private final KeyPair pair;

        Kept(Provider provider, ParameterSet set, KeyPair pair) throws Exception {
            super(provider, set, pair);
            this.pair = pair;
        }

        @Override
        PublicKey publicKey() {
            return pair.getPublic();
        }

        @Override
        PrivateKey privateKey() {
            return pair.getPrivate();
        }
    }

    private static final class Encoded extends JcaKem {
        private final KeyFactory factory;
        private final byte[] x509;
        private final byte[] pkcs8;

        Encoded(Provider provider, ParameterSet set, KeyPair pair) throws Exception {
            super(provider, set, pair);
            factory = KeyFactory.getInstance("ML-KEM", provider);
            x509 = pair.getPublic().getEncoded();
            pkcs8 = pair.getPrivate().getEncoded();
        }

        @Override
        PublicKey publicKey() throws Exception {
            return factory.generatePublic(new X509EncodedKeySpec(x509));
        }

        @Override
        PrivateKey privateKey() throws Exception {
            return factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        }
    }
}
