/* Two runs side by side: the study's table. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.latkem.study.Step;

/** Function, one machine, the other, their difference, which is faster. An ARM machine comes first. */
final class Comparison {
    private final Run one;
    private final Run other;

    /** An emulated run is not set beside a real one, nor runs that have no set in common: IllegalArgumentException. */
    Comparison(Run first, Run second) {
        boolean swapped = title(second).equals("ARM") && !title(first).equals("ARM");
        one = swapped ? second : first;
        other = swapped ? first : second;
        if (one.emulated() != other.emulated()) {
            throw new IllegalArgumentException(refusal(first.name(), first.emulated()));
        }
        if (one.rows().keySet().stream().noneMatch(other.rows()::containsKey)) {
            throw new IllegalArgumentException(first.name() + " and " + second.name() + " have no set in common");
        }
    }

    /** The reason why a real run is not compared with an emulated one. */
    static String refusal(String name, boolean emulated) {
        return name + " was measured " + (emulated ? "under QEMU" : "on a real machine") + " and the other run was not:"
                + " emulated times are not set beside real ones";
    }

    List<String> lines() {
        String left = column(one, other);
        String right = column(other, one);
        String difference = left + " − " + right;
        List<String> lines = new ArrayList<>();
        lines.add(difference + ": medians of the rounds in µs" + (one.emulated() ? ", EMULATED on both sides" : ""));
        int label = Math.max(left.length(), right.length());
        for (Run run : List.of(one, other)) {
            String column = run == one ? left : right;
            String file = column.equals(run.name()) ? "" : run.name() + ": ";
            lines.add(String.format("  %-" + label + "s  %s%s", column, file, run.machine()));
            lines.add(" ".repeat(4 + label) + run.software());
        }
        lines.add("");
        String format = "%-19s%" + width(left, 9) + "s%" + width(right, 9) + "s%" + width(difference, 11) + "s  %s";
        lines.add(String.format(format, "Function", left, right, difference, "faster"));
        addRows(lines, format, left, right);
        return lines;
    }

    private void addRows(List<String> lines, String format, String left, String right) {
        String set = "";
        for (Run.Key key : one.rows().keySet()) {
            Run.Row mine = one.rows().get(key);
            Run.Row theirs = other.rows().get(key);
            if (theirs == null) {
                continue;
            }
            if (!set.equals(key.set())) {
                set = key.set();
                lines.add(set);
            }
            double difference = mine.median() - theirs.median();
            String signed = (difference < 0 ? "−" : "+") + ResultTable.micros(Math.abs(difference));
            lines.add(String.format(
                    format,
                    "  " + stepTitle(key.step()),
                    ResultTable.micros(mine.median()),
                    ResultTable.micros(theirs.median()),
                    signed,
                    faster(mine, theirs, left, right)));
        }
    }

    /** Only runs with quartiles that do not meet differ. */
    private static String faster(Run.Row mine, Run.Row theirs, String left, String right) {
        if (mine.q1() <= theirs.q3() && theirs.q1() <= mine.q3()) {
            return "not told apart";
        }
        boolean first = mine.median() < theirs.median();
        double times = first ? theirs.median() / mine.median() : mine.median() / theirs.median();
        return String.format(Locale.ROOT, "%s, %.2f×", first ? left : right, times);
    }

    private static int width(String title, int least) {
        return Math.max(title.length() + 2, least);
    }

    private static String stepTitle(String key) {
        for (Step step : Step.values()) {
            if (step.key().equals(key)) {
                return step.title();
            }
        }
        return key;
    }

    /** The architecture as the study calls it, if the two differ in it; else the file. */
    private static String column(Run run, Run beside) {
        String title = title(run);
        return title.isEmpty() || title.equals(title(beside)) ? run.name() : title;
    }

    private static String title(Run run) {
        return switch (run.architecture()) {
            case "aarch64", "arm" -> "ARM";
            case "x86_64" -> "x64";
            default -> run.architecture();
        };
    }
}
