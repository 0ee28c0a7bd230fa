// Times latkem beside other libraries and beside its own C calls, in one JVM. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.latkem.Backend;
import org.latkem.Latkem;
import org.latkem.ParameterSet;

/** {@code Ratios [--quick] [--tier NAME,..] [--set NAME,..] [--json FILE]}: ratios are latkem's time by the other's. */
public final class Ratios {
    private static final List<String> QUICK_SETS = List.of("ML-KEM-768", "Saber", "NTRU-HPS-2048-677");
    private static final List<String> FAMILIES = List.of("ML-KEM", "Saber", "LightSaber", "FireSaber", "NTRU");

    private final Arguments arguments;
    private final List<Object> rows = new ArrayList<>();
    private final List<Object> ratios = new ArrayList<>();

    private Ratios(Arguments arguments) {
        this.arguments = arguments;
    }

    /**
     * Runs the program.
     *
     * @param words the command line; a wrong one ends the program with status 2
     * @throws Exception as the libraries do
     */
    public static void main(String[] words) throws Exception {
        Arguments arguments;
        try {
            arguments = Arguments.of(words);
        } catch (IllegalArgumentException error) {
            System.err.println(error.getMessage());
            System.exit(2);
            return;
        }
        new Ratios(arguments).run();
    }

    private void run() throws Exception {
        if (!BareC.isThere()) {
            System.out.println("no C calls beside: -Dlatkem.bare=FILE does not name liblatkem_bare.so");
        }
        Map<List<String>, Blocks> all = contests();
        for (int pass = 0; pass < 3; pass++) {
            for (Blocks blocks : all.values()) {
                blocks.warmUp(arguments.warmNanos() / 3, arguments.blockNanos());
            }
        }
        for (Map.Entry<List<String>, Blocks> entry : all.entrySet()) {
            entry.getValue().run(arguments.turns());
            note(entry.getKey(), entry.getValue());
        }
        write();
    }

    /** By tier, set and operation. */
    private Map<List<String>, Blocks> contests() throws Exception {
        Map<List<String>, Blocks> all = new LinkedHashMap<>();
        for (Tier tier : Tier.values()) {
            for (ParameterSet set : ParameterSet.values()) {
                if (wanted(tier, set)) {
                    addContests(all, tier, set);
                }
            }
        }
        return all;
    }

    private boolean wanted(Tier tier, ParameterSet set) {
        String name = set.toString();
        boolean known = FAMILIES.stream().anyMatch(family -> name.equals(family) || name.startsWith(family + "-"));
        boolean asked = arguments.sets().isEmpty()
                ? known && (!arguments.quick() || QUICK_SETS.contains(name))
                : arguments.sets().contains(name);
        boolean tiered = arguments.tiers().isEmpty() || arguments.tiers().contains(tier.toString());
        return asked && tiered && (set.isStandard() || !tier.standardOnly());
    }

    private static void addContests(Map<List<String>, Blocks> all, Tier tier, ParameterSet set) throws Exception {
        for (String library : tier.libraries()) {
            Optional<Kem> kem = Kems.find(library, tier, set);
            if (kem.isEmpty()) {
                continue;
            }
            for (Operation operation : tier.operations()) {
                List<String> key = List.of(tier.toString(), set.toString(), operation.toString());
                all.computeIfAbsent(key, unused -> new Blocks(operation))
                        .contestants
                        .add(new Blocks.Contestant(library, kem.get()));
            }
        }
    }

    private void note(List<String> key, Blocks blocks) {
        Blocks.Contestant own = blocks.contestants.get(0);
        for (Blocks.Contestant one : blocks.contestants) {
            Map<String, Object> row = row(key, "library", one.library);
            row.put("calls", one.calls);
            put(row, "_ns", Quartiles.of(one.times));
            rows.add(row);
            if (one != own) {
                ratios.add(ratio(row(key, "rival", one.library), own.times, one.times));
            }
        }
        System.out.println(line(key, blocks.contestants));
    }

    private static Map<String, Object> row(List<String> key, String role, String library) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("tier", key.get(0));
        row.put("set", key.get(1));
        row.put("operation", key.get(2));
        row.put(role, library);
        return row;
    }

    /** The ratio of the medians, and the quartiles of the ratios turn by turn. */
    private static Map<String, Object> ratio(Map<String, Object> row, List<Double> own, List<Double> other) {
        List<Double> turns = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            turns.add(own.get(i) / other.get(i));
        }
        put(row, "", Quartiles.of(turns));
        row.put("ratio", Quartiles.of(own).median() / Quartiles.of(other).median());
        return row;
    }

    private static void put(Map<String, Object> row, String unit, Quartiles quartiles) {
        row.put("q1" + unit, quartiles.q1());
        row.put("median" + unit, quartiles.median());
        row.put("q3" + unit, quartiles.q3());
    }

    private static String line(List<String> key, List<Blocks.Contestant> contestants) {
        StringBuilder text = new StringBuilder(String.format("%-40s", String.join(" ", key)));
        for (Blocks.Contestant one : contestants) {
            text.append(String.format(
                    "  %s %.2f", one.library, Quartiles.of(one.times).median() / 1e3));
        }
        return text.append(" µs").toString();
    }

    private void write() throws IOException {
        if (arguments.json() == null) {
            return;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("context", context());
        report.put("turns", arguments.turns());
        report.put("rows", rows);
        report.put("ratios", ratios);
        Files.writeString(Path.of(arguments.json()), Json.of(report) + "\n");
    }

    private static Map<String, Object> context() {
        Map<String, Object> context = new LinkedHashMap<>();
        context.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        context.put("latkem", Latkem.version());
        context.put("backend", Backend.name());
        context.put("bouncy_castle", new BouncyCastleProvider().getVersionStr());
        return context;
    }

    /** The command line. */
    record Arguments(boolean quick, List<String> tiers, List<String> sets, String json) {
        private static final String USAGE = "Ratios [--quick] [--tier NAME,..] [--set NAME,..] [--json FILE]";

        static Arguments of(String[] words) {
            Map<String, String> values = new LinkedHashMap<>();
            boolean quick = false;
            for (int i = 0; i < words.length; i++) {
                if (words[i].equals("--quick")) {
                    quick = true;
                } else if (List.of("--tier", "--set", "--json").contains(words[i]) && i + 1 < words.length) {
                    values.put(words[i], words[++i]);
                } else {
                    throw new IllegalArgumentException("not understood: " + words[i] + "\n" + USAGE);
                }
            }
            List<String> sets = names(values.get("--set"));
            List<String> tiers = names(values.get("--tier"));
            List<String> known =
                    Arrays.stream(Tier.values()).map(Tier::toString).toList();
            sets.forEach(ParameterSet::of);
            if (!known.containsAll(tiers)) {
                throw new IllegalArgumentException("the tiers are " + String.join(", ", known));
            }
            return new Arguments(quick, tiers, sets, values.get("--json"));
        }

        private static List<String> names(String value) {
            return value == null ? List.of() : Arrays.asList(value.split(","));
        }

        int turns() {
            return quick ? 11 : 41;
        }

        long warmNanos() {
            return quick ? 120_000_000L : 600_000_000L;
        }

        long blockNanos() {
            return quick ? 1_500_000L : 4_000_000L;
        }
    }
}
