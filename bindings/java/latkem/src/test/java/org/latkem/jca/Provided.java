// The provider's services, as tests get them. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.KEM;
import org.latkem.KeyFormats;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/** The services, without an installed provider; and keys. */
final class Provided {
    static final LatkemProvider PROVIDER = new LatkemProvider();

    private Provided() {}

    static KeyPairGenerator generator(String algorithm) throws GeneralSecurityException {
        return KeyPairGenerator.getInstance(algorithm, PROVIDER);
    }

    static KeyFactory factory(String algorithm) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm, PROVIDER);
    }

    static KEM kem(String algorithm) throws GeneralSecurityException {
        return KEM.getInstance(algorithm, PROVIDER);
    }

    static KeyPair pair(String algorithm) throws GeneralSecurityException {
        return generator(algorithm).generateKeyPair();
    }

    static MlKemPublicKey publicKey(String algorithm) throws GeneralSecurityException {
        return (MlKemPublicKey) pair(algorithm).getPublic();
    }

    static MlKemPrivateKey privateKey(String algorithm) throws GeneralSecurityException {
        return (MlKemPrivateKey) pair(algorithm).getPrivate();
    }

    /** A private key that came from its expanded form, and so has no seed. */
    static MlKemPrivateKey withoutSeed(String algorithm) throws GeneralSecurityException {
        byte[] expanded = privateKey(algorithm).getEncoded(PrivateKeyFormat.EXPANDED);
        return new LatkemPrivateKey(KeyFormats.fromPkcs8(expanded));
    }

    static X509EncodedKeySpec specOfPublicKey(String algorithm) throws GeneralSecurityException {
        return new X509EncodedKeySpec(publicKey(algorithm).getEncoded());
    }

    /** The length of a private key's encoding. */
    static int bytes(String algorithm, PrivateKeyFormat format) {
        int dk = ParameterSet.of(algorithm).decapsulationKeyBytes();
        return format == PrivateKeyFormat.SEED ? 86 : format == PrivateKeyFormat.EXPANDED ? dk + 28 : dk + 98;
    }
}
