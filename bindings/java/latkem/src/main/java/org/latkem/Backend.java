/* Which kernels run. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Backends: one set of kernels each, {@code "portable"}, {@code "avx2"}, {@code "avx512"}, {@code "neon"}, {@code
 * "neon-sha3"}, {@code "neon-sha3-full"}, {@code "neon-sha3-half"} or {@code "neon-sha3-quarter"}. The library chooses
 * the one that is fastest on the CPU; tests and benchmarks may force one. The choice is the whole process's. Keys that
 * are already expanded keep the backend that expanded them.
 */
public final class Backend {
    private Backend() {}

    /** Returns the name of the backend in force. */
    public static String name() {
        NativeLibrary.load();
        return Native.backend();
    }

    /** Returns the backends that this library holds and this CPU can run, its own choice last. */
    public static List<String> available() {
        NativeLibrary.load();
        List<String> names = new ArrayList<>();
        for (String name; (name = Native.backendAt(names.size())) != null; ) {
            names.add(name);
        }
        return Collections.unmodifiableList(names);
    }

    /**
     * Puts a backend in force from the next call on.
     *
     * @param name the backend, or null for the library's own choice
     * @throws IllegalArgumentException if there is no such backend or the CPU cannot run it; the choice stays as it was
     */
    public static void use(String name) {
        NativeLibrary.load();
        if (Native.useBackend(name) != 0) {
            throw new IllegalArgumentException("no backend " + name + " on this machine, which has " + available());
        }
    }
}
