// The ways in which a program may use a KEM. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.util.List;

/** How keys are held between operations. */
public enum Tier {
    /** {@code javax.crypto.KEM} with key objects that are kept. */
    JCA(List.of("latkem", "Bouncy Castle", "JDK", "C")),
    /** {@code javax.crypto.KEM} with keys made from their DER in each operation. */
    ENCODED(List.of("latkem", "Bouncy Castle", "JDK")),
    /** The libraries' own interfaces, bytes in and bytes out. */
    BYTES(List.of("latkem", "Bouncy Castle", "C")),
    /** The libraries' own interfaces with key objects that are kept. */
    OBJECTS(List.of("latkem", "Bouncy Castle", "C"));

    private final List<String> libraries;

    Tier(List<String> libraries) {
        this.libraries = libraries;
    }

    /** Those that may be measured, latkem first; {@code C} is latkem's C calls without Java. */
    List<String> libraries() {
        return libraries;
    }

    /** The operations of this tier: a key pair has no DER before it is made. */
    List<Operation> operations() {
        return this == ENCODED ? List.of(Operation.ENCAPS, Operation.DECAPS) : List.of(Operation.values());
    }

    /** Whether the sets of this tier are those of the standard alone. */
    boolean standardOnly() {
        return this == JCA || this == ENCODED;
    }

    /** The name in results. */
    @Override
    public String toString() {
        return name().toLowerCase();
    }
}
