// Memory of keys that nobody closed, and of keys that were never made. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.latkem.testing.ChildJvm;

class NativeMemoryTest {
    private static final long SOME_HANDLE = 1 << 20;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private static boolean comes(BooleanSupplier event) {
        long begin = System.nanoTime();
        while (!event.getAsBoolean() && System.nanoTime() - begin < PATIENCE) {
            System.gc();
            try {
                Thread.sleep(20);
            } catch (InterruptedException nobody) {
                throw new IllegalStateException(nobody);
            }
        }
        return event.getAsBoolean();
    }

    private static boolean isWatched() {
        return collectors().findAny().isPresent();
    }

    private static Stream<Thread> collectors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("latkem key collector"));
    }

    /** Memory without an owner from the start. */
    private static void forget(NativeMemory.Free free) {
        NativeMemory memory = new NativeMemory(new Object(), () -> SOME_HANDLE, free);
        assertEquals(SOME_HANDLE, memory.made());
    }

    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        @SuppressWarnings("unchecked")
        T unchecked = (T) thrown;
        throw unchecked;
    }

    /** If a free throws anything, checked or not, the memory of other keys is freed. */
    @Test
    void theCollectorSurvivesEveryThrowable() {
        List<Throwable> all = List.of(
                new RuntimeException(),
                new Error(),
                new OutOfMemoryError(),
                new StackOverflowError(),
                new UnsatisfiedLinkError(),
                new InterruptedException(),
                new Exception(),
                new Throwable());
        AtomicInteger thrown = new AtomicInteger(), freed = new AtomicInteger();
        for (Throwable one : all) {
            forget(handle -> {
                thrown.incrementAndGet();
                NativeMemoryTest.<RuntimeException>raise(one);
            });
            forget(handle -> freed.incrementAndGet());
        }
        assertTrue(comes(() -> thrown.get() == all.size()), () -> "thrown " + thrown);
        forget(handle -> freed.incrementAndGet());
        assertTrue(comes(() -> freed.get() == all.size() + 1), () -> "freed " + freed);
    }

    @Test
    void theCollectorSurvivesInterrupts() {
        AtomicInteger freed = new AtomicInteger();
        Object owner = new Object();
        NativeMemory kept = new NativeMemory(owner, () -> SOME_HANDLE, handle -> freed.incrementAndGet());
        assertTrue(isWatched());
        assertTrue(collectors().allMatch(Thread::isDaemon), "it would keep the JVM running");
        collectors().forEach(Thread::interrupt);
        forget(handle -> freed.incrementAndGet());
        assertTrue(comes(() -> freed.get() == 1));
        kept.close();
        assertEquals(2, freed.get());
        Reference.reachabilityFence(owner);
    }

    /** Memory that was never made is not freed, and there is nothing to use. */
    @Test
    void anErrorIsNoMemory() {
        AtomicInteger freed = new AtomicInteger();
        for (long error : new long[] {Native.BAD_LENGTH, Native.BAD_DK, Native.RNG_FAILED, Native.NO_MEMORY, 0}) {
            Object owner = new Object();
            NativeMemory memory = new NativeMemory(owner, () -> error, handle -> freed.incrementAndGet());
            assertEquals(error, memory.made());
            assertTrue(memory.isClosed());
            assertThrows(IllegalStateException.class, () -> memory.acquire(owner));
            memory.close();
        }
        assertEquals(0, freed.get());
    }

    /** Handles with tags in their high bits are negative, and no errors. */
    @Test
    void everyHandleIsFreedOnce() {
        AtomicInteger freed = new AtomicInteger();
        for (long handle : new long[] {1, Native.NO_MEMORY - 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            NativeMemory memory = new NativeMemory(new Object(), () -> handle, given -> {
                assertEquals(handle, given);
                freed.incrementAndGet();
            });
            memory.close();
            memory.close();
        }
        assertEquals(4, freed.get());
    }

    @Test
    void whatMakingThrowsPassesThrough() {
        AtomicInteger freed = new AtomicInteger();
        NativeMemory.Make overflowing = () -> {
            throw new StackOverflowError("of the maker");
        };
        StackOverflowError thrown = assertThrows(
                StackOverflowError.class,
                () -> new NativeMemory(new Object(), overflowing, handle -> freed.incrementAndGet()));
        assertEquals("of the maker", thrown.getMessage());
        AtomicInteger next = new AtomicInteger();
        forget(handle -> next.incrementAndGet());
        assertTrue(comes(() -> next.get() == 1));
        assertEquals(0, freed.get());
    }

    /**
     * Makes memory where the stack ends, at each depth from the deepest on, while there is no collector: to start one
     * takes more of the stack than to make the memory. Prints whether a call failed, and how much memory is lost.
     */
    static final class NearTheStacksEnd {
        private static final AtomicInteger FAILED = new AtomicInteger(), MADE = new AtomicInteger();
        private static final AtomicInteger FREED = new AtomicInteger();
        private static boolean works;

        public static void main(String[] arguments) throws InterruptedException {
            call();
            comes(() -> !isWatched());
            Thread diver = new Thread(null, NearTheStacksEnd::deeper, "diver", 256 << 10);
            diver.start();
            diver.join();
            System.out.println("failed=" + (FAILED.get() > 0));
            comes(() -> FREED.get() == MADE.get());
            System.out.println("lost=" + (MADE.get() - FREED.get()));
        }

        private static void call() {
            new NativeMemory(new Object(), NearTheStacksEnd::make, handle -> FREED.incrementAndGet());
        }

        private static long make() {
            MADE.incrementAndGet();
            return SOME_HANDLE;
        }

        private static void deeper() {
            try {
                deeper();
            } catch (StackOverflowError end) {
                // From here on upwards there is a little more room at each step.
            }
            if (works) {
                return;
            }
            try {
                call();
                works = true;
            } catch (StackOverflowError | LinkageError expected) { // a class of the JDK may fail to initialize here
                FAILED.incrementAndGet();
            }
        }
    }

    @Test
    void aFailureOfTheStackLosesNothing() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(NearTheStacksEnd.class);
        assertEquals(List.of("failed=true", "lost=0"), result.output().lines().toList());
    }

    /** Prints whether there is a collector: before the first key, with one, after it, and with the next one. */
    static final class FromTheFirstToTheNext {
        public static void main(String[] arguments) {
            System.out.println(ParameterSet.ML_KEM_768.ciphertextBytes() > 0 && isWatched());
            Object owner = new Object();
            NativeMemory memory = new NativeMemory(owner, () -> SOME_HANDLE, handle -> {});
            System.out.println(isWatched());
            memory.close();
            System.out.println(!comes(() -> !isWatched()));
            AtomicInteger freed = new AtomicInteger();
            forget(handle -> freed.incrementAndGet());
            System.out.println(comes(() -> freed.get() == 1));
            System.out.println(!comes(() -> !isWatched()));
        }
    }

    @Test
    void theCollectorEndsAndBeginsAgain() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(FromTheFirstToTheNext.class);
        assertEquals(
                List.of("false", "true", "false", "true", "false"),
                result.output().lines().toList());
    }
}
