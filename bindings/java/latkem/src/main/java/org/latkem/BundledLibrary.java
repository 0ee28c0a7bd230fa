/* The JNI library in the jar. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Formatter;
import java.util.List;

/**
 * The JNI library in the jar. It is written to a new folder that only the user can enter, loaded, and removed at once.
 * A file is written only if it has the digest compiled into {@link NativeDigests}.
 *
 * <p>Not for Android, because its older releases have no {@code java.nio.file}.
 */
final class BundledLibrary {
    private BundledLibrary() {}

    private static String fileName() {
        return System.mapLibraryName(NativeLibrary.NAME);
    }

    private static String place() {
        return "native/" + NativeLibrary.system() + "/" + fileName();
    }

    private static URL address() {
        return BundledLibrary.class.getResource(place());
    }

    static boolean exists() {
        return address() != null;
    }

    /** Without the JVM's cache, which would keep the jar open after its application is gone. */
    private static InputStream open() throws IOException {
        URLConnection connection = address().openConnection();
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    static void load(List<String> tried) {
        tried.add("org/latkem/" + place() + " in the jar");
        try {
            byte[] library = verified(read());
            Path folder = Files.createTempDirectory("latkem");
            try {
                load(library, folder.resolve(fileName()), tried);
            } finally {
                remove(folder);
            }
        } catch (IOException failure) {
            throw unsatisfied(failure);
        }
    }

    private static void load(byte[] library, Path file, List<String> tried) throws IOException {
        tried.add(file + " (a copy of it)");
        try {
            Files.write(file, library);
            System.load(file.toString());
        } finally {
            remove(file);
        }
    }

    /** A loaded library needs its file no more. Windows keeps it all the same, until the process ends. */
    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException inUse) {
            path.toFile().deleteOnExit();
        }
    }

    private static byte[] read() throws IOException {
        try (InputStream in = open()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] block = new byte[1 << 16];
            for (int n; (n = in.read(block)) >= 0; ) {
                all.write(block, 0, n);
            }
            return all.toByteArray();
        }
    }

    private static byte[] verified(byte[] library) throws IOException {
        String expected = NativeDigests.SHA_256.get(NativeLibrary.system());
        if (!hex(sha256(library)).equals(expected)) {
            throw new IOException("its SHA-256 is not the one that this version of the jar was built with");
        }
        return library;
    }

    private static byte[] sha256(byte[] bytes) throws IOException {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException failure) {
            throw new IOException(failure);
        }
    }

    private static String hex(byte[] bytes) {
        Formatter text = new Formatter();
        for (byte b : bytes) {
            text.format("%02x", b);
        }
        return text.toString();
    }

    private static UnsatisfiedLinkError unsatisfied(IOException failure) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(failure.toString());
        error.initCause(failure);
        return error;
    }
}
