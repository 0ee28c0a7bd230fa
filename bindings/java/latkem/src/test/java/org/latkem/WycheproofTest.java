// Wycheproof's cases of ML-KEM. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.testing.Vectors;

class WycheproofTest {
    @ParameterizedTest
    @ValueSource(ints = {512, 1024})
    void keyGenerationFromSeeds(int size) throws Exception {
        for (JsonObject test : tests(size, "keygen_seed")) {
            assertTrue(isValid(test), test::toString);
            try (KemKeyPair pair = set(test).keyPairFromSeed(Vectors.bytes(test, "seed"))) {
                assertArrayEquals(
                        Vectors.bytes(test, "ek"), pair.encapsulationKey().toBytes(), test::toString);
                assertArrayEquals(
                        Vectors.bytes(test, "dk"), pair.decapsulationKey().toBytes(), test::toString);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1024})
    void encapsulation(int size) throws Exception {
        for (JsonObject test : tests(size, "encaps")) {
            byte[] ek = Vectors.bytes(test, "ek");
            Executable encapsulate = () -> encapsulate(test, ek);
            if (isValid(test)) {
                encapsulate(test, ek);
            } else {
                assertThrows(InvalidKeyException.class, encapsulate, test::toString);
                assertThrows(InvalidKeyException.class, () -> set(test).encapsulationKey(ek), test::toString);
            }
        }
    }

    private static void encapsulate(JsonObject test, byte[] ek) throws InvalidKeyException {
        try (Encapsulation made = Derandomized.encapsulate(set(test), ek, Vectors.bytes(test, "m"))) {
            assertArrayEquals(Vectors.bytes(test, "c"), made.ciphertext(), test::toString);
            assertArrayEquals(Vectors.bytes(test, "K"), made.sharedSecret(), test::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1024})
    void decapsulationWithExpandedKeys(int size) throws Exception {
        for (JsonObject test : tests(size, "semi_expanded_decaps")) {
            byte[] dk = Vectors.bytes(test, "dk");
            byte[] ct = Vectors.bytes(test, "c");
            if (isValid(test)) {
                assertArrayEquals(Vectors.bytes(test, "K"), set(test).decapsulate(dk, ct), test::toString);
            } else {
                Throwable refusal = assertThrows(
                        GeneralSecurityException.class, () -> set(test).decapsulate(dk, ct));
                assertNotNull(refusal.getMessage(), test::toString);
            }
        }
    }

    private static boolean isValid(JsonObject test) {
        return test.get("result").getAsString().equals("valid");
    }

    private static ParameterSet set(JsonObject test) {
        return ParameterSet.of(test.get("parameterSet").getAsString());
    }

    private static Iterable<JsonObject> tests(int size, String subject) throws Exception {
        return Vectors.tests(Vectors.json("wycheproof/mlkem_" + size + "_" + subject + "_test.json"));
    }
}
