// The tier encoded under JMH. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** See {@link Tier#ENCODED}. */
@State(Scope.Thread)
public class EncodedBenchmark extends KeyedBenchmark {
    /** Of {@link Tier#libraries}. */
    @Param({"latkem", "Bouncy Castle", "JDK"})
    public String library;

    /** The parameter set. */
    @Param({"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    public String set;

    @Override
    Kem find() throws Exception {
        return kem(library, Tier.ENCODED, set);
    }
}
