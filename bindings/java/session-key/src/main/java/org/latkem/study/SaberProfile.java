// Which part of a Saber operation goes to which function of its document. SPDX-License-Identifier: Apache-2.0
package org.latkem.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.latkem.ParameterSet;

/**
 * The time of one operation of the KEM in C by functions, as the program {@code saber_study} measures it. {@link
 * Native#load} comes first.
 */
public final class SaberProfile {
    /** Of a set: key generation, encapsulation, decapsulation. */
    public static final int OPERATIONS = 3;

    private final String set;
    private final double[] nanos;

    private SaberProfile(String set, double[] nanos) {
        this.set = set;
        this.nanos = nanos;
    }

    /**
     * Returns whether a set has such a profile.
     *
     * @param set any
     * @return true of LightSaber, Saber and FireSaber
     */
    public static boolean has(ParameterSet set) {
        return set.toString().endsWith("Saber");
    }

    /**
     * Names the functions in the order of {@link #share}.
     *
     * @return their names; the last is "other", what no timer saw
     */
    public static List<String> functions() {
        return Collections.unmodifiableList(Arrays.asList(Native.saberFunctions()));
    }

    /**
     * Measures the three operations of a set, on the library's choice of a backend. One thread at a time does.
     *
     * @param set that has a profile
     * @param rounds at least 1; 120 take some tenths of a second
     * @return key generation, encapsulation, decapsulation
     */
    public static synchronized List<SaberProfile> measure(ParameterSet set, int rounds) {
        double[] nanos = Native.saberProfile(set.toString(), rounds);
        int size = nanos.length / OPERATIONS;
        List<SaberProfile> profiles = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            profiles.add(new SaberProfile(set.toString(), Arrays.copyOfRange(nanos, i * size, (i + 1) * size)));
        }
        return profiles;
    }

    /** {@return the set's name} */
    public String set() {
        return set;
    }

    /** {@return the operation's nanoseconds, without what the timers cost} */
    public double nanos() {
        double sum = 0;
        for (double part : nanos) {
            sum += part;
        }
        return sum;
    }

    /**
     * Returns a function's part.
     *
     * @param function its place in {@link #functions}
     * @return its part of {@link #nanos}: all add up to 1
     */
    public double share(int function) {
        return nanos[function] / nanos();
    }
}
