// Makes every call of the plain API, the ones that fail too. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import org.latkem.Backend;
import org.latkem.Batch;
import org.latkem.DecapsulationKey;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.Latkem;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/** Prints {@code done} and nothing else; what watches the JVM may say more. */
public final class EveryCall {
    private EveryCall() {}

    private interface Call {
        void run() throws Exception;
    }

    /** Makes the calls for every set. */
    public static void main(String[] arguments) throws Exception {
        check(!Latkem.version().isEmpty(), "a version");
        for (String backend : Backend.available()) {
            Backend.use(backend);
        }
        Backend.use(null);
        fails(() -> Backend.use("none"));
        fails(() -> ParameterSet.of("none"));
        for (ParameterSet set : ParameterSet.values()) {
            objects(set);
            bytes(set);
            batches(set);
            mistakes(set);
        }
        System.gc();
        System.out.println("done");
    }

    private static void objects(ParameterSet set) throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        KemKeyPair neverClosed = set.generateKeyPair(random);
        byte[] seed = new byte[set.seedBytes()];
        random.nextBytes(seed);
        try (KemKeyPair pair = set.keyPairFromSeed(seed);
                DecapsulationKey key =
                        set.decapsulationKey(pair.decapsulationKey().toBytes());
                Encapsulation made = pair.encapsulationKey().encapsulate(random)) {
            same(made.sharedSecret(), key.decapsulate(made.ciphertext()));
            same(made.sharedSecret(), pair.decapsulationKey().decapsulate(made.ciphertext()));
            check(!pair.encapsulationKey().equals(neverClosed.encapsulationKey()), "keys differ");
            check(set.encapsulationKey(pair.encapsulationKey().toBytes()).hashCode() != 0, "a hash");
            if (set.toString().startsWith("ML-KEM")) {
                keyFiles(pair, seed);
            }
        }
    }

    private static void keyFiles(KemKeyPair pair, byte[] seed) throws GeneralSecurityException {
        check(KeyFormats.fromX509(KeyFormats.x509(pair.encapsulationKey())).equals(pair.encapsulationKey()), "x509");
        for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
            byte[] der = KeyFormats.pkcs8(pair.decapsulationKey(), format);
            KeyFormats.fromPkcs8(der).close();
            der[0] ^= 1;
            fails(() -> KeyFormats.fromPkcs8(der));
        }
        fails(() -> KeyFormats.fromX509(new byte[0]));
        same(pair.decapsulationKey().seed(), seed);
    }

    private static void bytes(ParameterSet set) throws GeneralSecurityException {
        try (KemKeyPair pair = set.generateKeyPair()) {
            byte[] ek = pair.encapsulationKey().toBytes();
            Encapsulation made = set.encapsulate(ek);
            same(made.sharedSecret(), set.decapsulate(pair.decapsulationKey().toBytes(), made.ciphertext()));
            Encapsulation derandomized = Derandomized.encapsulate(set, ek, new byte[set.coinsBytes()]);
            same(derandomized.sharedSecretKey("AES").getEncoded(), derandomized.sharedSecret());
        }
    }

    private static void batches(ParameterSet set) throws GeneralSecurityException {
        for (int n : new int[] {0, 1, 9}) {
            byte[] eks = new byte[n * set.encapsulationKeyBytes()];
            byte[] dks = new byte[n * set.decapsulationKeyBytes()];
            byte[] cts = new byte[n * set.ciphertextBytes()];
            byte[] sss = new byte[n * set.sharedSecretBytes()];
            byte[] others = new byte[n * set.sharedSecretBytes()];
            Batch.generateKeyPairs(set, n, eks, dks);
            Batch.encapsulate(set, n, cts, sss, eks);
            Batch.decapsulate(set, n, others, cts, dks);
            same(sss, others);
            fails(() -> Batch.decapsulate(set, n, others, cts, new byte[dks.length + 1]));
        }
    }

    private static void mistakes(ParameterSet set) {
        KemKeyPair pair = set.generateKeyPair();
        DecapsulationKey key = pair.decapsulationKey();
        fails(() -> key.decapsulate(new byte[1]));
        pair.close();
        fails(() -> key.decapsulate(new byte[set.ciphertextBytes()]));
        fails(key::toBytes);
        fails(() -> set.decapsulationKey(new byte[3]));
        fails(() -> set.decapsulationKey(null));
        fails(() -> set.encapsulationKey(new byte[3]));
        fails(() -> set.keyPairFromSeed(new byte[3]));
        fails(() -> set.generateKeyPair(new SecureRandom() {
            private static final long serialVersionUID = 1;

            @Override
            public void nextBytes(byte[] bytes) {
                throw new IllegalStateException("no entropy");
            }
        }));
    }

    private static void same(byte[] expected, byte[] actual) {
        check(Arrays.equals(expected, actual), "both sides agree");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    private static void fails(Call call) {
        try {
            call.run();
        } catch (Exception expected) {
            return;
        }
        throw new IllegalStateException("a call that must fail did not");
    }
}
