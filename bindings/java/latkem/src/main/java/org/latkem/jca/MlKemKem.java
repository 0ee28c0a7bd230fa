/* Encapsulation and decapsulation, on JDKs that have javax.crypto.KEM. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.crypto.KEMSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.latkem.DecapsulationKey;
import org.latkem.Encapsulation;
import org.latkem.EncapsulationKey;
import org.latkem.InvalidCiphertextException;

/** ML-KEM for {@code javax.crypto.KEM}. Any number of threads may use the objects that it makes. */
final class MlKemKem implements KEMSpi {
    private final MlKemKeyFactory keys;

    MlKemKem(Accepted accepted) {
        this.keys = new MlKemKeyFactory(accepted);
    }

    @Override
    public EncapsulatorSpi engineNewEncapsulator(PublicKey key, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidAlgorithmParameterException, InvalidKeyException {
        requireNone(spec);
        return new Encapsulator(keys.translate(key).encapsulationKey(), random);
    }

    @Override
    public DecapsulatorSpi engineNewDecapsulator(PrivateKey key, AlgorithmParameterSpec spec)
            throws InvalidAlgorithmParameterException, InvalidKeyException {
        requireNone(spec);
        return new Decapsulator(keys.translate(key).decapsulationKey());
    }

    private static void requireNone(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
        if (spec != null) {
            throw new InvalidAlgorithmParameterException("ML-KEM takes no parameters beside its key");
        }
    }

    private static void requireSlice(int from, int to, String algorithm, int length) {
        Objects.requireNonNull(algorithm, "algorithm");
        Objects.checkFromToIndex(from, to, length);
    }

    /** Wipes the shared secret. */
    private static SecretKey slice(byte[] ss, int from, int to, String algorithm) {
        try {
            return new SecretKeySpec(ss, from, to - from, algorithm);
        } finally {
            Arrays.fill(ss, (byte) 0);
        }
    }

    private static final class Encapsulator implements EncapsulatorSpi {
        private final EncapsulationKey key;
        private final SecureRandom randomOrNull;

        Encapsulator(EncapsulationKey key, SecureRandom randomOrNull) {
            this.key = key;
            this.randomOrNull = randomOrNull;
        }

        @Override
        public KEM.Encapsulated engineEncapsulate(int from, int to, String algorithm) {
            requireSlice(from, to, algorithm, engineSecretSize());
            try (Encapsulation made = randomOrNull == null ? key.encapsulate() : key.encapsulate(randomOrNull)) {
                SecretKey secret = slice(made.sharedSecret(), from, to, algorithm);
                return new KEM.Encapsulated(secret, made.ciphertext(), null);
            }
        }

        @Override
        public int engineSecretSize() {
            return key.parameterSet().sharedSecretBytes();
        }

        @Override
        public int engineEncapsulationSize() {
            return key.parameterSet().ciphertextBytes();
        }
    }

    private static final class Decapsulator implements DecapsulatorSpi {
        private final DecapsulationKey key;

        Decapsulator(DecapsulationKey key) {
            this.key = key;
        }

        @Override
        public SecretKey engineDecapsulate(byte[] ct, int from, int to, String algorithm) throws DecapsulateException {
            requireSlice(from, to, algorithm, engineSecretSize());
            try {
                return slice(key.decapsulate(ct), from, to, algorithm);
            } catch (InvalidCiphertextException e) {
                throw new DecapsulateException(e.getMessage(), e);
            }
        }

        @Override
        public int engineSecretSize() {
            return key.parameterSet().sharedSecretBytes();
        }

        @Override
        public int engineEncapsulationSize() {
            return key.parameterSet().ciphertextBytes();
        }
    }
}
