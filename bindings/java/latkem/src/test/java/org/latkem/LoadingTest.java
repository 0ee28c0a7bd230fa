// Finding the native library, and what is said where it cannot be had. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.latkem.probes.Loading;
import org.latkem.testing.ChildJvm;
import org.latkem.testing.Vectors;

class LoadingTest {
    private static final String NAME = "liblatkem_jni.so";

    @TempDir
    private Path folder;

    private ChildJvm jvm() throws IOException {
        return new ChildJvm().with("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    }

    private static String resource() {
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        return "org/latkem/native/linux-" + machine + "/" + NAME;
    }

    /** The library of this machine, as a file that a JVM can load. */
    private Path library() throws IOException {
        Path file = folder.resolve(NAME);
        try (InputStream in = LoadingTest.class.getClassLoader().getResourceAsStream(resource())) {
            Files.copy(in, file);
        }
        return file;
    }

    @Test
    void theJarsOwnLeavesNoFile() throws Exception {
        works(jvm().run(Loading.class));
    }

    @Test
    void aFileOrItsFolderMayBeNamed() throws Exception {
        Path file = library();
        works(jvm().with("-Dlatkem.library.path=" + file).run(Loading.class));
        works(jvm().with("-Dlatkem.library.path=" + file.getParent()).run(Loading.class));
    }

    /** If there is none for the machine, the JVM's own path is asked. */
    @Test
    void otherMachinesTakeTheLibraryPath() throws Exception {
        Path file = library();
        works(jvm().with("-Dos.arch=vax", "-Djava.library.path=" + file.getParent())
                .run(Loading.class));
    }

    @Test
    void noneForTheMachine() throws Exception {
        ChildJvm.Result result =
                jvm().with("-Dos.arch=vax", "-Djava.library.path=/nowhere").run(Loading.class);
        fails(result, "vax", "java.library.path", "/nowhere", "latkem.library.path");
    }

    @Test
    void noneForTheSystem() throws Exception {
        fails(jvm().with("-Dos.name=Plan 9", "-Djava.library.path=/nowhere").run(Loading.class), "java.library.path");
    }

    @Test
    void aNamedFileThatIsMissing() throws Exception {
        fails(jvm().with("-Dlatkem.library.path=/nowhere/x.so").run(Loading.class), "/nowhere/x.so");
    }

    @Test
    void aNamedFolderWithoutIt() throws Exception {
        String name = folder.toString();
        fails(jvm().with("-Dlatkem.library.path=" + name).run(Loading.class), name, NAME);
    }

    @Test
    void aNamedFileThatIsNoLibrary() throws Exception {
        Path text = Files.writeString(folder.resolve("text.so"), "no library");
        fails(jvm().with("-Dlatkem.library.path=" + text).run(Loading.class), text.toString());
    }

    /** A library, but not this one. */
    @Test
    void aNamedFileThatIsAnotherLibrary() throws Exception {
        Path other = Path.of(System.getProperty("java.home"), "lib", "libnet.so");
        fails(jvm().with("-Dlatkem.library.path=" + other).run(Loading.class), other.toString());
    }

    @Test
    void theNextCallTriesAgain() throws Exception {
        ChildJvm.Result result = jvm().with("-Dlatkem.library.path=/nowhere").run(Loading.class, "mend");
        List<String> lines = told(result);
        assertTrue(lines.get(0).startsWith("org.latkem.LatkemException: "), result.output());
        assertEquals(List.of("works", "works", "works", "works", "files=0"), lines.subList(1, lines.size()));
    }

    static Stream<String> unusableFolders() {
        return Stream.of("/sys", "/nowhere/at/all", "/dev/null");
    }

    @ParameterizedTest
    @MethodSource("unusableFolders")
    void aTemporaryFolderInWhichNothingCanBeMade(String place) throws Exception {
        fails(new ChildJvm().with("-Djava.io.tmpdir=" + place).run(Loading.class), place, "java.io.tmpdir");
    }

    /** The folder is mounted in a namespace of its own, which ends with the JVM. */
    @Test
    void aTemporaryFolderWithoutExecution() throws Exception {
        Path place = Files.createDirectories(folder.resolve("noexec"));
        String mount = "mount -t tmpfs -o noexec none '" + place + "' && exec \"$@\"";
        List<String> behind = List.of("unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh");
        if (!canRun(behind)) {
            Vectors.skip("no folder can be mounted here");
        }
        ChildJvm.Result result =
                new ChildJvm().with("-Djava.io.tmpdir=" + place).runBehind(behind, Loading.class);
        fails(result, "noexec", place.toString(), "latkem.library.path");
    }

    private static boolean canRun(List<String> behind) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(Stream.concat(behind.stream(), Stream.of("true"))
                                    .toList())
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    /** A library that was changed on its way is not loaded. */
    @Test
    void anotherDigest() throws Exception {
        Path changed = folder.resolve("changed").resolve(resource());
        Files.createDirectories(changed.getParent());
        byte[] library = Files.readAllBytes(library());
        library[library.length - 1] ^= 1;
        Files.write(changed, library);
        fails(jvm().first(folder.resolve("changed")).run(Loading.class), NAME, "SHA-256");
    }

    /** One that this version of the jar was not built with. */
    @Test
    void noDigest() throws Exception {
        Path added = folder.resolve("added/org/latkem/native/linux-vax").resolve(NAME);
        Files.createDirectories(added.getParent());
        Files.copy(library(), added);
        fails(jvm().with("-Dos.arch=vax").first(folder.resolve("added")).run(Loading.class), NAME, "SHA-256");
    }

    /** Prints who may enter the folders of the copies while they are loaded. */
    static final class Watching {
        public static void main(String[] arguments) throws Exception {
            Thread loading =
                    new Thread(() -> IntStream.range(0, 40).forEach(i -> BundledLibrary.load(new ArrayList<>())));
            loading.start();
            Set<String> modes = new TreeSet<>();
            while (loading.isAlive()) {
                modes.addAll(modes(Path.of(System.getProperty("java.io.tmpdir"))));
            }
            System.out.println(modes);
        }

        private static Set<String> modes(Path temporary) throws IOException {
            Set<String> modes = new TreeSet<>();
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, "latkem*")) {
                for (Path one : folders) {
                    modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)));
                }
            } catch (NoSuchFileException removedMeanwhile) {
                return modes;
            }
            return modes;
        }
    }

    /** Nobody else can put another file in its place before it is loaded. */
    @Test
    void othersCannotEnterTheCopysFolder() throws Exception {
        assertEquals("[rwx------]\n", jvm().run(Watching.class).output());
    }

    /** An app has the library among its own; Android's older releases have no java.nio.file. */
    @Test
    void onAndroidItIsTheAppsOwn() throws Exception {
        Path file = library();
        works(jvm().with("-Djava.library.path=" + file.getParent()).run(Loading.class, "android"));
        fails(jvm().with("-Djava.library.path=/nowhere").run(Loading.class, "android"), "/nowhere");
    }

    /** Java 22 and newer can forbid native code; the exception says by which option it is permitted. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void nativeAccessThatIsDenied() throws Exception {
        works(jvm().with("--illegal-native-access=deny").run(Loading.class));
        ChildJvm.Result denied =
                jvm().withoutNativeAccess().with("--illegal-native-access=deny").run(Loading.class);
        fails(denied, "--enable-native-access");
    }

    /** As a module, which the option then names. */
    @Test
    void asAModule() throws Exception {
        URL module = Latkem.class.getProtectionDomain().getCodeSource().getLocation();
        String path = Path.of(module.toURI()).toString();
        ChildJvm jvm = jvm().withoutNativeAccess().with("-p", path, "--add-modules", "org.latkem");
        if (Runtime.version().feature() >= 24) {
            jvm.with("--illegal-native-access=deny", "--enable-native-access=org.latkem");
        }
        works(jvm.run(Loading.class));
    }

    /** The output of the class in this test's JVM, without the JVM's own warnings. */
    private static List<String> told(ChildJvm.Result result) {
        return result.output()
                .lines()
                .filter(line -> line.startsWith("> "))
                .map(line -> line.substring(2))
                .toList();
    }

    private static void works(ChildJvm.Result result) {
        assertEquals("> works\n".repeat(5) + "> files=0\n", result.output());
        assertEquals(0, result.status());
    }

    /** Each of the five calls says the same, and no file stays. */
    private static void fails(ChildJvm.Result result, String... words) {
        List<String> lines = told(result);
        assertEquals(6, lines.size(), result.output());
        assertEquals("files=0", lines.get(5));
        assertAll(lines.subList(0, 5).stream().map(line -> () -> {
            assertTrue(line.startsWith("org.latkem.LatkemException: "), line);
            for (String word : words) {
                assertTrue(line.contains(word), () -> line + "\ndoes not tell of " + word);
            }
        }));
    }
}
