/* Rounds and turns. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.latkem.ParameterSet;

class StudyTest {
    private static final List<ParameterSet> SETS = List.of(ParameterSet.ML_KEM_512, ParameterSet.LIGHTSABER);

    /** Takes no time in C, and notes what was asked. */
    private final List<String> asked = new ArrayList<>();

    private final CTimer timer = new CTimer() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public double meanMs(ParameterSet set, Step step, int repetitions) {
            asked.add(set + " " + step.key() + " " + repetitions);
            return 0;
        }
    };

    @Test
    void setsTakeTurnsInEachRound() throws GeneralSecurityException {
        List<Integer> turns = new ArrayList<>();
        List<Result> results = new Study(SETS, 3, 5, timer).run((done, all) -> turns.add(10 * done + all));
        assertEquals(List.of(16, 26, 36, 46, 56, 66), turns.subList(turns.size() - 6, turns.size()));
        assertEquals(6, results.size());
        assertEquals(3, results.get(0).rounds().length);
        assertEquals(
                List.of(
                        "ML-KEM-512 keygen 5",
                        "ML-KEM-512 encrypt 5",
                        "ML-KEM-512 decrypt 5",
                        "LightSaber keygen 5",
                        "LightSaber encrypt 5",
                        "LightSaber decrypt 5"),
                asked.subList(0, 6));
        assertEquals(18, asked.size());
    }

    @Test
    void theShareIsWhatCDoesNotTake() throws GeneralSecurityException {
        for (Result result : new Study(SETS, 2, 1, timer).run((done, all) -> true)) {
            assertEquals(result.inJava().median(), result.shareMs());
        }
    }

    @Test
    void withoutATimerThereIsNoC() throws GeneralSecurityException {
        Result result = new Study(SETS, 1, 1, null).run((done, all) -> true).get(0);
        assertNull(result.inC());
        assertTrue(Double.isNaN(result.shareMs()));
    }

    @Test
    void itStopsWhereItIsTold() throws GeneralSecurityException {
        List<Integer> turns = new ArrayList<>();
        assertEquals(List.of(), new Study(SETS, 30, 1, null).run((done, all) -> {
                    turns.add(done);
                    return done < 3;
                }));
        assertEquals(3, turns.get(turns.size() - 1));
    }

    @Test
    void itStopsBeforeTheFirstRound() throws GeneralSecurityException {
        assertEquals(List.of(), new Study(SETS, 1, 1, null).run((done, all) -> false));
        assertTrue(asked.isEmpty());
    }

    @Test
    void nothingIsNotMeasured() {
        assertThrows(IllegalArgumentException.class, () -> new Study(SETS, 0, 1, null));
        assertThrows(IllegalArgumentException.class, () -> new Study(SETS, 1, 0, null));
    }
}
