/* A session key on its way, with one parameter set. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** The three steps of one set, and what each took in every round. Keys are fresh in each round. */
final class Scenario {
    /** In use at a time, so that they stay in the second-level cache. */
    static final int KEY_PAIRS = 64;

    private static final int SESSION_KEY_BYTES = 228;

    /** Somebody with a key pair, to whom a session key was sealed. */
    private static final class Owner {
        private byte[] ek;
        private byte[] dk;
        private byte[] sealed;
    }

    private final ParameterSet set;
    private final CTimer timer;
    private final Sealer sealer;
    private final byte[] sessionKey = new byte[SESSION_KEY_BYTES];
    private final Owner[] owners = new Owner[KEY_PAIRS];
    private final Map<Step, List<Double>> javaMs = new EnumMap<>(Step.class);
    private final Map<Step, List<Double>> cMs = new EnumMap<>(Step.class);

    /** Without a timer nothing is measured in C, and the clock is that on the wall. */
    Scenario(ParameterSet set, CTimer timer) throws GeneralSecurityException {
        this.set = set;
        this.timer = timer;
        this.sealer = new Sealer(set);
        Arrays.fill(sessionKey, (byte) 0x5a);
        for (int i = 0; i < KEY_PAIRS; i++) {
            owners[i] = new Owner();
        }
        for (Step step : Step.values()) {
            javaMs.put(step, new ArrayList<>());
            cMs.put(step, new ArrayList<>());
        }
    }

    /** A round: each step so often in Java, and at once as often in C. */
    void round(int repetitions) throws GeneralSecurityException {
        for (Step step : Step.values()) {
            javaMs.get(step).add(meanMs(step, repetitions));
            if (timer != null) {
                cMs.get(step).add(timer.meanMs(set, step, repetitions));
            }
        }
    }

    private double meanMs(Step step, int repetitions) throws GeneralSecurityException {
        long begin = nanos(timer);
        for (int i = 0; i < repetitions; i++) {
            run(step, owners[i % KEY_PAIRS]);
        }
        return (nanos(timer) - begin) / 1e6 / repetitions;
    }

    static long nanos(CTimer timer) {
        return timer == null ? System.nanoTime() : timer.nanos();
    }

    private void run(Step step, Owner owner) throws GeneralSecurityException {
        switch (step) {
            case KEYGEN:
                try (KemKeyPair pair = set.generateKeyPair()) {
                    owner.ek = pair.encapsulationKey().toBytes();
                    owner.dk = pair.decapsulationKey().toBytes();
                }
                break;
            case ENCRYPT:
                owner.sealed = sealer.seal(owner.ek, sessionKey);
                break;
            default:
                if (!Arrays.equals(sealer.open(owner.dk, owner.sealed), sessionKey)) {
                    throw new GeneralSecurityException(set + ": another session key was decrypted");
                }
        }
    }

    /** One result for each step; at least one round must have been. */
    List<Result> results(String backend) {
        List<Result> results = new ArrayList<>();
        for (Step step : Step.values()) {
            Statistics inC = timer == null ? null : Statistics.of(array(cMs.get(step)));
            results.add(new Result(set.toString(), backend, step, array(javaMs.get(step)), inC));
        }
        return results;
    }

    private static double[] array(List<Double> values) {
        double[] array = new double[values.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = values.get(i);
        }
        return array;
    }
}
