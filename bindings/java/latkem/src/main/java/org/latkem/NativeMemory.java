/* Native memory with an owner. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Native memory that belongs to a key object: freed once, after it was closed or its owner became unreachable, and when
 * no thread uses it any more.
 *
 * <p>{@code java.lang.ref.Cleaner} would do the same, but Android has it from API 33 on.
 */
final class NativeMemory extends PhantomReference<Object> {
    /** How memory of one kind is made: returns its handle, or an error. */
    interface Make {
        long make();
    }

    /** How it is freed. */
    interface Free {
        void free(long handle);
    }

    private static final AtomicIntegerFieldUpdater<NativeMemory> USERS =
            AtomicIntegerFieldUpdater.newUpdater(NativeMemory.class, "users");
    private static final AtomicIntegerFieldUpdater<NativeMemory> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(NativeMemory.class, "closed");

    private final Free free;
    private final long handle; // or the error
    private volatile int users = 1; // threads, and the owner until it is closed
    private volatile int closed;
    private NativeMemory before, after; // in the list of those that are not freed

    /** Makes the memory last, because a failure after that, of Java's stack or heap, would lose it. */
    NativeMemory(Object owner, Make make, Free free) {
        super(owner, Collector.UNREACHABLE);
        this.free = free;
        Collector.keep(this);
        handle = make.make();
        if (!Native.isHandle(handle)) {
            close();
        }
    }

    /** Returns what {@link Make} returned. */
    long made() {
        return handle;
    }

    /**
     * Returns the handle, which stays valid until {@link #release}.
     *
     * @param owner the memory's owner; this reference keeps it reachable until the memory is acquired
     * @throws IllegalStateException if the memory was closed
     */
    long acquire(Object owner) {
        for (int now = users; closed == 0 && now > 0; now = users) {
            if (USERS.compareAndSet(this, now, now + 1)) {
                return handle;
            }
        }
        throw new IllegalStateException(owner + ": it is closed");
    }

    void release() {
        if (USERS.decrementAndGet(this) > 0) {
            return;
        }
        if (Native.isHandle(handle)) {
            free.free(handle);
        }
    }

    boolean isClosed() {
        return closed != 0;
    }

    void close() {
        if (!CLOSED.compareAndSet(this, 0, 1)) {
            return;
        }
        Collector.forget(this);
        clear();
        release();
    }

    /**
     * Closes the memory of owners that nobody can reach. It keeps the others from being collected themselves.
     *
     * <p>Its thread runs while there is memory to watch and ends soon after, because a thread keeps the class loader of
     * its code: an application server could not unload an application that has this library. The next memory starts
     * another one. The thread takes nothing over from the one that started it, which may be of another application.
     */
    private static final class Collector implements Runnable {
        static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
        private static final String NAME = "latkem key collector";
        private static final long IDLE_MILLISECONDS = 1000;
        private static final Object LOCK = new Object();
        private static NativeMemory newest;
        private static Thread running; // null once it has decided to end

        static void keep(NativeMemory memory) {
            synchronized (LOCK) {
                if (running == null) {
                    running = start();
                }
                memory.before = newest;
                if (newest != null) {
                    newest.after = memory;
                }
                newest = memory;
            }
        }

        static void forget(NativeMemory memory) {
            synchronized (LOCK) {
                if (memory.before != null) {
                    memory.before.after = memory.after;
                }
                if (memory.after != null) {
                    memory.after.before = memory.before;
                } else {
                    newest = memory.before;
                }
                memory.before = memory.after = null;
            }
        }

        /** Without privileges of its own the thread would keep the classes that are on the caller's stack. */
        @SuppressWarnings("removal") // since JDK 24 a thread keeps none, and this only calls its argument
        private static Thread start() {
            return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
                Thread thread = unrelatedThread(new Collector());
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                return thread;
            });
        }

        /** A thread that inherits no thread-local values, by a constructor that Java 9 added and Android may lack. */
        private static Thread unrelatedThread(Runnable task) {
            try {
                return Thread.class
                        .getConstructor(ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class)
                        .newInstance(null, task, NAME, 0L, false);
            } catch (ReflectiveOperationException | LinkageError absent) {
                return new Thread(task, NAME);
            }
        }

        /** Nothing that is thrown ends it: neither an interrupt nor a failure to free one key. */
        @Override
        public void run() {
            while (true) {
                try {
                    NativeMemory unreachable = (NativeMemory) UNREACHABLE.remove(IDLE_MILLISECONDS);
                    if (unreachable != null) {
                        unreachable.close();
                    } else if (ends()) {
                        return;
                    }
                } catch (Throwable survived) {
                    // Other keys are still to be freed.
                }
            }
        }

        private static boolean ends() {
            synchronized (LOCK) {
                if (newest != null) {
                    return false;
                }
                running = null;
                return true;
            }
        }
    }
}
