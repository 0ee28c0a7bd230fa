// Random generators with given output. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import java.security.SecureRandom;
import java.util.Arrays;

/** A generator of one byte, again and again, or of an exception. */
final class GivenRandom extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final byte value;
    private final boolean fails;
    int asked;

    private GivenRandom(int value, boolean fails) {
        this.value = (byte) value;
        this.fails = fails;
    }

    static GivenRandom of(int value) {
        return new GivenRandom(value, false);
    }

    static GivenRandom failing() {
        return new GivenRandom(0, true);
    }

    @Override
    public void nextBytes(byte[] bytes) {
        asked++;
        if (fails) {
            throw new UnsupportedOperationException("no random bytes today");
        }
        Arrays.fill(bytes, value);
    }
}
