// Makes keys where the stack ends, and counts the memory that is lost. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/**
 * Prints how many calls failed and by how many kilobytes the process grew. Near the end of the stack a call fails at
 * each of its steps, in native code's neighbourhood too.
 */
public final class Overflows {
    private static final int CALLS = 24; // of each depth, from the deepest on: the last ones succeed
    private static final int ROUNDS = 2000;

    private interface Call {
        void run() throws Exception;
    }

    private final Call call;
    private int left;
    private int failed;

    private Overflows(Call call) {
        this.call = call;
    }

    /** Makes keys in the way that is named: {@code generate} or {@code read}. */
    public static void main(String[] arguments) throws Exception {
        Call call = arguments[0].equals("read") ? reading() : ParameterSet.ML_KEM_1024::generateKeyPair;
        for (int i = 0; i < 2000; i++) {
            call.run();
        }
        Overflows overflows = new Overflows(call);
        overflows.inRounds(ROUNDS / 10);
        long before = ManyOperations.residentKilobytes();
        overflows.inRounds(ROUNDS);
        System.out.println("failed=" + (overflows.failed > ROUNDS));
        System.out.println("growth=" + (ManyOperations.residentKilobytes() - before));
    }

    private static Call reading() throws Exception {
        try (KemKeyPair pair = ParameterSet.ML_KEM_1024.generateKeyPair()) {
            byte[] file = KeyFormats.pkcs8(pair.decapsulationKey(), PrivateKeyFormat.EXPANDED);
            return () -> KeyFormats.fromPkcs8(file);
        }
    }

    private void inRounds(int rounds) throws InterruptedException, IOException {
        Thread thread = new Thread(null, () -> dive(rounds), "diver", 192 << 10);
        thread.start();
        thread.join();
    }

    private void dive(int rounds) {
        for (int i = 0; i < rounds; i++) {
            left = CALLS;
            deeper();
            if (i % 200 == 0) {
                System.gc();
            }
        }
    }

    private void deeper() {
        try {
            deeper();
        } catch (StackOverflowError end) {
            // From here on upwards there is a little more room at each step.
        }
        if (left == 0) {
            return;
        }
        left--;
        try {
            call.run();
        } catch (StackOverflowError expected) {
            failed++;
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
