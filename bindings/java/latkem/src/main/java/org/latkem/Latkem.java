/* The library's version. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

/** The library as a whole. */
public final class Latkem {
    private Latkem() {}

    /**
     * Returns the version of the native library, such as {@code "0.2.0"}.
     *
     * @throws LatkemException if there is no native library for this system
     */
    public static String version() {
        NativeLibrary.load();
        return Native.version();
    }
}
