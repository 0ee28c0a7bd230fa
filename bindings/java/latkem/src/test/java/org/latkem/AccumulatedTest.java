// One digest over many random rounds of every set. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.Vectors;

/** Every random byte comes from one SHAKE128 stream; every result goes into another (C2SP/CCTV, ML-KEM). */
class AccumulatedTest {
    @ParameterizedTest
    @EnumSource
    void hundredRounds(ParameterSet set) throws Exception {
        compare(set, 100);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void tenThousandRounds(ParameterSet set) throws Exception {
        compare(set, 10_000);
    }

    private static void compare(ParameterSet set, int rounds) throws Exception {
        for (JsonObject row : Vectors.objects(Vectors.spec(set.toString()), "accumulated")) {
            if (row.get("rounds").getAsInt() == rounds) {
                assertEquals(row.get("with_dk").getAsString(), digest(set, rounds));
                return;
            }
        }
        throw new AssertionError("spec/sets.json has no digest of " + rounds + " rounds");
    }

    private static String digest(ParameterSet set, int rounds) throws Exception {
        SHAKEDigest random = new SHAKEDigest(128);
        SHAKEDigest results = new SHAKEDigest(128);
        for (int round = 0; round < rounds; round++) {
            round(set, random, results);
        }
        return HexFormat.of().formatHex(squeeze(results, 32));
    }

    private static void round(ParameterSet set, SHAKEDigest random, SHAKEDigest results) throws Exception {
        try (KemKeyPair pair = set.keyPairFromSeed(squeeze(random, set.seedBytes()))) {
            byte[] ek = pair.encapsulationKey().toBytes();
            Encapsulation made = Derandomized.encapsulate(set, ek, squeeze(random, set.coinsBytes()));
            byte[] wrong = squeeze(random, set.ciphertextBytes());
            absorb(results, ek);
            absorb(results, pair.decapsulationKey().toBytes());
            absorb(results, made.ciphertext());
            absorb(results, made.sharedSecret());
            absorb(results, pair.decapsulationKey().decapsulate(wrong));
            made.close();
        }
    }

    private static byte[] squeeze(SHAKEDigest shake, int bytes) {
        byte[] out = new byte[bytes];
        shake.doOutput(out, 0, bytes);
        return out;
    }

    private static void absorb(SHAKEDigest shake, byte[] data) {
        shake.update(data, 0, data.length);
    }
}
