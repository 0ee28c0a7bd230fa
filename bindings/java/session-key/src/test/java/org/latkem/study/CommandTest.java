/* Sealed messages between Java and the latkem command, where -Dlatkem.command=FILE names it.
 * SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.ParameterSet;

class CommandTest {
    private static final String COMMAND = System.getProperty("latkem.command", "");

    @TempDir
    private Path folder;

    @BeforeAll
    static void theCommandIsThere() {
        boolean there = !COMMAND.isEmpty() && Files.isExecutable(Path.of(COMMAND));
        if (!there) {
            System.out.println("skipped: no latkem command; build it and give -Dlatkem.command=FILE");
        }
        assumeTrue(there, "no latkem command");
    }

    @ParameterizedTest
    @EnumSource
    void eachOpensWhatTheOtherSealed(ParameterSet set)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path ek = folder.resolve("ek");
        Path dk = folder.resolve("dk");
        Path plain = folder.resolve("plain");
        Path sealed = folder.resolve("sealed");
        Path opened = folder.resolve("opened");
        byte[] message = new byte[228];
        message[0] = 1;
        Files.write(plain, message);
        run("keygen", set, "--ek", ek, "--dk", dk);
        run("seal", set, "--ek", ek, "--in", plain, "--out", sealed);
        assertArrayEquals(message, new Sealer(set).open(Files.readAllBytes(dk), Files.readAllBytes(sealed)));
        Files.write(sealed, new Sealer(set).seal(Files.readAllBytes(ek), message));
        run("open", set, "--dk", dk, "--in", sealed, "--out", opened);
        assertArrayEquals(message, Files.readAllBytes(opened));
    }

    private void run(Object... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(COMMAND));
        for (Object argument : arguments) {
            line.add(argument.toString());
        }
        Path log = folder.resolve("log");
        int status = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertEquals(0, status, () -> line + ": " + readable(log));
    }

    private static String readable(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException error) {
            return error.toString();
        }
    }
}
