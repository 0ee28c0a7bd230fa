// One entry of NIST's known-answer file of a set, made by latkem. SPDX-License-Identifier: Apache-2.0
package org.latkem.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** An entry's values: its seed, keys, ciphertext and shared secret. */
public record NistEntry(int count, byte[] seed, byte[] ek, byte[] dk, byte[] ct, byte[] ss) {
    private static final HexFormat UPPER = HexFormat.of().withUpperCase();

    /** The first entries of a set's file. */
    public static List<NistEntry> first(int entries, ParameterSet set) throws GeneralSecurityException, IOException {
        JsonObject requests = Vectors.spec(set.toString()).getAsJsonObject("requests");
        NistDrbg seeds = NistDrbg.ofSeeds();
        List<NistEntry> made = new ArrayList<>();
        for (int count = 0; count < entries; count++) {
            made.add(make(count, seeds.next(48), requests, set));
        }
        return made;
    }

    private static NistEntry make(int count, byte[] seed, JsonObject requests, ParameterSet set)
            throws GeneralSecurityException {
        NistDrbg drbg = new NistDrbg(seed);
        byte[] keySeed = answers(drbg, requests, "keypair");
        byte[] coins = answers(drbg, requests, "encaps");
        try (KemKeyPair pair = set.keyPairFromSeed(keySeed);
                Encapsulation made =
                        Derandomized.encapsulate(set, pair.encapsulationKey().toBytes(), coins)) {
            byte[] dk = pair.decapsulationKey().toBytes();
            return new NistEntry(
                    count, seed, pair.encapsulationKey().toBytes(), dk, made.ciphertext(), made.sharedSecret());
        }
    }

    private static byte[] answers(NistDrbg drbg, JsonObject requests, String operation) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (JsonElement request : requests.getAsJsonArray(operation)) {
            all.writeBytes(drbg.next(request.getAsInt()));
        }
        return all.toByteArray();
    }

    /** The entry as NIST's files write it. */
    public String text() {
        return "count = " + count + "\nseed = " + UPPER.formatHex(seed) + "\npk = " + UPPER.formatHex(ek) + "\nsk = "
                + UPPER.formatHex(dk) + "\nct = " + UPPER.formatHex(ct) + "\nss = " + UPPER.formatHex(ss) + "\n\n";
    }
}
