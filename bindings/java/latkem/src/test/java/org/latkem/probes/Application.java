// The use of latkem by an application in a server. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.concurrent.Callable;
import javax.crypto.KEM;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;
import org.latkem.jca.LatkemProvider;

/** Uses the plain API and the provider, closes one key of several, and says whether both sides agreed. */
public final class Application implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
        return plain() && provided();
    }

    private static boolean plain() throws Exception {
        KemKeyPair forgotten = ParameterSet.SABER.generateKeyPair();
        try (KemKeyPair pair = ParameterSet.ML_KEM_768.generateKeyPair()) {
            boolean agree = true;
            for (int i = 0; i < 3; i++) {
                Encapsulation made = pair.encapsulationKey().encapsulate();
                agree &= Arrays.equals(
                        made.sharedSecret(), pair.decapsulationKey().decapsulate(made.ciphertext()));
            }
            return agree && !forgotten.decapsulationKey().isClosed();
        }
    }

    private static boolean provided() throws Exception {
        Security.insertProviderAt(new LatkemProvider(), 1);
        try {
            KeyPair pair = KeyPairGenerator.getInstance("ML-KEM").generateKeyPair();
            PKCS8EncodedKeySpec file = new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded());
            KEM kem = KEM.getInstance("ML-KEM");
            KEM.Encapsulated made = kem.newEncapsulator(pair.getPublic()).encapsulate();
            KEM.Decapsulator reader =
                    kem.newDecapsulator(KeyFactory.getInstance("ML-KEM").generatePrivate(file));
            return made.key().equals(reader.decapsulate(made.encapsulation()));
        } finally {
            Security.removeProvider(LatkemProvider.NAME);
        }
    }
}
