/* Native memory with an owner. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Native memory that belongs to a key object: freed once, after it was closed or its owner became unreachable, and when
 * no thread uses it any more.
 *
 * <p>{@code java.lang.ref.Cleaner} would do the same, but Android has it from API 33 on.
 */
final class NativeMemory extends PhantomReference<Object> {
    /** How memory of one kind is freed. */
    interface Free {
        void free(long handle);
    }

    private static final AtomicIntegerFieldUpdater<NativeMemory> USERS =
            AtomicIntegerFieldUpdater.newUpdater(NativeMemory.class, "users");
    private static final AtomicIntegerFieldUpdater<NativeMemory> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(NativeMemory.class, "closed");

    private final long handle;
    private final Free free;
    private volatile int users = 1; // threads, and the owner until it is closed
    private volatile int closed;
    private NativeMemory before, after; // in the list of those that are not freed

    NativeMemory(Object owner, long handle, Free free) {
        super(owner, Collector.UNREACHABLE);
        this.handle = handle;
        this.free = free;
        Collector.keep(this);
    }

    /**
     * Returns the handle, which stays valid until {@link #release}.
     *
     * @param owner the memory's owner, which is named after the memory is acquired so that it stays reachable until
     *     then
     * @throws IllegalStateException if the memory was closed
     */
    long acquire(Object owner) {
        for (int now = users; closed == 0 && now > 0; now = users)
            if (USERS.compareAndSet(this, now, now + 1)) return handle;
        throw new IllegalStateException(owner + ": it is closed");
    }

    void release() {
        if (USERS.decrementAndGet(this) > 0) return;
        free.free(handle);
    }

    boolean isClosed() {
        return closed != 0;
    }

    void close() {
        if (!CLOSED.compareAndSet(this, 0, 1)) return;
        Collector.forget(this);
        clear();
        release();
    }

    /** Closes the memory of owners that nobody can reach. It keeps the others from being collected themselves. */
    private static final class Collector extends Thread {
        static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
        private static final Object LOCK = new Object();
        private static NativeMemory newest;

        static {
            new Collector().start();
        }

        private Collector() {
            super("latkem key collector");
            setDaemon(true);
            setContextClassLoader(null);
        }

        static void keep(NativeMemory memory) {
            synchronized (LOCK) {
                memory.before = newest;
                if (newest != null) newest.after = memory;
                newest = memory;
            }
        }

        static void forget(NativeMemory memory) {
            synchronized (LOCK) {
                if (memory.before != null) memory.before.after = memory.after;
                if (memory.after != null) memory.after.before = memory.before;
                else newest = memory.before;
                memory.before = memory.after = null;
            }
        }

        @Override
        public void run() {
            while (true) {
                try {
                    ((NativeMemory) UNREACHABLE.remove()).close();
                } catch (InterruptedException ignored) {
                    // Nobody has a reason to interrupt this thread, and keys are still to be freed.
                }
            }
        }
    }
}
