// Drops a key without closing it and waits until memory holds it no more. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.latkem.DecapsulationKey;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** Prints how much of the key memory held while it could be reached, and how much when nothing changed any more. */
public final class Forgotten {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(2);

    private Forgotten() {}

    /** Runs for each of the sets named. */
    public static void main(String[] names) throws IOException, InterruptedException {
        for (String name : names) {
            ParameterSet set = ParameterSet.of(name);
            MemoryScan scan = new MemoryScan();
            int live = live(set, scan);
            System.out.println(set + " forgotten: live=" + live + " left=" + left(set, scan));
        }
    }

    private static int live(ParameterSet set, MemoryScan scan) throws IOException {
        KemKeyPair pair = set.generateKeyPair();
        DecapsulationKey key = pair.decapsulationKey();
        scan.watch(key.toBytes());
        int live = scan.count();
        return key.isClosed() ? 0 : live;
    }

    /** The collector needs no time of its own, but whoever empties the queue may. */
    private static int left(ParameterSet set, MemoryScan scan) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        int left;
        do {
            System.gc();
            set.generateKeyPair().close();
            Thread.sleep(50);
            left = scan.count();
        } while (left > 0 && System.nanoTime() - begin < PATIENCE);
        return left;
    }
}
