/* Finds and loads the JNI library. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the JNI library, in this order: where the system property {@code latkem.library.path} says, and only there; on
 * Android in the app; in the jar; and, if the jar has none for this system, in {@code java.library.path}.
 */
final class NativeLibrary {
    static final String NAME = "latkem_jni";
    private static final String PROPERTY = "latkem.library.path";
    private static volatile boolean isLoaded;

    private NativeLibrary() {}

    /** Loads the library once; a call that failed is tried again. */
    static void load() {
        if (!isLoaded) {
            loadOnce();
        }
    }

    private static synchronized void loadOnce() {
        if (isLoaded) {
            return;
        }
        List<String> tried = new ArrayList<>();
        try {
            find(tried);
            Native.version(); // of another library the functions are missing
        } catch (LinkageError | RuntimeException failure) {
            throw new LatkemException(describe(tried, failure), failure);
        }
        isLoaded = true;
    }

    private static void find(List<String> tried) {
        String path = System.getProperty(PROPERTY);
        if (path != null) {
            loadFile(new File(path), tried);
        } else if (isAndroid()) {
            loadByName(tried);
        } else if (BundledLibrary.exists()) {
            BundledLibrary.load(tried);
        } else {
            tried.add("the jar, which has none for " + system());
            loadByName(tried);
        }
    }

    private static void loadFile(File path, List<String> tried) {
        File file = path.isDirectory() ? new File(path, System.mapLibraryName(NAME)) : path;
        tried.add(file + " (" + PROPERTY + ")");
        System.load(file.getAbsolutePath());
    }

    private static void loadByName(List<String> tried) {
        tried.add(System.mapLibraryName(NAME) + " in java.library.path");
        System.loadLibrary(NAME);
    }

    private static boolean isAndroid() {
        return "Dalvik".equals(System.getProperty("java.vm.name"));
    }

    /** The system as the jar's folders name it, such as {@code linux-x86_64}. */
    static String system() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (os.startsWith("mac")) {
            os = "macos";
        } else if (os.startsWith("windows")) {
            os = "windows";
        }
        if (arch.equals("amd64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        return os.replace(' ', '_') + "-" + arch;
    }

    private static String describe(List<String> tried, Throwable failure) {
        return "no native library of latkem for " + system() + " could be loaded. Tried: " + String.join("; ", tried)
                + ". The last said: " + failure.getMessage()
                + ". If the temporary folder may not hold programs (mounted noexec), name another by -Djava.io.tmpdir."
                + " Java 24 and newer may want --enable-native-access=org.latkem, or ALL-UNNAMED on the class path."
                + " The jar's libraries need glibc: for musl or another system build latkem with"
                + " -DLATKEM_BUILD_JNI=ON and give the file with -D" + PROPERTY + ".";
    }
}
