// latkem's plain interface with keys in bytes. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.latkem.Batch;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** Bytes in and bytes out, nothing kept. */
final class LatkemBytes implements Kem {
    private final ParameterSet set;
    private final byte[] ek;
    private final byte[] dk;
    private final byte[] ciphertext;
    private final byte[] secret;

    LatkemBytes(ParameterSet set) throws Exception {
        this.set = set;
        try (KemKeyPair pair = set.generateKeyPair()) {
            ek = pair.encapsulationKey().toBytes();
            dk = pair.decapsulationKey().toBytes();
        }
        try (Encapsulation made = set.encapsulate(ek)) {
            ciphertext = made.ciphertext();
            secret = made.sharedSecret();
        }
    }

    /** Two arrays and no key object: a batch of one. */
    @Override
    public Object generateKeyPair() {
        byte[] newEk = new byte[set.encapsulationKeyBytes()];
        byte[] newDk = new byte[set.decapsulationKeyBytes()];
        Batch.generateKeyPairs(set, 1, newEk, newDk);
        Sink.last = newEk;
        return newDk;
    }

    @Override
    public Object encapsulate() throws Exception {
        try (Encapsulation made = set.encapsulate(ek)) {
            Sink.last = made.ciphertext();
            return made.sharedSecret();
        }
    }

    @Override
    public byte[] decapsulate() throws Exception {
        return set.decapsulate(dk, ciphertext);
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }
}
