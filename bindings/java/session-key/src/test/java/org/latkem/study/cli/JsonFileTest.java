/* The JSON: the shape of the C program's, and what is added. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.latkem.Latkem;
import org.latkem.study.MadeUp;

class JsonFileTest {
    private static final List<String> OF_C =
            List.of("set", "backend", "step", "min_ms", "mean_ms", "max_ms", "median_ms", "q1_ms", "q3_ms");

    private static JsonObject tree(boolean withC, boolean emulated) {
        return new JsonFile(MadeUp.machine(emulated), "swift", 5, 100, MadeUp.results(withC)).tree();
    }

    private static JsonObject row(JsonObject tree) {
        return tree.getAsJsonArray("results").get(0).getAsJsonObject();
    }

    @Test
    void headIsThatOfTheCProgramWithLanguageAndMachine() {
        JsonObject tree = tree(true, false);
        assertEquals(
                "[language, version, emulated, machine, jvm, backend, clock, rounds, repetitions, results]",
                tree.keySet().toString());
        assertEquals("java", tree.get("language").getAsString());
        assertEquals(Latkem.version(), tree.get("version").getAsString());
        assertEquals("processor time of the thread", tree.get("clock").getAsString());
        assertEquals("time of day", tree(false, false).get("clock").getAsString());
        assertEquals(5, tree.get("rounds").getAsInt());
        assertEquals(100, tree.get("repetitions").getAsInt());
        assertEquals(
                "[cpu, architecture, cores, system]",
                tree.getAsJsonObject("machine").keySet().toString());
    }

    @Test
    void rowsBeginAsThoseOfTheCProgram() {
        List<String> names = List.copyOf(row(tree(true, false)).keySet());
        assertEquals(OF_C, names.subList(0, 9));
        assertEquals(
                List.of(
                        "c_min_ms",
                        "c_mean_ms",
                        "c_max_ms",
                        "c_median_ms",
                        "c_q1_ms",
                        "c_q3_ms",
                        "java_share_ms",
                        "emulated"),
                names.subList(9, names.size()));
        assertEquals(
                "{\"set\":\"Saber\",\"backend\":\"swift\",\"step\":\"keygen\",\"min_ms\":0.01,\"mean_ms\":0.022,"
                        + "\"max_ms\":0.04,\"median_ms\":0.02,\"q1_ms\":0.015,\"q3_ms\":0.025,\"emulated\":false}",
                row(tree(false, false)).toString());
    }

    @Test
    void stepsHaveTheNamesOfTheCProgram() {
        List<String> steps = tree(true, false).getAsJsonArray("results").asList().stream()
                .map(row -> row.getAsJsonObject().get("step").getAsString())
                .toList();
        assertEquals(List.of("keygen", "encrypt", "decrypt"), steps);
    }

    @Test
    void everyRowOfAnEmulatedRunIsMarked() {
        JsonObject tree = tree(true, true);
        assertEquals(true, tree.get("emulated").getAsBoolean());
        tree.getAsJsonArray("results")
                .forEach(row ->
                        assertEquals(true, row.getAsJsonObject().get("emulated").getAsBoolean()));
    }
}
