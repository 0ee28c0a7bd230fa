// latkem's plain interface with key objects. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** A key pair that is kept; those made in the timed calls are closed at once. */
final class LatkemObjects implements Kem {
    private final ParameterSet set;
    private final KemKeyPair pair;
    private final byte[] ciphertext;
    private final byte[] secret;

    LatkemObjects(ParameterSet set) {
        this.set = set;
        pair = set.generateKeyPair();
        try (Encapsulation made = pair.encapsulationKey().encapsulate()) {
            ciphertext = made.ciphertext();
            secret = made.sharedSecret();
        }
    }

    @Override
    public Object generateKeyPair() {
        KemKeyPair made = set.generateKeyPair();
        made.close();
        return made;
    }

    @Override
    public Object encapsulate() {
        try (Encapsulation made = pair.encapsulationKey().encapsulate()) {
            Sink.last = made.ciphertext();
            return made.sharedSecret();
        }
    }

    @Override
    public byte[] decapsulate() throws Exception {
        return pair.decapsulationKey().decapsulate(ciphertext);
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }
}
