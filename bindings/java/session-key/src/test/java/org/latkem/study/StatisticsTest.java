/* Order statistics of rounds. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StatisticsTest {
    private static String text(double... ms) {
        Statistics of = Statistics.of(ms);
        return of.min() + " " + of.q1() + " " + of.median() + " " + of.q3() + " " + of.max() + " " + of.mean();
    }

    @Test
    void quartilesLieBetweenTheTwoNearestTimes() {
        assertEquals("1.0 1.75 2.5 3.25 4.0 2.5", text(4, 1, 3, 2));
        assertEquals("1.0 2.0 3.0 4.0 10.0 4.0", text(10, 1, 3, 2, 4));
    }

    @Test
    void oneRoundIsAllOfThem() {
        assertEquals("7.0 7.0 7.0 7.0 7.0 7.0", text(7));
    }

    @Test
    void theCallersArrayStaysAsItIs() {
        double[] ms = {3, 1, 2};
        Statistics.of(ms);
        assertEquals(3, ms[0]);
    }

    @Test
    void noRoundsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Statistics.of(new double[0]));
    }
}
