// Calls the library twice and prints the results. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.latkem.Backend;
import org.latkem.Latkem;
import org.latkem.ParameterSet;

/**
 * After {@code >} prints each failure's class and message, or {@code works}, then how many files came to the temporary
 * folder.
 */
public final class Loading {
    private Loading() {}

    /**
     * With the argument {@code mend} the property that names the library is cleared after the first call; with {@code
     * android} the virtual machine has the name of Android's.
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        long before = filesIn(folder);
        if (arguments.length > 0 && arguments[0].equals("android")) {
            System.setProperty("java.vm.name", "Dalvik");
        }
        attempt(() -> ParameterSet.ML_KEM_768.generateKeyPair().close());
        if (arguments.length > 0 && arguments[0].equals("mend")) {
            System.clearProperty("latkem.library.path");
        }
        attempt(() -> ParameterSet.SABER.encapsulationKeyBytes());
        attempt(Backend::name);
        attempt(Latkem::version);
        attempt(() -> ParameterSet.ML_KEM_768.encapsulate(new byte[1184]).close());
        System.out.println("> files=" + (filesIn(folder) - before));
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void attempt(Call call) {
        try {
            call.run();
            System.out.println("> works");
        } catch (Throwable thrown) {
            System.out.println("> " + thrown.getClass().getName() + ": " + thrown.getMessage());
        }
    }

    /** Files of the JVM itself are left out. */
    static long filesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperfdata_"))
                    .count();
        }
    }
}
