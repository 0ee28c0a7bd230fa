// The operations of a KEM that are timed. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

/** An operation of a KEM. */
public enum Operation {
    /** Makes a key pair. */
    KEYGEN("keygen") {
        @Override
        Object run(Kem kem) throws Exception {
            return kem.generateKeyPair();
        }
    },
    /** Makes a shared secret and its ciphertext. */
    ENCAPS("encaps") {
        @Override
        Object run(Kem kem) throws Exception {
            return kem.encapsulate();
        }
    },
    /** Recovers the shared secret. */
    DECAPS("decaps") {
        @Override
        Object run(Kem kem) throws Exception {
            return kem.decapsulate();
        }
    };

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    abstract Object run(Kem kem) throws Exception;

    /** The name in results. */
    @Override
    public String toString() {
        return title;
    }
}
