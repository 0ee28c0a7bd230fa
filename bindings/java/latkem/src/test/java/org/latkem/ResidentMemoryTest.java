// The process does not grow with the number of operations. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.latkem.probes.ManyOperations;
import org.latkem.testing.ChildJvm;

class ResidentMemoryTest {
    /** Less than 90 bytes for each operation; the JVM's own code and tables grow by about a third of that. */
    private static final long KILOBYTES = 8192;

    private static final String[] FRUGAL = {
        "-Xmx48m", "-Xms48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"
    };

    @ParameterizedTest
    @CsvSource({"ML-KEM-768,true", "ML-KEM-768,false", "NTRU-HPS-2048-677,false"})
    void staysFlat(String set, String closing) throws Exception {
        compare(set, closing, 20_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "ML-KEM-768,true",
        "ML-KEM-768,false",
        "Saber,true",
        "Saber,false",
        "NTRU-HPS-2048-677,true",
        "NTRU-HPS-2048-677,false"
    })
    void staysFlatForHundredThousand(String set, String closing) throws Exception {
        compare(set, closing, 100_000);
    }

    /** Prints the growth after many names of backends. */
    static final class Names {
        public static void main(String[] arguments) throws IOException {
            long before = use(40_000);
            System.out.println("growth=" + (use(400_000) - before));
        }

        private static long use(int times) throws IOException {
            for (int i = 0; i < times; i++) {
                Backend.use("portable");
            }
            return ManyOperations.residentKilobytes();
        }
    }

    @Test
    void namesAreReleased() throws Exception {
        long growth = Long.parseLong(
                new ChildJvm().with(FRUGAL).run(Names.class).output().strip().replace("growth=", ""));
        assertTrue(growth < KILOBYTES, () -> growth + " KB more after names of backends");
    }

    private static void compare(String set, String closing, int operations) throws Exception {
        ChildJvm.Result result =
                new ChildJvm().with(FRUGAL).run(ManyOperations.class, set, Integer.toString(operations), closing);
        assertEquals(0, result.status(), result.output());
        long growth = Long.parseLong(result.output().strip().replace("growth=", ""));
        assertTrue(growth < KILOBYTES, () -> growth + " KB more after " + operations + " operations");
    }
}
