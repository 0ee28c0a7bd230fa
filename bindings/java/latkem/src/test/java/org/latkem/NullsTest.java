// A null argument is a NullPointerException, in every call. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

class NullsTest {
    private static final ParameterSet SET = ParameterSet.ML_KEM_768;
    private static final byte[] EK = new byte[SET.encapsulationKeyBytes()];
    private static final byte[] DK = new byte[SET.decapsulationKeyBytes()];
    private static final byte[] CT = new byte[SET.ciphertextBytes()];
    private static final byte[] SS = new byte[SET.sharedSecretBytes()];
    private static final byte[] COINS = new byte[SET.coinsBytes()];

    @TestFactory
    Stream<DynamicTest> ofArrays() {
        return List.<Executable>of(
                        () -> SET.generateKeyPair(null),
                        () -> SET.keyPairFromSeed(null),
                        () -> SET.encapsulationKey(null),
                        () -> SET.decapsulationKey(null),
                        () -> SET.encapsulate(null),
                        () -> SET.decapsulate(null, CT),
                        () -> SET.decapsulate(DK, null),
                        () -> Derandomized.encapsulate(null, EK, COINS),
                        () -> Derandomized.encapsulate(SET, null, COINS),
                        () -> Derandomized.encapsulate(SET, EK, null),
                        () -> Batch.generateKeyPairs(null, 1, EK, DK),
                        () -> Batch.generateKeyPairs(SET, 1, null, DK),
                        () -> Batch.generateKeyPairs(SET, 1, EK, null),
                        () -> Batch.encapsulate(null, 1, CT, SS, EK),
                        () -> Batch.encapsulate(SET, 1, null, SS, EK),
                        () -> Batch.encapsulate(SET, 1, CT, null, EK),
                        () -> Batch.encapsulate(SET, 1, CT, SS, null),
                        () -> Batch.decapsulate(null, 1, SS, CT, DK),
                        () -> Batch.decapsulate(SET, 1, null, CT, DK),
                        () -> Batch.decapsulate(SET, 1, SS, null, DK),
                        () -> Batch.decapsulate(SET, 1, SS, CT, null),
                        () -> KeyFormats.x509(null),
                        () -> KeyFormats.fromX509(null),
                        () -> KeyFormats.pkcs8(null, PrivateKeyFormat.SEED),
                        () -> KeyFormats.fromPkcs8(null))
                .stream()
                .map(call -> DynamicTest.dynamicTest("null", () -> assertThrows(NullPointerException.class, call)));
    }

    @Test
    void ofObjects() {
        try (KemKeyPair pair = SET.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            DecapsulationKey key = pair.decapsulationKey();
            assertThrows(NullPointerException.class, () -> key.decapsulate(null));
            assertThrows(NullPointerException.class, () -> KeyFormats.pkcs8(key, null));
            assertThrows(
                    NullPointerException.class, () -> pair.encapsulationKey().encapsulate(null));
            assertThrows(NullPointerException.class, () -> made.sharedSecretKey(null));
        }
    }
}
