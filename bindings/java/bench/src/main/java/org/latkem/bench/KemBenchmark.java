// The benchmarks of JMH in tiers that make key pairs too. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** All three operations. */
@State(Scope.Thread)
public abstract class KemBenchmark extends KeyedBenchmark {
    /**
     * Makes a key pair.
     *
     * @return the result
     * @throws Exception as the library does
     */
    @Benchmark
    public Object keygen() throws Exception {
        return kem.generateKeyPair();
    }
}
