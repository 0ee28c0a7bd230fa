// The tier bytes under JMH. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** See {@link Tier#BYTES}. */
@State(Scope.Thread)
public class BytesBenchmark extends KemBenchmark {
    /** Of {@link Tier#libraries}. */
    @Param({"latkem", "Bouncy Castle"})
    public String library;

    /** The parameter set. */
    @Param({"ML-KEM-768", "Saber", "NTRU-HPS-2048-677"})
    public String set;

    @Override
    Kem find() throws Exception {
        return kem(library, Tier.BYTES, set);
    }
}
