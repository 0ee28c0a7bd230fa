/* A run that is compared with another. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of a file.
 *
 * @param name of the file, or "this run"
 * @param architecture "aarch64", "x86_64"; empty where the file does not say, as that of the C program
 * @param machine its processor, as far as the file says
 * @param software virtual machine and backend, as far as the file says
 * @param emulated whether any of its rows was measured under an emulator
 * @param rows by set and step; of several backends the last, which is the fastest
 */
record Run(String name, String architecture, String machine, String software, boolean emulated, Map<Key, Row> rows) {
    /** Set and step, as the JSON names them. */
    record Key(String set, String step) {}

    /** Times in ms. */
    record Row(double median, double q1, double q3) {}

    static Run read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            return of(file.toString(), JsonParser.parseString(text).getAsJsonObject());
        } catch (JsonParseException
                | IllegalStateException
                | UnsupportedOperationException
                | NullPointerException
                | NumberFormatException error) {
            throw new IllegalArgumentException("is not JSON of " + Main.NAME + " or session_key", error);
        }
    }

    static Run of(String name, JsonObject json) {
        JsonObject machine = json.has("machine") ? json.getAsJsonObject("machine") : new JsonObject();
        Map<Key, Row> rows = new LinkedHashMap<>();
        boolean emulated = isEmulated(json);
        for (JsonElement element : json.getAsJsonArray("results")) {
            JsonObject row = element.getAsJsonObject();
            emulated |= isEmulated(row);
            rows.put(
                    new Key(text(row, "set"), text(row, "step")),
                    new Row(number(row, "median_ms"), number(row, "q1_ms"), number(row, "q3_ms")));
        }
        return new Run(
                name,
                optional(machine, "architecture"),
                describe(optional(machine, "cpu")),
                describe(json.has("jvm") ? text(json, "jvm") : "C", optional(json, "backend")),
                emulated,
                rows);
    }

    private static String describe(String... facts) {
        String known = Stream.of(facts).filter(fact -> !fact.isEmpty()).collect(Collectors.joining(", "));
        return known.isEmpty() ? "not told" : known;
    }

    private static boolean isEmulated(JsonObject object) {
        return object.has("emulated") && object.get("emulated").getAsBoolean();
    }

    private static String text(JsonObject object, String name) {
        return object.get(name).getAsString();
    }

    private static String optional(JsonObject object, String name) {
        return object.has(name) ? text(object, name) : "";
    }

    private static double number(JsonObject object, String name) {
        return object.get(name).getAsDouble();
    }
}
