// One version: the library's, the C header's and the POM's. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.latkem.testing.Vectors;

class VersionTest {
    @Test
    void isThatOfTheHeader() throws IOException {
        assertEquals(found("include/latkem/latkem.h", "#define LATKEM_VERSION \"(.+)\""), Latkem.version());
    }

    @Test
    void isThatOfEveryPom() throws IOException {
        String pattern = "latkem-parent</artifactId>\\s*<version>(.+)</version>";
        String parent = "bindings/java/pom.xml";
        assertEquals(found(parent, pattern), Latkem.version());
        Matcher module = Pattern.compile("<module>(.+)</module>").matcher(read(parent));
        while (module.find()) {
            assertEquals(found("bindings/java/" + module.group(1) + "/pom.xml", pattern), Latkem.version());
        }
    }

    private static String found(String file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(read(file));
        assertTrue(matcher.find(), () -> file + " has no " + pattern);
        return matcher.group(1);
    }

    private static String read(String file) throws IOException {
        return Files.readString(Vectors.repository().resolve(file));
    }
}
