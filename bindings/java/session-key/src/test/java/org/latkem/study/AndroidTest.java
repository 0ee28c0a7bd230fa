/* The Android app compiles this package too: Java 8's library, no files of java.nio, and nothing of the command line.
 * SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AndroidTest {
    private static final Path SOURCES = Path.of("src/main/java/org/latkem/study");

    @TempDir
    private Path folder;

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void javaEightCompilesIt() throws IOException {
        List<String> line = new ArrayList<>(List.of(
                "--release",
                "8",
                "-Xlint:-options",
                "-proc:none",
                "-d",
                folder.toString(),
                "-sourcepath",
                folder.toString(),
                "-classpath",
                System.getProperty("java.class.path")));
        sources().forEach(file -> line.add(file.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, said, said, line.toArray(new String[0]));
        assertEquals(0, status, said.toString(StandardCharsets.UTF_8));
    }

    /** Not on a phone of Android 5: java.nio.file, streams, Duration; and not of use there: the command line. */
    @Test
    void androidFiveHasWhatItImports() throws IOException {
        assertTrue(sources().size() > 5);
        for (Path file : sources()) {
            String text = Files.readString(file);
            for (String missing : List.of(
                    "java.nio.file",
                    "java.util.stream",
                    ".stream()",
                    "java.time",
                    "java.util.function",
                    "java.util.Optional",
                    "getOrDefault(",
                    "putIfAbsent(",
                    "forEach(",
                    "org.latkem.study.cli",
                    "picocli",
                    "gson")) {
                assertFalse(text.contains(missing), file + ": " + missing);
            }
        }
    }
}
