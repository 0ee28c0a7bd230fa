// The services that the provider registers, and how they are found. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.KEM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.Latkem;
import org.latkem.LatkemException;
import org.latkem.ParameterSet;
import org.latkem.testing.Vectors;

class ServicesTest {
    private static final List<String> TYPES = List.of("KeyPairGenerator", "KeyFactory", "KEM");
    private static final List<String> NAMES = List.of("ML-KEM", "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024");

    @AfterEach
    void uninstall() {
        Security.removeProvider(LatkemProvider.NAME);
    }

    @Test
    void hasItsNameAndTheVersionOfTheLibrary() {
        assertEquals("latkem", LatkemProvider.NAME);
        assertEquals("latkem", Provided.PROVIDER.getName());
        assertEquals(Latkem.version(), Provided.PROVIDER.getVersionStr());
        assertFalse(Provided.PROVIDER.getInfo().isBlank());
    }

    @Test
    void offersMlKemAndNothingElse() {
        assertEquals(expected(TYPES), offered(Provided.PROVIDER));
    }

    private static Set<String> expected(List<String> types) {
        Set<String> all = new TreeSet<>();
        for (String type : types) {
            for (String name : NAMES) {
                all.add(type + " " + name);
            }
        }
        return all;
    }

    private static Set<String> offered(Provider provider) {
        Set<String> all = new TreeSet<>();
        for (Provider.Service service : provider.getServices()) {
            all.add(service.getType() + " " + service.getAlgorithm());
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
    void isFoundByObjectIdentifiers(String name) throws Exception {
        String oid = Vectors.spec(name).getAsJsonObject("ids").get("oid").getAsString();
        for (String type : TYPES) {
            for (String alias : List.of(oid, "OID." + oid)) {
                assertSame(Provided.PROVIDER.getService(type, name), Provided.PROVIDER.getService(type, alias), alias);
            }
        }
        MlKemPublicKey key = Provided.publicKey(oid);
        assertEquals(name, key.getParams().getName());
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_NONE)
    void knowsNoResearchSet(ParameterSet set) {
        assertThrows(NoSuchAlgorithmException.class, () -> Provided.generator(set.toString()));
        assertThrows(NoSuchAlgorithmException.class, () -> Provided.factory(set.toString()));
        assertThrows(NoSuchAlgorithmException.class, () -> Provided.kem(set.toString()));
    }

    @Test
    void takesNoConstructorParameter() {
        for (Provider.Service service : Provided.PROVIDER.getServices()) {
            assertThrows(InvalidParameterException.class, () -> service.newInstance("parameter"));
        }
    }

    @Test
    void isFoundByItsNameOnceAdded() throws Exception {
        assertTrue(Security.addProvider(new LatkemProvider()) > 0);
        KeyPair pair = KeyPairGenerator.getInstance("ML-KEM-768", "latkem").generateKeyPair();
        KeyFactory.getInstance("ML-KEM", "latkem").translateKey(pair.getPublic());
        KEM kem = KEM.getInstance("ML-KEM", "latkem");
        KEM.Encapsulated made = kem.newEncapsulator(pair.getPublic()).encapsulate();
        assertEquals(made.key(), kem.newDecapsulator(pair.getPrivate()).decapsulate(made.encapsulation()));
    }

    @Test
    void comesFirstWhereItWasInserted() throws Exception {
        assertEquals(1, Security.insertProviderAt(new LatkemProvider(), 1));
        for (String name : NAMES) {
            KeyPair pair = KeyPairGenerator.getInstance(name).generateKeyPair();
            assertInstanceOf(MlKemPrivateKey.class, pair.getPrivate());
            assertEquals("latkem", KeyFactory.getInstance(name).getProvider().getName());
            assertEquals(
                    "latkem",
                    KEM.getInstance(name).newEncapsulator(pair.getPublic()).providerName());
        }
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertTrue(ServiceLoader.load(Provider.class).stream()
                .anyMatch(found -> found.type().equals(LatkemProvider.class)));
    }

    /** A loader like that of a JDK which has no javax.crypto.KEM yet. */
    private static final class OlderJdk extends URLClassLoader {
        OlderJdk(URL classes) {
            super(new URL[] {classes}, null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("javax.crypto.KEM")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @Test
    void offersTheRestWhereTheJdkHasNoKem() throws Exception {
        URL classes = LatkemProvider.class.getProtectionDomain().getCodeSource().getLocation();
        try (OlderJdk loader = new OlderJdk(classes)) {
            Class<?> type = loader.loadClass(LatkemProvider.class.getName());
            Provider provider = (Provider) type.getConstructor().newInstance();
            assertSame(loader, type.getClassLoader());
            assertEquals(expected(List.of("KeyPairGenerator", "KeyFactory")), offered(provider));
        }
    }

    /** Prints what happens where there is no native library. */
    static final class WithoutLibrary {
        public static void main(String[] arguments) throws Exception {
            Security.addProvider(new LatkemProvider());
            KeyPairGenerator generator = KeyPairGenerator.getInstance("ML-KEM-768", "latkem");
            for (int attempt = 0; attempt < 2; attempt++) {
                try {
                    generator.generateKeyPair();
                } catch (LatkemException e) {
                    System.out.println("refused: " + e.getMessage());
                }
            }
        }
    }

    @Test
    void isInstalledWithoutANativeLibraryAndSaysSoWhenUsed() throws Exception {
        String output = runWithoutLibrary(WithoutLibrary.class.getName());
        assertEquals(
                2, output.lines().filter(line -> line.startsWith("refused: ")).count(), output);
    }

    private static String runWithoutLibrary(String main) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dlatkem.library.path=" + File.separator + "none" + File.separator + "liblatkem_jni.so");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), text);
            return text;
        }
    }
}
