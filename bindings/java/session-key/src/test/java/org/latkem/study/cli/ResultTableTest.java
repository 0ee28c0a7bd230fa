/* The table of a run, line for line. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.latkem.study.MadeUp;

class ResultTableTest {
    private static List<String> lines(boolean withC, boolean emulated) {
        return ResultTable.lines(MadeUp.machine(emulated), 5, 100, MadeUp.results(withC));
    }

    @Test
    void withC() {
        assertEquals(
                String.join(
                        "\n",
                        "µs of one step: over 5 rounds, each the mean of 100 repetitions",
                        "",
                        "               min lower q  median upper q     max    mean       C  share",
                        "Saber",
                        "  key pair    10.0    15.0    20.0    25.0    40.0    22.0    10.0   10.0  50 %",
                        "  encrypt     20.0    30.0    40.0    50.0    80.0    44.0    20.0   20.0  50 %",
                        "  decrypt     15.0    22.5    30.0    37.5    60.0    33.0    15.0   15.0  50 %",
                        "",
                        "C: the bare KEM call, median. Share: what Java adds to it (--help says what)."),
                String.join("\n", lines(true, false).subList(2, 11)));
    }

    @Test
    void withoutC() {
        assertEquals(
                "  key pair    10.0    15.0    20.0    25.0    40.0    22.0",
                lines(false, false).get(6));
        assertEquals(9, lines(false, false).size());
    }

    @Test
    void emulationIsSaid() {
        assertEquals("aarch64 under QEMU", lines(true, true).get(0).split(",")[0]);
        assertTrue(lines(true, true).get(2).startsWith("EMULATED"));
    }

    @Test
    void linesFitATerminal() {
        for (String line : lines(true, true).subList(2, 12)) {
            assertTrue(line.length() <= 80, line);
        }
    }

    @Test
    void threeDigitsOrAllBeforeThePoint() {
        assertEquals(
                List.of("0.00", "9.99", "10.0", "99.9", "100", "12346"),
                Stream.of(0.0, 0.00999, 0.009996, 0.0999, 0.09999, 12.3456)
                        .map(ResultTable::micros)
                        .toList());
    }
}
