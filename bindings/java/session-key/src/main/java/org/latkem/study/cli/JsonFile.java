/* A run as JSON: the form of the C program session_key, and more. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import org.latkem.Latkem;
import org.latkem.study.Machine;
import org.latkem.study.Result;
import org.latkem.study.Statistics;

/** The output of {@code --json}; all times are ms. */
final class JsonFile {
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private final JsonObject tree = new JsonObject();

    JsonFile(Machine machine, String backend, int rounds, int repetitions, List<Result> results) {
        tree.addProperty("language", "java");
        tree.addProperty("version", Latkem.version());
        tree.addProperty("emulated", machine.emulated());
        tree.add("machine", GSON.toJsonTree(machine.facts()));
        tree.addProperty("jvm", Machine.jvm());
        tree.addProperty("backend", backend);
        boolean withC = results.get(0).inC() != null;
        tree.addProperty("clock", withC ? "processor time of the thread" : "time of day");
        tree.addProperty("rounds", rounds);
        tree.addProperty("repetitions", repetitions);
        JsonArray rows = new JsonArray();
        results.forEach(result -> rows.add(row(result, machine.emulated())));
        tree.add("results", rows);
    }

    JsonObject tree() {
        return tree;
    }

    String text() {
        return GSON.toJson(tree) + "\n";
    }

    private static JsonObject row(Result result, boolean emulated) {
        JsonObject row = new JsonObject();
        row.addProperty("set", result.set());
        row.addProperty("backend", result.backend());
        row.addProperty("step", result.step().key());
        addTimes(row, "", result.inJava());
        if (result.inC() != null) {
            addTimes(row, "c_", result.inC());
            row.addProperty("java_share_ms", rounded(result.shareMs()));
        }
        row.addProperty("emulated", emulated);
        return row;
    }

    private static void addTimes(JsonObject row, String prefix, Statistics times) {
        row.addProperty(prefix + "min_ms", rounded(times.min()));
        row.addProperty(prefix + "mean_ms", rounded(times.mean()));
        row.addProperty(prefix + "max_ms", rounded(times.max()));
        row.addProperty(prefix + "median_ms", rounded(times.median()));
        row.addProperty(prefix + "q1_ms", rounded(times.q1()));
        row.addProperty(prefix + "q3_ms", rounded(times.q3()));
    }

    /** To tenths of a nanosecond. */
    private static double rounded(double ms) {
        return Math.round(ms * 1e7) / 1e7;
    }
}
