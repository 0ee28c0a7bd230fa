/* The measurements of one step of one set. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

/** A row of the table: one step of one set with one backend. */
public final class Result {
    private final String set;
    private final String backend;
    private final Step step;
    private final double[] rounds;
    private final Statistics inJava;
    private final Statistics inC;

    /**
     * Makes a row.
     *
     * @param set the set's name
     * @param backend of the library in Java and C
     * @param step that was measured
     * @param rounds the mean of each round in ms, Java's; copied
     * @param inC of the bare C call's rounds, or null where it was not measured
     */
    public Result(String set, String backend, Step step, double[] rounds, Statistics inC) {
        this.set = set;
        this.backend = backend;
        this.step = step;
        this.rounds = rounds.clone();
        this.inJava = Statistics.of(rounds);
        this.inC = inC;
    }

    /** {@return the set's name} */
    public String set() {
        return set;
    }

    /** {@return the backend's name} */
    public String backend() {
        return backend;
    }

    /** {@return the step} */
    public Step step() {
        return step;
    }

    /** {@return a copy of each round's mean in ms, in their order} */
    public double[] rounds() {
        return rounds.clone();
    }

    /** {@return the statistics of the whole step in Java} */
    public Statistics inJava() {
        return inJava;
    }

    /** {@return those of its bare C call, or null where it was not measured} */
    public Statistics inC() {
        return inC;
    }

    /** {@return Java's share in ms: the median in Java less that in C; NaN without one} */
    public double shareMs() {
        return inC == null ? Double.NaN : inJava.median() - inC.median();
    }
}
