// How contestants are timed: in blocks of calls, in turns. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** An operation of several KEMs, timed side by side by the CPU time of this thread. */
final class Blocks {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    /** One contestant: its name, its KEM and nanoseconds of one call in each block. */
    static final class Contestant {
        final String library;
        final Kem kem;
        final List<Double> times = new ArrayList<>();
        int calls = 1;

        Contestant(String library, Kem kem) {
            this.library = library;
            this.kem = kem;
        }
    }

    final Operation operation;
    final List<Contestant> contestants = new ArrayList<>();

    Blocks(Operation operation) {
        this.operation = operation;
    }

    /** Lets the JVM compile what each contestant needs, and finds how many calls fill a block. */
    void warmUp(long warmNanos, long blockNanos) throws Exception {
        for (Contestant one : contestants) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < warmNanos) {
                double each = nanosPerCall(one);
                one.calls = (int) Math.max(1, Math.min(1_000_000, blockNanos / each));
            }
        }
    }

    /** In each turn every contestant has one block, in a new random order. */
    void run(int turns) throws Exception {
        Random random = new Random();
        List<Contestant> order = new ArrayList<>(contestants);
        for (int i = 0; i < turns; i++) {
            Collections.shuffle(order, random);
            for (Contestant one : order) {
                one.times.add(nanosPerCall(one));
            }
        }
    }

    private double nanosPerCall(Contestant one) throws Exception {
        long begin = CLOCK.getCurrentThreadCpuTime();
        one.kem.repeat(operation, one.calls);
        return Math.max(1, CLOCK.getCurrentThreadCpuTime() - begin) / (double) one.calls;
    }
}
