// Shared secrets of altered ciphertexts: implicit rejection of every set. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.NistEntry;
import org.latkem.testing.Vectors;

class AlteredCiphertextsTest {
    @ParameterizedTest
    @EnumSource
    void giveTheSecretsOfTheOfficialCode(ParameterSet set) throws Exception {
        JsonObject file = Vectors.json("decaps_altered/" + Vectors.referenceName(set.toString()) + ".json");
        List<NistEntry> entries = NistEntry.first(10, set);
        for (JsonObject test : Vectors.objects(file, "tests")) {
            NistEntry entry = entries.get(test.get("count").getAsInt());
            byte[] ct = altered(entry.ct(), test);
            byte[] ss = Vectors.bytes(test, "ss");
            assertArrayEquals(ss, set.decapsulate(entry.dk(), ct), test::toString);
            try (DecapsulationKey key = set.decapsulationKey(entry.dk())) {
                assertArrayEquals(ss, key.decapsulate(ct), test::toString);
            }
        }
    }

    private static byte[] altered(byte[] original, JsonObject test) {
        byte[] ct = original.clone();
        switch (test.get("op").getAsString()) {
            case "flip_bit" -> {
                int bit = test.get("bit").getAsInt();
                ct[bit >> 3] ^= (byte) (1 << (bit & 7));
            }
            case "replace" -> ct = HexFormat.of().parseHex(test.get("ct").getAsString());
            case "all_zero" -> Arrays.fill(ct, (byte) 0);
            case "all_ones" -> Arrays.fill(ct, (byte) 0xff);
            default -> throw new AssertionError("an alteration that this test does not know: " + test);
        }
        return ct;
    }
}
