// The JVM's own check of native code has nothing to say. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.latkem.probes.EveryCall;
import org.latkem.probes.FirstUse;
import org.latkem.testing.ChildJvm;

class CheckedJniTest {
    @Test
    void findsNothingInAnyCall() throws Exception {
        ChildJvm.Result result = new ChildJvm().with("-Xcheck:jni").run(EveryCall.class);
        assertEquals("done", result.output().strip());
        assertEquals(0, result.status());
    }

    @Test
    void findsNothingInManyThreads() throws Exception {
        ChildJvm.Result result = new ChildJvm().with("-Xcheck:jni").run(FirstUse.class);
        assertEquals("fine=16", result.output().strip());
    }
}
