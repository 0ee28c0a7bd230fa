/* The door to liblatkem_study, which times C without Java. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.latkem.ParameterSet;

/** The native methods of the study; {@link #load} comes first. */
public final class Native {
    private static boolean loaded;

    private Native() {}

    /**
     * Times the bare KEM call of a step on key pairs of its own; what the step needs is made before the clock starts.
     *
     * @param set a name as {@code latkem list} shows it
     * @param backend a backend's name, or null for the library's choice
     * @param step the place of the step in {@link Step}
     * @param repetitions at least 1, by up to 64 key pairs in turn
     * @return nanoseconds of all repetitions together
     */
    static native long nanoseconds(String set, String backend, int step, int repetitions);

    /** {@return the processor time that this thread has had, in ns} */
    static native long threadNanoseconds();

    /** The functions of Saber by name, and last "other". */
    static native String[] saberFunctions();

    /**
     * Measures the functions of a set of Saber with the library's choice of a backend; of one thread at a time.
     *
     * @param rounds at least 1
     * @return nanoseconds, in the order of {@link #saberFunctions}: of key generation, encapsulation, decapsulation
     */
    static native double[] saberProfile(String set, int rounds);

    /**
     * Makes a timer of this library. Its clock is the processor time of the thread, in Java and in C: it stops while
     * another program has the processor, and while other threads compile or collect garbage.
     *
     * @param backend that the C calls use, or null for the library's choice
     * @return a timer; the library must have been loaded
     */
    public static CTimer timer(final String backend) {
        return new CTimer() {
            @Override
            public long nanos() {
                return threadNanoseconds();
            }

            @Override
            public double meanMs(ParameterSet set, Step step, int repetitions) {
                return nanoseconds(set.toString(), backend, step.ordinal(), repetitions) / 1e6 / repetitions;
            }
        };
    }

    /**
     * Loads the library: the one inside the jar, or else, as on Android, the one that {@code System.loadLibrary} finds.
     * Once is enough.
     *
     * @throws UnsatisfiedLinkError if there is none that this system can load; a later call tries again
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        String resource = resource(System.getProperty("os.name"), System.getProperty("os.arch"));
        try (InputStream library = Native.class.getResourceAsStream(resource)) {
            if (library == null) {
                System.loadLibrary("latkem_study");
            } else {
                loadCopy(library);
            }
        } catch (IOException error) {
            throw (Error) new UnsatisfiedLinkError("cannot copy " + resource + " out of the jar").initCause(error);
        }
        loaded = true;
    }

    /** The place in the jar of the library for a system. */
    static String resource(String system, String architecture) {
        String os = system.startsWith("Mac") ? "macos" : system.startsWith("Windows") ? "windows" : "linux";
        String file = System.mapLibraryName("latkem_study");
        return "/org/latkem/study/native/" + os + "-" + Machine.architecture(architecture) + "/" + file;
    }

    /** From a file that is gone again when this returns. */
    private static void loadCopy(InputStream library) throws IOException {
        File copy = File.createTempFile("latkem_study", ".so");
        try {
            try (OutputStream out = new FileOutputStream(copy)) {
                byte[] piece = new byte[65536];
                for (int size = library.read(piece); size > 0; size = library.read(piece)) {
                    out.write(piece, 0, size);
                }
            }
            System.load(copy.getAbsolutePath());
        } finally {
            if (!copy.delete()) {
                copy.deleteOnExit();
            }
        }
    }
}
