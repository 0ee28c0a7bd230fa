// Loads and unloads applications as a server does, and reports what each left behind.
// SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts applications, each in a class loader of its own with its own copy of latkem's classes, two at a time, and
 * drops them. Prints how many of them worked, and what stays: class loaders, threads, libraries in memory, open files
 * of the jar, files in the temporary folder.
 */
public final class Applications {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private Applications() {}

    /** Runs the applications from the jars and folders that are named, on top of what the JDK has. */
    public static void main(String[] places) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        int worked = 0;
        for (int round = 0; round < 3; round++) {
            worked += twoAtOnce(places, loaders);
        }
        System.out.println("worked=" + worked);
        long begin = System.nanoTime();
        while (living(loaders) > 0 && System.nanoTime() - begin < PATIENCE) {
            System.gc();
            Thread.sleep(100);
        }
        System.out.println("loaders=" + living(loaders));
        System.out.println("threads=" + threads());
        System.out.println("libraries=" + libraries());
        System.out.println("open=" + openFiles(places[0]));
        System.out.println("files=" + Loading.filesIn(Path.of(System.getProperty("java.io.tmpdir"))));
    }

    private static int twoAtOnce(String[] places, List<WeakReference<ClassLoader>> loaders) throws Exception {
        ClassLoader first = new OfApplication(places);
        ClassLoader second = new OfApplication(places);
        loaders.add(new WeakReference<>(first));
        loaders.add(new WeakReference<>(second));
        return run(first) + run(second) + run(first);
    }

    private static int run(ClassLoader loader) throws Exception {
        Class<?> type = loader.loadClass(Application.class.getName());
        Object application = type.getDeclaredConstructor().newInstance();
        return Boolean.TRUE.equals(((Callable<?>) application).call()) ? 1 : 0;
    }

    private static long living(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("latkem"))
                .count();
    }

    private static long libraries() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("latkem_jni")).count();
        }
    }

    private static long openFiles(String jar) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(file -> jar.equals(target(file))).count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /**
     * Defines classes itself and gives resources by their address, like servers with loaders that cannot be closed.
     */
    private static final class OfApplication extends ClassLoader {
        private final String[] places;

        OfApplication(String[] places) {
            super(ClassLoader.getPlatformClassLoader());
            this.places = places;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (URLClassLoader from = new URLClassLoader(addresses(), null)) {
                URL file = from.findResource(name.replace('.', '/') + ".class");
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                var connection = file.openConnection();
                connection.setUseCaches(false);
                try (var in = connection.getInputStream()) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                }
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }

        @Override
        protected URL findResource(String name) {
            try (URLClassLoader from = new URLClassLoader(addresses(), null)) {
                return from.findResource(name);
            } catch (IOException failure) {
                return null;
            }
        }

        private URL[] addresses() throws IOException {
            URL[] all = new URL[places.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = URI.create("file:" + places[i] + (places[i].endsWith(".jar") ? "" : "/"))
                        .toURL();
            }
            return all;
        }
    }
}
