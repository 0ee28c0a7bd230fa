// Arrays of every wrong length are refused. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import java.security.InvalidKeyException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.Refusals;

class LengthsTest {
    @ParameterizedTest
    @EnumSource
    void ofSeeds(ParameterSet set) {
        Refusals.everyWrongLength(InvalidKeyException.class, set, set.seedBytes(), set::keyPairFromSeed);
    }

    @ParameterizedTest
    @EnumSource
    void ofEncapsulationKeys(ParameterSet set) {
        int right = set.encapsulationKeyBytes();
        byte[] coins = new byte[set.coinsBytes()];
        Refusals.everyWrongLength(InvalidKeyException.class, set, right, set::encapsulationKey);
        Refusals.everyWrongLength(InvalidKeyException.class, set, right, set::encapsulate);
        Refusals.everyWrongLength(
                InvalidKeyException.class, set, right, ek -> Derandomized.encapsulate(set, ek, coins));
    }

    @ParameterizedTest
    @EnumSource
    void ofDecapsulationKeys(ParameterSet set) {
        int right = set.decapsulationKeyBytes();
        byte[] ct = new byte[set.ciphertextBytes()];
        Refusals.everyWrongLength(InvalidKeyException.class, set, right, set::decapsulationKey);
        Refusals.everyWrongLength(InvalidKeyException.class, set, right, dk -> set.decapsulate(dk, ct));
    }

    @ParameterizedTest
    @EnumSource
    void ofCiphertexts(ParameterSet set) {
        int right = set.ciphertextBytes();
        try (KemKeyPair pair = set.generateKeyPair()) {
            DecapsulationKey key = pair.decapsulationKey();
            byte[] dk = key.toBytes();
            Refusals.everyWrongLength(InvalidCiphertextException.class, set, right, key::decapsulate);
            Refusals.everyWrongLength(InvalidCiphertextException.class, set, right, ct -> set.decapsulate(dk, ct));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofCoins(ParameterSet set) {
        try (KemKeyPair pair = set.generateKeyPair()) {
            byte[] ek = pair.encapsulationKey().toBytes();
            Refusals.everyWrongLength(
                    IllegalArgumentException.class,
                    set,
                    set.coinsBytes(),
                    coins -> Derandomized.encapsulate(set, ek, coins));
        }
    }
}
