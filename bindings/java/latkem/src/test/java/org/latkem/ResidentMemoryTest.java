// The process does not grow with the number of operations. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.probes.ManyOperations;
import org.latkem.probes.Overflows;
import org.latkem.testing.ChildJvm;

class ResidentMemoryTest {
    /** Less than 90 bytes for each operation; the JVM's own code and tables grow by about a third of that. */
    private static final long KILOBYTES = 8192;

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

    /** A call that fails for want of stack after native memory was made loses none of it. */
    @ParameterizedTest
    @ValueSource(strings = {"generate", "read"})
    void failuresLoseNothing(String how) throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .with("-Xmx48m", "-Xms48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .with("-XX:-StackTraceInThrowable")
                .run(Overflows.class, how);
        List<String> lines = result.output().lines().toList();
        assertEquals("failed=true", lines.get(0), result.output());
        long growth = Long.parseLong(lines.get(1).replace("growth=", ""));
        assertTrue(growth < KILOBYTES / 8, () -> growth + " KB more after calls that failed");
    }

    private static void compare(String set, String closing, int operations) throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .with("-Xmx48m", "-Xms48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .run(ManyOperations.class, set, Integer.toString(operations), closing);
        assertEquals(0, result.status(), result.output());
        long growth = Long.parseLong(result.output().strip().replace("growth=", ""));
        assertTrue(growth < KILOBYTES, () -> growth + " KB more after " + operations + " operations");
    }
}
