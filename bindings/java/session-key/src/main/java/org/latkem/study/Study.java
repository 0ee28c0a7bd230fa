/* The scenario of several sets, round by round. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.latkem.Backend;
import org.latkem.ParameterSet;

/**
 * Measures how long a session key of 228 bytes takes: a key pair, encryption to it, decryption. The sets take turns in
 * each round, so that a slow minute does not fall on one of them.
 */
public final class Study {
    private static final long WARM_UP_NANOS = 2_000_000_000;

    /** Is called after each set of each round. */
    public interface Progress {
        /**
         * Reports the progress.
         *
         * @param done turns: sets by rounds
         * @param all turns that there will be
         * @return whether to go on
         */
        boolean turn(int done, int all);
    }

    private final List<ParameterSet> sets;
    private final int rounds;
    private final int repetitions;
    private final CTimer timer;

    /**
     * Plans a study.
     *
     * @param sets in the order of the results; copied
     * @param rounds at least 1
     * @param repetitions of each step in a round, at least 1
     * @param timer for the C times, or null for none
     */
    public Study(List<ParameterSet> sets, int rounds, int repetitions, CTimer timer) {
        if (rounds < 1 || repetitions < 1) {
            throw new IllegalArgumentException("a study has at least one round and one repetition");
        }
        this.sets = new ArrayList<>(sets);
        this.rounds = rounds;
        this.repetitions = repetitions;
        this.timer = timer;
    }

    /**
     * Measures, on this thread.
     *
     * @param progress is called with the progress
     * @return three results for each set; none if progress said to stop
     * @throws GeneralSecurityException if a session key was not decrypted to itself
     */
    public List<Result> run(Progress progress) throws GeneralSecurityException {
        warmUp(progress);
        List<Scenario> scenarios = scenarios(timer);
        int done = 0;
        for (int round = 0; round < rounds; round++) {
            for (Scenario scenario : scenarios) {
                scenario.round(repetitions);
                if (!progress.turn(++done, rounds * scenarios.size())) {
                    return new ArrayList<>();
                }
            }
        }
        return results(scenarios);
    }

    private static List<Result> results(List<Scenario> scenarios) {
        List<Result> results = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            results.addAll(scenario.results(Backend.name()));
        }
        return results;
    }

    /** Until Java has compiled what runs often: each set once, and again for two seconds. C needs none of that. */
    private void warmUp(Progress progress) throws GeneralSecurityException {
        List<Scenario> scenarios = scenarios(null);
        long begin = Scenario.nanos(timer);
        boolean goOn = true;
        while (goOn) {
            for (Scenario scenario : scenarios) {
                scenario.round(Math.min(repetitions, Scenario.KEY_PAIRS));
            }
            goOn = progress.turn(0, rounds * sets.size()) && Scenario.nanos(timer) - begin < WARM_UP_NANOS;
        }
    }

    private List<Scenario> scenarios(CTimer inC) throws GeneralSecurityException {
        List<Scenario> scenarios = new ArrayList<>();
        for (ParameterSet set : sets) {
            scenarios.add(new Scenario(set, inC));
        }
        return scenarios;
    }
}
