// C2SP/CCTV's cases of ML-KEM. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.InvalidKeyException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.Vectors;

class CctvTest {
    /** Sampling one entry of the matrix takes more bytes of the XOF than three blocks give. */
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_512", "ML_KEM_1024"})
    void unluckySampling(ParameterSet set) throws Exception {
        Map<String, byte[]> values = values("cctv/unluckysample/" + set + ".txt");
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        seed.writeBytes(values.get("d"));
        seed.writeBytes(values.get("z"));
        try (KemKeyPair pair = set.keyPairFromSeed(seed.toByteArray());
                Encapsulation made = Derandomized.encapsulate(set, values.get("ek"), values.get("m"))) {
            assertArrayEquals(values.get("ek"), pair.encapsulationKey().toBytes());
            assertArrayEquals(values.get("dk"), pair.decapsulationKey().toBytes());
            assertArrayEquals(values.get("c"), made.ciphertext());
            assertArrayEquals(values.get("K"), made.sharedSecret());
        }
    }

    /**
     * A ciphertext with a re-encryption that differs from it behind a zero byte, so that comparing strings would accept
     * it.
     */
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_512", "ML_KEM_1024"})
    void comparisonBehindAZeroByte(ParameterSet set) throws Exception {
        Map<String, byte[]> values = values("cctv/strcmp/" + set + ".txt");
        assertArrayEquals(values.get("K"), set.decapsulate(values.get("dk"), values.get("c")));
    }

    /** Encapsulation keys with one coefficient that is not reduced. */
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_512", "ML_KEM_1024"})
    void keysThatAreNotReduced(ParameterSet set) throws Exception {
        List<String> keys = Vectors.lines("cctv/modulus/" + set + ".txt");
        assertFalse(keys.isEmpty());
        for (String key : keys) {
            byte[] ek = HexFormat.of().parseHex(key.strip());
            assertThrows(InvalidKeyException.class, () -> set.encapsulationKey(ek), key);
            assertThrows(InvalidKeyException.class, () -> set.encapsulate(ek), key);
        }
    }

    private static Map<String, byte[]> values(String name) throws IOException {
        return Vectors.lines(name).stream()
                .map(line -> line.split(" = "))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(
                        parts -> parts[0], parts -> HexFormat.of().parseHex(parts[1])));
    }
}
