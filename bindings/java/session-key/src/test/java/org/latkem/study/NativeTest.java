/* The bare C calls, timed from Java. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.ParameterSet;

class NativeTest {
    @BeforeAll
    static void load() {
        Native.load();
        Native.load();
    }

    @ParameterizedTest
    @EnumSource
    void everyStepOfEverySetTakesTime(ParameterSet set) {
        for (Step step : Step.values()) {
            assertTrue(Native.timer(null).meanMs(set, step, 3) > 0, step.key());
        }
    }

    @Test
    void portableTakesLongerThanNothing() {
        assertTrue(Native.timer("portable").meanMs(ParameterSet.SABER, Step.KEYGEN, 100) > 0);
    }

    @Test
    void theClockStandsWhileTheThreadSleeps() throws InterruptedException {
        long began = Native.timer(null).nanos();
        Thread.sleep(300);
        assertTrue(Native.timer(null).nanos() - began < 100_000_000);
    }

    @Test
    void theClockRunsWhileTheThreadWorks() {
        long began = Native.timer(null).nanos();
        double ms = Native.timer(null).meanMs(ParameterSet.SABER, Step.KEYGEN, 100);
        assertTrue(Native.timer(null).nanos() - began > 100 * ms);
    }

    @Test
    void namesAndNumbersAreChecked() {
        refused("Sabre", null, 0, 1);
        refused("Saber", "frob", 0, 1);
        refused("Saber", null, -1, 1);
        refused("Saber", null, 3, 1);
        refused("Saber", null, 0, 0);
        refused(null, null, 0, 1);
        refused("S".repeat(1000), null, 0, 1);
        refused("Saber", "p".repeat(1000), 0, 1);
    }

    private static void refused(String set, String backend, int step, int repetitions) {
        assertThrows(IllegalArgumentException.class, () -> Native.nanoseconds(set, backend, step, repetitions));
    }

    @Test
    void theJarHasAPlaceForEachSystem() {
        assertEquals(
                "/org/latkem/study/native/linux-aarch64/" + System.mapLibraryName("latkem_study"),
                Native.resource("Linux", "aarch64"));
        assertTrue(Native.resource("Mac OS X", "aarch64").contains("/macos-aarch64/"));
        assertTrue(Native.resource("Windows 11", "amd64").contains("/windows-x86_64/"));
    }
}
