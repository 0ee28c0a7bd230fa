// Shared secrets between two providers. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.KEM;

/** Two providers of ML-KEM, one of them latkem, which must understand each other. */
final class Exchange {
    private final Provider one;
    private final Provider other;

    Exchange(Provider one, Provider other) {
        this.one = one;
        this.other = other;
    }

    /** The first makes a key pair; the second reads it, and each decapsulates what the other encapsulated. */
    void run(String set, KeyPair pair, byte[] privateEncoding) throws GeneralSecurityException {
        KeyFactory reader = KeyFactory.getInstance(set, other);
        PublicKey publicKey =
                reader.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
        PrivateKey privateKey = reader.generatePrivate(new PKCS8EncodedKeySpec(privateEncoding));
        assertArrayEquals(pair.getPublic().getEncoded(), publicKey.getEncoded());
        agree(set, new KeyPair(publicKey, pair.getPrivate()), other, one);
        agree(set, new KeyPair(pair.getPublic(), privateKey), one, other);
    }

    /** A key object of the one, given to the other's KEM as it is. */
    static void agree(String set, KeyPair pair, Provider encapsulates, Provider decapsulates)
            throws GeneralSecurityException {
        KEM.Encapsulated made = KEM.getInstance(set, encapsulates)
                .newEncapsulator(pair.getPublic())
                .encapsulate();
        KEM.Decapsulator decapsulator = KEM.getInstance(set, decapsulates).newDecapsulator(pair.getPrivate());
        byte[] ct = made.encapsulation();
        byte[] ss = made.key().getEncoded();
        assertArrayEquals(ss, decapsulator.decapsulate(ct).getEncoded());
        ct[0] ^= 1;
        assertNotEquals(made.key(), decapsulator.decapsulate(ct));
    }

    /** Both refuse a changed ciphertext by the same secret, which z makes. */
    static void rejectAlike(String set, PrivateKey key, Provider its, PrivateKey same, Provider others)
            throws GeneralSecurityException {
        KEM.Decapsulator mine = KEM.getInstance(set, its).newDecapsulator(key);
        byte[] noise = new byte[mine.encapsulationSize()];
        noise[7] = 42;
        KEM.Decapsulator theirs = KEM.getInstance(set, others).newDecapsulator(same);
        assertArrayEquals(
                mine.decapsulate(noise).getEncoded(), theirs.decapsulate(noise).getEncoded());
    }

    static KeyPair pair(String set, Provider provider) throws GeneralSecurityException {
        return KeyPairGenerator.getInstance(set, provider).generateKeyPair();
    }
}
