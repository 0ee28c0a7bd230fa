// Everything may be used from any thread at once. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.probes.FirstUse;
import org.latkem.testing.ChildJvm;

class ThreadsTest {
    private static final int THREADS = 16;

    @RepeatedTest(3)
    void theVeryFirstCall() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(FirstUse.class);
        assertEquals("fine=" + THREADS, result.output().strip());
        assertEquals(0, result.status());
    }

    /** The first use of a key, which expands it, is in all threads at once. */
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "KYBER768_90S", "SABER", "NTRU_HPS_2048_677"})
    void shareKeys(ParameterSet set) throws Exception {
        for (int round = 0; round < 20; round++) {
            KemKeyPair pair = set.generateKeyPair();
            atOnce(() -> {
                for (int i = 0; i < 5; i++) {
                    Encapsulation made = pair.encapsulationKey().encapsulate();
                    assertArrayEquals(
                            made.sharedSecret(), pair.decapsulationKey().decapsulate(made.ciphertext()));
                }
                return 0;
            });
            pair.close();
        }
    }

    /** Uses end in the right answer, or after close() in an IllegalStateException. */
    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "SABER", "NTRU_HPS_2048_677"})
    void closeUnderUse(ParameterSet set) throws Exception {
        int refused = 0;
        for (int round = 0; round < 50; round++) {
            KemKeyPair pair = set.generateKeyPair();
            Encapsulation made = pair.encapsulationKey().encapsulate();
            byte[] dk = pair.decapsulationKey().toBytes();
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS - 1; i++) {
                tasks.add(() -> useUntilClosed(pair.decapsulationKey(), made, dk));
            }
            tasks.add(() -> {
                pair.close();
                return 0;
            });
            refused += together(tasks);
        }
        assertEquals(50 * (THREADS - 1), refused, "each thread's last use is refused");
    }

    private static int useUntilClosed(DecapsulationKey key, Encapsulation made, byte[] dk) throws Exception {
        while (true) {
            try {
                assertArrayEquals(made.sharedSecret(), key.decapsulate(made.ciphertext()));
                assertArrayEquals(dk, key.toBytes());
            } catch (IllegalStateException e) {
                assertTrue(key.isClosed());
                return 1;
            }
        }
    }

    private static void atOnce(Callable<Integer> task) throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(task);
        }
        together(tasks);
    }

    private static int together(List<Callable<Integer>> tasks) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
        try {
            CyclicBarrier barrier = new CyclicBarrier(tasks.size());
            List<Future<Integer>> running = new ArrayList<>();
            for (Callable<Integer> task : tasks) {
                running.add(pool.submit(() -> {
                    barrier.await();
                    return task.call();
                }));
            }
            int sum = 0;
            for (Future<Integer> result : running) {
                sum += result.get();
            }
            return sum;
        } finally {
            pool.shutdown();
        }
    }
}
