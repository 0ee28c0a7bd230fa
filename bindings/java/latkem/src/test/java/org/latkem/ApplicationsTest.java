// Servers that load and unload applications. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.latkem.probes.Application;
import org.latkem.probes.Applications;
import org.latkem.probes.SharedLibrary;
import org.latkem.testing.ChildJvm;

class ApplicationsTest {
    @TempDir
    private Path folder;

    private static Path classesOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** The library as applications have it: its classes and native libraries in a jar. */
    private Path jar() throws Exception {
        Path classes = classesOf(Latkem.class), jar = folder.resolve("latkem.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                add(out, classes.relativize(each).toString(), each);
            }
        }
        return jar;
    }

    private static void add(JarOutputStream out, String name, Path file) throws IOException {
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
    }

    /** Two at a time have a library each; afterwards neither classes nor threads, memory or files stay. */
    @Test
    void applicationsComeAndGo() throws Exception {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        ChildJvm.Result result = new ChildJvm()
                .with("-Djava.io.tmpdir=" + temporary)
                .run(
                        Applications.class,
                        jar().toString(),
                        classesOf(Application.class).toString());
        List<String> expected = List.of("worked=9", "loaders=0", "threads=0", "libraries=0", "open=0", "files=0");
        assertEquals(expected, result.output().lines().toList(), result.output());
    }

    /** A server's own copy keeps no application, though one of them made the first call. */
    @Test
    void aSharedLibraryKeepsNoApplication() throws Exception {
        assertEquals(
                "loader=unloaded\n", new ChildJvm().run(SharedLibrary.class).output());
    }
}
