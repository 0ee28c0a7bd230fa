// Memory holds no secret after it was closed. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.probes.Forgotten;
import org.latkem.probes.Secrets;
import org.latkem.testing.ChildJvm;

class SecretsInMemoryTest {
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "SABER", "NTRU_HPS_2048_677"})
    void areGoneAfterClose(ParameterSet set) throws Exception {
        areGone(set);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            names = {"ML_KEM_768", "SABER", "NTRU_HPS_2048_677"},
            mode = EnumSource.Mode.EXCLUDE)
    void ofOtherSetsAreGoneAfterClose(ParameterSet set) throws Exception {
        areGone(set);
    }

    /** No collector moves objects and leaves copies of them. */
    private static void areGone(ParameterSet set) throws Exception {
        ChildJvm jvm = new ChildJvm()
                .with("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx256m", "-Xlog:disable");
        boolean hasFiles = set.toString().startsWith("ML-KEM");
        compare(jvm.run(Secrets.class, set.toString()), hasFiles ? 13 : 11);
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "SABER", "NTRU_HPS_2048_677"})
    void ofForgottenKeysGoWithThem(ParameterSet set) throws Exception {
        ChildJvm jvm = new ChildJvm().with("-XX:+UseSerialGC", "-Xmn64m", "-Xmx128m");
        compare(jvm.run(Forgotten.class, set.toString()), 1);
    }

    /** Each line reports something that was found while it lived, and nothing left. */
    private static void compare(ChildJvm.Result result, int expected) {
        assertEquals(0, result.status(), result.output());
        List<String> lines = result.output().lines().toList();
        assertEquals(expected, lines.size(), result.output());
        assertAll(lines.stream().map(line -> () -> {
            assertFalse(line.contains("live=0"), () -> "the scan sees nothing: " + line);
            assertTrue(!line.contains("left=") || line.endsWith("left=0"), line);
        }));
    }
}
