// A digest of what each set answers to given seeds. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import org.latkem.DecapsulationKey;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** Prints a line for each set. The expected digest comes from another machine, on which the known answers were
 * compared. */
public final class Answers {
    private Answers() {}

    /** Needs no library beside latkem. */
    public static void main(String[] arguments) throws GeneralSecurityException {
        for (ParameterSet set : ParameterSet.values()) {
            System.out.println(set + " " + Base64.getEncoder().encodeToString(digest(set)));
        }
    }

    private static byte[] digest(ParameterSet set) throws GeneralSecurityException {
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (int round = 0; round < 3; round++) {
            try (KemKeyPair pair = set.keyPairFromSeed(counting(set.seedBytes(), round))) {
                byte[] ek = pair.encapsulationKey().toBytes();
                Encapsulation made = Derandomized.encapsulate(set, ek, counting(set.coinsBytes(), round + 7));
                all.update(ek);
                all.update(pair.decapsulationKey().toBytes());
                decapsulations(pair.decapsulationKey(), made, all);
            }
        }
        return all.digest();
    }

    private static void decapsulations(DecapsulationKey key, Encapsulation made, MessageDigest all)
            throws GeneralSecurityException {
        byte[] ct = made.ciphertext();
        all.update(ct);
        all.update(made.sharedSecret());
        all.update(key.decapsulate(ct));
        ct[0] ^= 1;
        all.update(key.decapsulate(ct));
    }

    private static byte[] counting(int bytes, int from) {
        byte[] out = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            out[i] = (byte) (31 * i + (i >> 3) + from);
        }
        return out;
    }
}
