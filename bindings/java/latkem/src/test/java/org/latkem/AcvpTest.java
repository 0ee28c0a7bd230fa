// NIST's ACVP cases of ML-KEM. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.testing.Vectors;

class AcvpTest {
    @Test
    void keyGeneration() throws Exception {
        for (JsonObject test : tests("ML-KEM-keyGen-FIPS203")) {
            try (KemKeyPair pair = fromSeed(test)) {
                assertArrayEquals(
                        Vectors.bytes(test, "ek"), pair.encapsulationKey().toBytes(), test::toString);
                assertArrayEquals(
                        Vectors.bytes(test, "dk"), pair.decapsulationKey().toBytes(), test::toString);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1"})
    void encapsulationAndDecapsulation(String folder) throws Exception {
        for (JsonObject test : tests(folder)) {
            switch (test.get("function").getAsString()) {
                case "encapsulation" -> encapsulation(test);
                case "decapsulation" -> decapsulation(test);
                case "encapsulationKeyCheck" -> assertEquals(passes(test), takesEk(test), test::toString);
                case "decapsulationKeyCheck" -> assertEquals(passes(test), takesDk(test), test::toString);
                default -> throw new AssertionError("a function that this test does not know: " + test);
            }
        }
    }

    private static void encapsulation(JsonObject test) throws Exception {
        try (Encapsulation made =
                Derandomized.encapsulate(set(test), Vectors.bytes(test, "ek"), Vectors.bytes(test, "m"))) {
            assertArrayEquals(Vectors.bytes(test, "c"), made.ciphertext(), test::toString);
            assertArrayEquals(Vectors.bytes(test, "k"), made.sharedSecret(), test::toString);
        }
    }

    private static void decapsulation(JsonObject test) throws Exception {
        boolean fromSeed =
                test.has("keyFormat") && test.get("keyFormat").getAsString().equals("seed");
        try (DecapsulationKey key =
                fromSeed ? fromSeed(test).decapsulationKey() : set(test).decapsulationKey(Vectors.bytes(test, "dk"))) {
            assertArrayEquals(Vectors.bytes(test, "k"), key.decapsulate(Vectors.bytes(test, "c")), test::toString);
        }
    }

    private static boolean takesEk(JsonObject test) {
        try {
            set(test).encapsulationKey(Vectors.bytes(test, "ek"));
            return true;
        } catch (InvalidKeyException e) {
            return false;
        }
    }

    private static boolean takesDk(JsonObject test) {
        try {
            set(test).decapsulationKey(Vectors.bytes(test, "dk")).close();
            return true;
        } catch (InvalidKeyException e) {
            return false;
        }
    }

    private static KemKeyPair fromSeed(JsonObject test) throws InvalidKeyException {
        ByteBuffer seed = ByteBuffer.allocate(64).put(Vectors.bytes(test, "d")).put(Vectors.bytes(test, "z"));
        return set(test).keyPairFromSeed(seed.array());
    }

    private static boolean passes(JsonObject test) {
        return test.get("testPassed").getAsBoolean();
    }

    private static ParameterSet set(JsonObject test) {
        return ParameterSet.of(test.get("parameterSet").getAsString());
    }

    private static Iterable<JsonObject> tests(String folder) throws Exception {
        return Vectors.tests(Vectors.json("acvp/" + folder + "/internalProjection.json"));
    }
}
