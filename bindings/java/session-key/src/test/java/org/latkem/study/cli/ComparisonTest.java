/* Two runs side by side. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static Run run(String name, String architecture, boolean emulated, String set, double... ms) {
        Map<Run.Key, Run.Row> rows = new LinkedHashMap<>();
        String[] steps = {"keygen", "encrypt", "decrypt"};
        for (int i = 0; i < ms.length; i++) {
            rows.put(new Run.Key(set, steps[i]), new Run.Row(ms[i], 0.9 * ms[i], 1.1 * ms[i]));
        }
        return new Run(name, architecture, "CPU of " + name, "JVM", emulated, rows);
    }

    private static final Run ARM = run("phone.json", "aarch64", false, "Saber", 0.1, 0.2, 0.0205);
    private static final Run X64 = run("this run", "x86_64", false, "Saber", 0.025, 0.4, 0.02);

    private static final List<String> TABLE = List.of(
            "ARM − x64: medians of the rounds in µs",
            "  ARM  phone.json: CPU of phone.json",
            "       JVM",
            "  x64  this run: CPU of this run",
            "       JVM",
            "",
            "Function                 ARM      x64  ARM − x64  faster",
            "Saber",
            "  key pair               100     25.0      +75.0  x64, 4.00×",
            "  encrypt                200      400       −200  ARM, 2.00×",
            "  decrypt               20.5     20.0      +0.50  not told apart");

    @Test
    void armComesFirstWhicheverIsGivenFirst() {
        assertEquals(String.join("\n", TABLE), String.join("\n", new Comparison(ARM, X64).lines()));
        assertEquals(String.join("\n", TABLE), String.join("\n", new Comparison(X64, ARM).lines()));
    }

    @Test
    void filesAreNamedWhereTheArchitectureDoesNotTellThemApart() {
        List<String> lines = new Comparison(run("old.json", "x86_64", false, "Saber", 0.1), X64).lines();
        assertEquals("old.json − this run: medians of the rounds in µs", lines.get(0));
        assertTrue(lines.get(8).contains("this run, 4.00×"), lines.get(8));
        List<String> ofC = new Comparison(run("c.json", "", false, "Saber", 0.1), X64).lines();
        assertEquals("c.json − x64: medians of the rounds in µs", ofC.get(0));
    }

    @Test
    void emulatedIsNeverBesideReal() {
        Run emulated = run("qemu.json", "aarch64", true, "Saber", 1);
        for (Run[] pair : new Run[][] {{emulated, X64}, {X64, emulated}}) {
            Exception error = assertThrows(IllegalArgumentException.class, () -> new Comparison(pair[0], pair[1]));
            assertTrue(error.getMessage().contains("emulated times are not set beside real ones"), error.getMessage());
        }
        assertTrue(new Comparison(emulated, emulated).lines().get(0).endsWith("EMULATED on both sides"));
    }

    @Test
    void runsWithoutACommonSetAreRefused() {
        Run other = run("other.json", "aarch64", false, "ML-KEM-768", 1);
        assertThrows(IllegalArgumentException.class, () -> new Comparison(other, X64));
    }
}
