// NIST's known answers of every set. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.NistEntry;
import org.latkem.testing.Vectors;

class KnownAnswersTest {
    /** The whole file is written again. Its digest is the official one, so that no file is needed. */
    @ParameterizedTest
    @EnumSource
    void writesTheFileOfNist(ParameterSet set) throws Exception {
        JsonObject kat = Vectors.spec(set.toString()).getAsJsonObject("kat");
        StringBuilder file = new StringBuilder("# " + kat.get("header").getAsString() + "\n\n");
        NistEntry.first(100, set).forEach(entry -> file.append(entry.text()));

        compareWithFile(set, file.toString());
        assertEquals(kat.get("rsp_sha256").getAsString(), sha256(file.toString()));
    }

    private static String sha256(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /** If the vectors have entries of the file, the message has the first line that differs. */
    private static void compareWithFile(ParameterSet set, String written) throws Exception {
        String name = Vectors.referenceName(set.toString()) + ".rsp";
        Path file = Path.of(System.getProperty("latkem.vectors", ""), "kat", name);
        if (Files.exists(file)) {
            List<String> expected = Files.readAllLines(file);
            assertEquals(expected, written.lines().limit(expected.size()).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void decapsulatesInEachWay(ParameterSet set) throws Exception {
        for (NistEntry entry : NistEntry.first(10, set)) {
            assertArrayEquals(entry.ss(), set.decapsulate(entry.dk(), entry.ct()));
            try (DecapsulationKey key = set.decapsulationKey(entry.dk())) {
                assertArrayEquals(entry.ss(), key.decapsulate(entry.ct()));
                assertArrayEquals(entry.dk(), key.toBytes());
            }
        }
    }
}
