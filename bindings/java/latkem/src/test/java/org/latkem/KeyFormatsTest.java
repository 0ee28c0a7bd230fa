// Key files: all six forms of private key read, three written, bad ones refused. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.latkem.testing.Refusals;
import org.latkem.testing.Vectors;

class KeyFormatsTest {
    private static final Map<String, PrivateKeyFormat> WRITTEN =
            Map.of("seed", PrivateKeyFormat.SEED, "expanded", PrivateKeyFormat.EXPANDED, "both", PrivateKeyFormat.BOTH);

    private static List<JsonObject> files(String kind, boolean good) throws Exception {
        return Vectors.objects(Vectors.json("hybrid/keyfiles.json"), "files").stream()
                .filter(file -> file.get("set").getAsString().startsWith("ML-KEM"))
                .filter(file -> file.get("kind").getAsString().equals(kind))
                .filter(file -> file.get("ok").getAsBoolean() == good)
                .toList();
    }

    @Test
    void readsAllSixFormsOfPrivateKey() throws Exception {
        Set<String> forms = new TreeSet<>();
        for (JsonObject file : files("private", true)) {
            forms.add(file.get("form").getAsString());
            try (KemKeyPair pair = KeyFormats.fromPkcs8(Vectors.bytes(file, "der"))) {
                DecapsulationKey key = pair.decapsulationKey();
                assertEquals(file.get("set").getAsString(), pair.parameterSet().toString());
                assertEquals(sha256(file, "dk"), sha256(key.toBytes()), file::toString);
                assertEquals(sha256(file, "ek"), sha256(pair.encapsulationKey().toBytes()), file::toString);
                assertEquals(file.has("seed"), key.hasSeed(), file::toString);
                if (file.has("seed")) {
                    assertArrayEquals(Vectors.bytes(file, "seed"), key.seed());
                }
                decapsulates(pair);
            }
        }
        assertEquals(Set.of("seed", "expanded", "both", "oqs", "bare-seed", "bare-expanded"), forms);
    }

    private static void decapsulates(KemKeyPair pair) throws Exception {
        Encapsulation made = pair.encapsulationKey().encapsulate();
        assertArrayEquals(made.sharedSecret(), pair.decapsulationKey().decapsulate(made.ciphertext()));
    }

