// Sixteen threads make their first calls at once in a fresh JVM. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.latkem.Backend;
import org.latkem.Batch;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.Latkem;
import org.latkem.ParameterSet;

/** Prints how many of the threads found that their call works. */
public final class FirstUse {
    private static final int THREADS = 16;

    private FirstUse() {}

    /** Lets all threads go at once. */
    public static void main(String[] arguments) throws Exception {
        List<Callable<Boolean>> calls = calls();
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Callable<Boolean> call = calls.get(i % calls.size());
            results.add(pool.submit(() -> {
                barrier.await();
                return call.call();
            }));
        }
        int fine = 0;
        for (Future<Boolean> result : results) {
            fine += result.get() ? 1 : 0;
        }
        pool.shutdown();
        System.out.println("fine=" + fine);
    }

    private static List<Callable<Boolean>> calls() {
        return List.of(
                () -> agrees(ParameterSet.ML_KEM_768),
                () -> ParameterSet.of("Saber").encapsulationKeyBytes() == 992,
                () -> Backend.available().contains(Backend.name()),
                () -> !Latkem.version().isEmpty(),
                () -> agrees(ParameterSet.NTRU_HRSS_701),
                FirstUse::batch,
                () -> agrees(ParameterSet.KYBER512_90S));
    }

    private static boolean agrees(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair();
                Encapsulation made = pair.encapsulationKey().encapsulate()) {
            byte[] ss = pair.decapsulationKey().decapsulate(made.ciphertext());
            return Arrays.equals(ss, made.sharedSecret());
        }
    }

    private static boolean batch() {
        byte[] eks = new byte[2 * 992];
        Batch.generateKeyPairs(ParameterSet.SABER, 2, eks, new byte[2 * 2304]);
        return !Arrays.equals(eks, new byte[eks.length]);
    }
}
