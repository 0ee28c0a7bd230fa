/* The table of a run. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.latkem.study.Machine;
import org.latkem.study.Result;
import org.latkem.study.Statistics;

/** Lines of at most 80 columns: a set, and a line for each of its steps. */
final class ResultTable {
    private static final String STATISTICS = "%-10s%8s%8s%8s%8s%8s%8s";
    private static final String C = "%8s %6s %5s";

    private ResultTable() {}

    static List<String> lines(Machine machine, int rounds, int repetitions, List<Result> results) {
        boolean withC = results.get(0).inC() != null;
        List<String> lines = new ArrayList<>();
        lines.add(machine.cpu() + ", " + Machine.system());
        lines.add(Machine.jvm() + ", latkem's backend " + results.get(0).backend());
        if (machine.emulated()) {
            lines.add("EMULATED by QEMU: these are not the times of any machine.");
        }
        lines.add("µs of one step: over " + rounds + " rounds, each the mean of " + repetitions + " repetitions");
        lines.add("");
        String head = String.format(STATISTICS, "", "min", "lower q", "median", "upper q", "max", "mean");
        lines.add((head + (withC ? String.format(C, "C", "share", "") : "")).stripTrailing());
        String set = "";
        for (Result result : results) {
            if (!set.equals(result.set())) {
                lines.add(result.set());
                set = result.set();
            }
            lines.add(line(result));
        }
        if (withC) {
            lines.add("");
            lines.add("C: the bare KEM call, median. Share: what Java adds to it (--help says what).");
        }
        return lines;
    }

    private static String line(Result result) {
        Statistics times = result.inJava();
        String statistics = String.format(
                STATISTICS,
                "  " + result.step().title(),
                micros(times.min()),
                micros(times.q1()),
                micros(times.median()),
                micros(times.q3()),
                micros(times.max()),
                micros(times.mean()));
        if (result.inC() == null) {
            return statistics;
        }
        String part = Math.round(100 * result.shareMs() / times.median()) + " %";
        return statistics + String.format(C, micros(result.inC().median()), micros(result.shareMs()), part);
    }

    /** Three digits or all those before the point, in µs. */
    static String micros(double ms) {
        double us = 1e3 * ms;
        int digits = Math.abs(us) < 9.995 ? 2 : Math.abs(us) < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f", us);
    }
}