    /** Files with neither attributes nor a public key come out as they went in. */
    @Test
    void writesTheSameBytesInThreeForms() throws Exception {
        int same = 0;
        for (JsonObject file : files("private", true)) {
            PrivateKeyFormat format = WRITTEN.get(file.get("form").getAsString());
            byte[] der = Vectors.bytes(file, "der");
            try (KemKeyPair pair = KeyFormats.fromPkcs8(der)) {
                if (format != null && der.length == bytes(pair.parameterSet(), format)) {
                    assertArrayEquals(der, KeyFormats.pkcs8(pair.decapsulationKey(), format), file::toString);
                    same++;
                }
            }
        }
        assertTrue(same >= 3 * WRITTEN.size(), "each form of each set, not only " + same);
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void whatIsWrittenIsRead(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair()) {
            byte[] x509 = KeyFormats.x509(pair.encapsulationKey());
            assertEquals(set.encapsulationKeyBytes() + 22, x509.length);
            assertEquals(pair.encapsulationKey(), KeyFormats.fromX509(x509));
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                byte[] der = KeyFormats.pkcs8(pair.decapsulationKey(), format);
                assertEquals(bytes(set, format), der.length);
                try (KemKeyPair again = KeyFormats.fromPkcs8(der)) {
                    assertArrayEquals(
                            pair.decapsulationKey().toBytes(),
                            again.decapsulationKey().toBytes());
                    assertEquals(pair.encapsulationKey(), again.encapsulationKey());
                    assertEquals(
                            format != PrivateKeyFormat.EXPANDED,
                            again.decapsulationKey().hasSeed());
                }
            }
        }
    }

    private static int bytes(ParameterSet set, PrivateKeyFormat format) {
        return switch (format) {
            case SEED -> 86;
            case EXPANDED -> set.decapsulationKeyBytes() + 28;
            case BOTH -> set.decapsulationKeyBytes() + 98;
        };
    }

    @Test
    void readsPublicKeys() throws Exception {
        for (JsonObject file : files("public", true)) {
            byte[] der = Vectors.bytes(file, "der");
            EncapsulationKey key = KeyFormats.fromX509(der);
            assertEquals(file.get("set").getAsString(), key.parameterSet().toString());
            assertEquals(sha256(file, "ek"), sha256(key.toBytes()), file::toString);
            assertArrayEquals(der, KeyFormats.x509(key), file::toString);
        }
    }

    @Test
    void refusesBadFiles() throws Exception {
        for (JsonObject file : files("private", false)) {
            refuses(file.toString(), () -> KeyFormats.fromPkcs8(Vectors.bytes(file, "der")));
        }
        for (JsonObject file : files("public", false)) {
            refuses(file.toString(), () -> KeyFormats.fromX509(Vectors.bytes(file, "der")));
        }
    }

    private static void refuses(String what, Executable read) {
        Throwable thrown = assertThrows(InvalidKeyException.class, read, what);
        assertNotNull(thrown.getMessage(), what);
    }

    /** X-Wing has key files too, but is no set of this API. */
    @Test
    void refusesFilesOfOtherSets() throws Exception {
        for (JsonObject file : Vectors.objects(Vectors.json("hybrid/keyfiles.json"), "files")) {
            if (file.get("set").getAsString().equals("X-Wing")) {
                boolean isPublic = file.get("kind").getAsString().equals("public");
                byte[] der = Vectors.bytes(file, "der");
                refuses(file.toString(), () -> {
                    Object ignored = isPublic ? KeyFormats.fromX509(der) : KeyFormats.fromPkcs8(der);
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_NONE)
    void otherSetsHaveNoFiles(ParameterSet set) {
        try (KemKeyPair pair = set.generateKeyPair()) {
            Refusals.names(
                    assertThrows(IllegalArgumentException.class, () -> KeyFormats.x509(pair.encapsulationKey())),
                    set.toString());
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                Refusals.names(
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> KeyFormats.pkcs8(pair.decapsulationKey(), format)),
                        set.toString());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void withoutASeedThereIsNoFormThatNeedsOne(ParameterSet set) throws Exception {
        try (KemKeyPair pair = set.generateKeyPair();
                DecapsulationKey imported =
                        set.decapsulationKey(pair.decapsulationKey().toBytes())) {
            for (PrivateKeyFormat format : List.of(PrivateKeyFormat.SEED, PrivateKeyFormat.BOTH)) {
                Refusals.names(
                        assertThrows(IllegalStateException.class, () -> KeyFormats.pkcs8(imported, format)),
                        set.toString());
            }
            assertEquals(
                    bytes(set, PrivateKeyFormat.EXPANDED),
                    KeyFormats.pkcs8(imported, PrivateKeyFormat.EXPANDED).length);
        }
    }

    @Test
    void closedKeysAreNotWritten() {
        KemKeyPair pair = ParameterSet.ML_KEM_512.generateKeyPair();
        pair.close();
        for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
            Refusals.names(
                    assertThrows(IllegalStateException.class, () -> KeyFormats.pkcs8(pair.decapsulationKey(), format)),
                    "ML-KEM-512");
        }
    }

    /** All bytes give a key or an InvalidKeyException. */
    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void changedFilesAreReadOrRefused(ParameterSet set) {
        Random random = new Random(1);
        try (KemKeyPair pair = set.generateKeyPair()) {
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                byte[] der = KeyFormats.pkcs8(pair.decapsulationKey(), format);
                for (int round = 0; round < 300; round++) {
                    readsOrRefuses(changed(der, random));
                }
            }
            byte[] x509 = KeyFormats.x509(pair.encapsulationKey());
            for (int round = 0; round < 300; round++) {
                readsOrRefuses(changed(x509, random));
            }
        }
        readsOrRefuses(new byte[0]);
        readsOrRefuses(new byte[100_000]);
    }

    private static byte[] changed(byte[] der, Random random) {
        byte[] other = Arrays.copyOf(der, random.nextInt(4) == 0 ? random.nextInt(2 * der.length) : der.length);
        for (int i = 0; i < other.length && i < 3; i++) {
            other[random.nextInt(Math.min(other.length, 40))] = (byte) random.nextInt();
        }
        return other;
    }

    private static void readsOrRefuses(byte[] der) {
        try (KemKeyPair pair = KeyFormats.fromPkcs8(der)) {
            assertNotNull(pair.parameterSet());
        } catch (InvalidKeyException refused) {
            assertNotNull(refused.getMessage());
        }
        try {
            assertNotNull(KeyFormats.fromX509(der).parameterSet());
        } catch (InvalidKeyException refused) {
            assertNotNull(refused.getMessage());
        }
    }

    private static String sha256(JsonObject file, String what) {
        return file.get(what + "_sha256").getAsString();
    }

    private static String sha256(byte[] data) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
    }
}
