/* Key pairs. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** Makes key pairs. Without a generator from the user the seed never is in a Java array. */
final class MlKemKeyPairGenerator extends KeyPairGeneratorSpi {
    private static final int SIZE_OF_THE_SET = -1;

    private final Accepted accepted;
    private ParameterSet set;
    private SecureRandom randomOrNull;

    MlKemKeyPairGenerator(Accepted accepted) {
        this.accepted = accepted;
        this.set = accepted.defaultSet();
    }

    /** As in the JDK's own generator the size -1 keeps the set and gives a generator of random bytes. */
    @Override
    public void initialize(int keysize, SecureRandom random) {
        if (keysize != SIZE_OF_THE_SET) {
            throw new InvalidParameterException(
                    accepted.algorithm + " has no key sizes; initialize it with a NamedParameterSpec");
        }
        randomOrNull = random;
    }

    @Override
    public void initialize(AlgorithmParameterSpec spec, SecureRandom random) throws InvalidAlgorithmParameterException {
        ParameterSet named = accepted.setOrNull(spec);
        if (named == null) {
            throw new InvalidAlgorithmParameterException(
                    accepted.algorithm + " needs a NamedParameterSpec with the name of its set");
        }
        set = named;
        randomOrNull = random;
    }

    @Override
    public KeyPair generateKeyPair() {
        KemKeyPair pair = randomOrNull == null ? set.generateKeyPair() : set.generateKeyPair(randomOrNull);
        return new KeyPair(new LatkemPublicKey(pair.encapsulationKey()), new LatkemPrivateKey(pair));
    }
}
