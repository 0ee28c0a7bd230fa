// The benchmarks of JMH in every tier. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.util.concurrent.TimeUnit;
import org.latkem.ParameterSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The operations on a key that is there. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class KeyedBenchmark {
    Kem kem;

    abstract Kem find() throws Exception;

    static Kem kem(String library, Tier tier, String set) throws Exception {
        return Kems.find(library, tier, ParameterSet.of(set))
                .orElseThrow(() -> new IllegalStateException(library + " has no " + set + " in this JVM"));
    }

    /**
     * Makes the keys.
     *
     * @throws Exception as the library does
     */
    @Setup
    public void prepare() throws Exception {
        kem = find();
    }

    /**
     * Encapsulates.
     *
     * @return the result
     * @throws Exception as the library does
     */
    @Benchmark
    public Object encaps() throws Exception {
        return kem.encapsulate();
    }

    /**
     * Decapsulates.
     *
     * @return the result
     * @throws Exception as the library does
     */
    @Benchmark
    public Object decaps() throws Exception {
        return kem.decapsulate();
    }
}
