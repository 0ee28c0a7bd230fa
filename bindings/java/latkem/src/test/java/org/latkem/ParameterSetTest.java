// The sets and their facts, beside the repository's own table. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.testing.Vectors;

class ParameterSetTest {
    @Test
    void areThoseOfTheTableInItsOrder() throws Exception {
        String table = Files.readString(Vectors.repository().resolve("spec/sets.json"));
        List<String> names = Vectors.objects(JsonParser.parseString(table).getAsJsonObject(), "sets").stream()
                .map(row -> row.get("name").getAsString())
                .toList();
        assertEquals(
                names,
                Arrays.stream(ParameterSet.values()).map(ParameterSet::toString).toList());
    }

    @Test
    void areThoseOfTheLibraryInItsOrder() {
        NativeLibrary.load();
        for (ParameterSet set : ParameterSet.values()) {
            assertEquals(Native.setAt(set.ordinal()), set.toString());
        }
        assertNull(Native.setAt(ParameterSet.values().length), "the library has a set that Java has not");
    }

    @ParameterizedTest
    @EnumSource
    void haveTheFactsOfTheTable(ParameterSet set) throws Exception {
        JsonObject row = Vectors.spec(set.toString());
        JsonObject sizes = row.getAsJsonObject("sizes");
        assertEquals(row.get("level").getAsInt(), set.level());
        assertEquals(row.get("status").getAsString().equals("standard"), set.isStandard());
        assertEquals(sizes.get("ek").getAsInt(), set.encapsulationKeyBytes());
        assertEquals(sizes.get("dk").getAsInt(), set.decapsulationKeyBytes());
        assertEquals(sizes.get("ct").getAsInt(), set.ciphertextBytes());
        assertEquals(sizes.get("ss").getAsInt(), set.sharedSecretBytes());
        assertEquals(sizes.get("seed").getAsInt(), set.seedBytes());
        assertEquals(sizes.get("coins").getAsInt(), set.coinsBytes());
    }

    @ParameterizedTest
    @EnumSource
    void areFoundByTheirExactName(ParameterSet set) {
        String name = set.toString();
        assertSame(set, ParameterSet.of(name));
        for (String other : List.of(name + " ", " " + name, name + "\0", name.substring(1), name + "x")) {
            assertThrows(IllegalArgumentException.class, () -> ParameterSet.of(other), other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ml-kem-768", "ML_KEM_768", "ML-KEM", "X-Wing", "saber", "Kyber-512"})
    void otherNamesAreRefusedAndRepeated(String name) {
        Throwable thrown = assertThrows(IllegalArgumentException.class, () -> ParameterSet.of(name));
        assertTrue(thrown.getMessage().contains(name), thrown::getMessage);
    }

    @Test
    void noNameIsANullPointer() {
        assertThrows(NullPointerException.class, () -> ParameterSet.of(null));
    }
}
