// The choice of backend, and the versions. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.latkem.testing.NistEntry;

class BackendTest {
    @AfterEach
    void restore() {
        Backend.use(null);
    }

    @Test
    void eachMayBeUsedAndGivesTheSameAnswers() throws Exception {
        NistEntry expected = NistEntry.first(1, ParameterSet.ML_KEM_768).get(0);
        assertTrue(Backend.available().contains("portable"), Backend.available()::toString);
        for (String name : Backend.available()) {
            Backend.use(name);
            assertEquals(name, Backend.name());
            NistEntry entry = NistEntry.first(1, ParameterSet.ML_KEM_768).get(0);
            assertArrayEquals(expected.ct(), entry.ct(), name);
            assertArrayEquals(expected.ss(), ParameterSet.ML_KEM_768.decapsulate(entry.dk(), entry.ct()), name);
        }
    }

    /** A backend may change while a key lives: its expanded form is the same for all, or is made again. */
    @Test
    void keysOutliveAChange() throws Exception {
        for (ParameterSet set : ParameterSet.values()) {
            Backend.use("portable");
            try (KemKeyPair pair = set.generateKeyPair();
                    Encapsulation made = pair.encapsulationKey().encapsulate()) {
                pair.decapsulationKey().decapsulate(made.ciphertext());
                for (String name : Backend.available()) {
                    Backend.use(name);
                    assertArrayEquals(
                            made.sharedSecret(),
                            pair.decapsulationKey().decapsulate(made.ciphertext()),
                            set + " with " + name);
                    Encapsulation other = pair.encapsulationKey().encapsulate();
                    assertArrayEquals(
                            other.sharedSecret(), pair.decapsulationKey().decapsulate(other.ciphertext()));
                }
            }
        }
    }

    @Test
    void anUnknownOneIsRefusedAndTheChoiceStays() {
        List<String> available = Backend.available();
        Backend.use("portable");
        for (String unknown : List.of("", "Portable", "sse2", "portable ")) {
            Throwable thrown = assertThrows(IllegalArgumentException.class, () -> Backend.use(unknown));
            assertTrue(thrown.getMessage().contains(unknown), thrown::getMessage);
            assertEquals("portable", Backend.name());
        }
        Backend.use(null);
        assertEquals(available.get(available.size() - 1), Backend.name(), "the fastest is the library's choice");
    }

    @Test
    void theListCannotBeChanged() {
        List<String> names = Backend.available();
        assertThrows(UnsupportedOperationException.class, () -> names.add("x"));
    }
}
