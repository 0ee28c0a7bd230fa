// The answers of sets to fixed seeds, a line each: set, seed, coins, ek, ct, ss in hexadecimal.
// SPDX-License-Identifier: Apache-2.0
import org.latkem.Backend;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** {@code Answers SET..}; the first line names the backend. An exception means that a decapsulation went wrong. */
public final class Answers {
    private Answers() {}

    public static void main(String[] names) throws Exception {
        System.out.println("backend " + Backend.name());
        for (String name : names) {
            answer(ParameterSet.of(name));
        }
    }

    private static void answer(ParameterSet set) throws Exception {
        byte[] seed = bytes(set.seedBytes(), 1);
        byte[] coins = bytes(set.coinsBytes(), 7);
        try (KemKeyPair pair = set.keyPairFromSeed(seed)) {
            byte[] ek = pair.encapsulationKey().toBytes();
            Encapsulation sent = Derandomized.encapsulate(set, ek, coins);
            byte[] ct = sent.ciphertext();
            String ss = hex(sent.sharedSecret());
            if (!ss.equals(hex(pair.decapsulationKey().decapsulate(ct)))) {
                throw new AssertionError(set + ": decapsulation finds another secret");
            }
            System.out.println(set + " " + hex(seed) + " " + hex(coins) + " " + hex(ek) + " " + hex(ct) + " " + ss);
        }
    }

    private static byte[] bytes(int count, int first) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + 181 * i + (i >> 5));
        }
        return bytes;
    }

    private static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte b : bytes) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }
}
