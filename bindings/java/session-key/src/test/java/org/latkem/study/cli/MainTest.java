/* The command line: exit statuses, one line for what is wrong, files. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.latkem.Backend;
import org.latkem.Latkem;
import org.latkem.ParameterSet;

class MainTest {
    @TempDir
    private Path folder;

    private String out;
    private String err;

    private int run(String... arguments) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        int status = Main.run(arguments, new PrintStream(outBytes), new PrintStream(errBytes), "UTF-8");
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return status;
    }

    /** A short run; its options come before those given. */
    private int quick(String... more) {
        String[] arguments = new String[more.length + 6];
        List<String> head = List.of("--sets", "Saber,ML-KEM-512", "--rounds", "2", "--repetitions", "3");
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i < 6 ? head.get(i) : more[i - 6];
        }
        return run(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--sets Sabre | there is no set named \"Sabre\"",
                "--sets Saber,,ML-KEM-768 | there is no set named \"\"",
                "--sets saber | is Saber meant?",
                "--rounds 0 | --rounds must be 1 to 100000, not 0",
                "--repetitions 1000001 | --repetitions must be 1 to 1000000, not 1000001",
                "--rounds many | 'many' is not an int",
                "--backend frob | this machine has no backend named \"frob\", but portable",
                "--frob | Unknown option: '--frob'",
                "word | Unmatched argument at index 0: 'word'",
                "--json no-such-folder/x.json | no-such-folder/x.json cannot be written: there is no such folder",
                "--compare no-such-file | no-such-file does not exist",
                "--compare pom.xml | pom.xml is not JSON",
                "--compare a --compare b --compare c | --compare can be given once, or twice",
                "--compare a --compare b --csv c | there is nothing for --json or --csv to write",
            })
    void whatIsWrongIsSaidInOneLine(String arguments, String expected) {
        assertEquals(2, run(arguments.split(" ")));
        assertEquals("", out);
        assertTrue(err.startsWith("latkem-session-key: ") && err.contains(expected), err);
        assertEquals(1, err.lines().count(), err);
    }

    @Test
    void aFailureIsStatusOne() {
        assertEquals(1, quick("--json", folder.toString()));
        assertEquals(1, err.lines().count(), err);
    }

    @Test
    void helpTeaches() {
        assertEquals(0, run("--help"));
        assertEquals("", err);
        for (ParameterSet set : ParameterSet.values()) {
            assertTrue(out.contains(set.toString()), set.toString());
        }
        for (String word : List.of(
                "--sets",
                "--rounds",
                "--repetitions",
                "--backend",
                "--json",
                "--csv",
                "--compare",
                "Java's share",
                "JNI",
                "Exit status",
                "latkem open",
                "(default: 30)",
                "(default: 1000)")) {
            assertTrue(out.contains(word), word);
        }
        out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }

    @Test
    void versionIsTheLibrarys() {
        assertEquals(0, run("--version"));
        assertEquals("latkem-session-key " + Latkem.version(), out.strip());
    }

    @Test
    void aRunPrintsItsTableAndWritesItsFiles() throws IOException {
        Path json = folder.resolve("run.json");
        Path csv = folder.resolve("run.csv");
        assertEquals(0, quick("--json", json.toString(), "--csv", csv.toString(), "--backend", "portable"));
        assertEquals("", err);
        assertTrue(out.contains("over 2 rounds, each the mean of 3 repetitions"), out);
        JsonObject tree = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertEquals(6, tree.getAsJsonArray("results").size());
        assertEquals("portable", tree.get("backend").getAsString());
        assertTrue(tree.getAsJsonArray("results").get(0).getAsJsonObject().has("c_median_ms"));
        assertEquals(7, Files.readAllLines(csv).size());
        assertEquals("portable", Backend.name());
        Backend.use(null);
    }

    @Test
    void aRunStandsBesideAnotherAndTwoFilesBesideEachOther() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, quick("--json", json.toString()));
        assertFalse(out.contains("faster"), out);
        assertEquals(0, quick("--compare", json.toString()));
        assertTrue(out.contains("over 2 rounds") && out.contains("this run  faster"), out);
        assertEquals(0, run("--compare", json.toString(), "--compare", json.toString()));
        assertFalse(out.contains("over 2 rounds"), out);
        assertTrue(out.contains("not told apart"), out);
    }

    @Test
    void anEmulatedRunIsRefusedBeforeAnythingIsMeasured() throws IOException {
        Path json = folder.resolve("run.json");
        quick("--json", json.toString());
        String text = Files.readString(json);
        boolean emulated = text.contains("\"emulated\": true");
        Files.writeString(json, text.replace("\"emulated\": " + emulated, "\"emulated\": " + !emulated));
        assertEquals(2, quick("--compare", json.toString()));
        assertEquals("", out);
        assertTrue(err.contains("emulated times are not set beside real ones"), err);
    }
}
