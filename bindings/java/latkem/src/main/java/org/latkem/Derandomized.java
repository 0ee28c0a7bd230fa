/* Encapsulation with given coins. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.util.Objects;

/**
 * The deterministic form of encapsulation, for tests and for HSMs. That of key generation is {@link
 * ParameterSet#keyPairFromSeed}.
 */
public final class Derandomized {
    private Derandomized() {}

    /**
     * Encapsulates with given coins (ML-KEM.Encaps_internal, FIPS 203 algorithm 17). Coins must be secret, uniformly
     * random and never used twice.
     *
     * @param coins {@link ParameterSet#coinsBytes} bytes
     * @throws InvalidKeyException if ek has the wrong length or is not valid
     * @throws IllegalArgumentException if coins have the wrong length
     */
    public static Encapsulation encapsulate(ParameterSet set, byte[] ek, byte[] coins) throws InvalidKeyException {
        ParameterSet.Facts facts = set.facts();
        facts.requireEk(Objects.requireNonNull(ek, "ek"));
        ParameterSet.requireLength(set + ": coins", facts.coins, Objects.requireNonNull(coins, "coins").length);
        return set.encapsulate(ek, coins);
    }
}
