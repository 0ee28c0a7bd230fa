// The known key files of ML-KEM through the provider. SPDX-License-Identifier: Apache-2.0
package org.latkem.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class KeyFilesTest {
    private static List<JsonObject> files() throws Exception {
        Path path = Path.of(System.getProperty("latkem.vectors", ""), "hybrid", "keyfiles.json");
        if (!Files.exists(path)) {
            System.out.println("skipped: -Dlatkem.vectors names no folder with hybrid/keyfiles.json");
            Assumptions.abort("no known key files");
        }
        List<JsonObject> files = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(path)) {
            for (JsonElement file :
                    JsonParser.parseReader(reader).getAsJsonObject().getAsJsonArray("files")) {
                files.add(file.getAsJsonObject());
            }
        }
        return files;
    }

    private static String text(JsonObject file, String member) {
        return file.get(member).getAsString();
    }

    private static byte[] der(JsonObject file) {
        return HexFormat.of().parseHex(text(file, "der"));
    }

    private static boolean isPublic(JsonObject file) {
        return text(file, "kind").equals("public");
    }

    private static String sha256(byte[] data) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
    }

    @Test
    void goodFilesAreRead() throws Exception {
        int read = 0;
        for (JsonObject file : files()) {
            String set = text(file, "set");
            if (!set.startsWith("ML-KEM") || !file.get("ok").getAsBoolean()) {
                continue;
            }
            for (String algorithm : List.of("ML-KEM", set)) {
                if (isPublic(file)) {
                    readsPublic(Provided.factory(algorithm), file);
                } else {
                    readsPrivate(Provided.factory(algorithm), file);
                }
            }
            read++;
        }
        assertTrue(read >= 24, "only " + read + " files");
    }

    private static void readsPublic(KeyFactory factory, JsonObject file) throws Exception {
        MlKemPublicKey key = (MlKemPublicKey) factory.generatePublic(new X509EncodedKeySpec(der(file)));
        assertEquals(text(file, "set"), key.getParams().getName());
        assertEquals(text(file, "ek_sha256"), sha256(key.encapsulationKey().toBytes()), file::toString);
        assertArrayEquals(der(file), key.getEncoded(), file::toString);
    }

    private static void readsPrivate(KeyFactory factory, JsonObject file) throws Exception {
        MlKemPrivateKey key = (MlKemPrivateKey) factory.generatePrivate(new PKCS8EncodedKeySpec(der(file)));
        assertEquals(text(file, "set"), key.getParams().getName());
        assertEquals(text(file, "dk_sha256"), sha256(key.decapsulationKey().toBytes()), file::toString);
        assertEquals(file.has("seed"), key.decapsulationKey().hasSeed(), file::toString);
        assertEquals(file.has("seed"), key.getEncoded().length == 86, file::toString);
    }

    /** Files of X-Wing are good files, but of no service here. */
    @Test
    void otherFilesAreRefused() throws Exception {
        KeyFactory factory = Provided.factory("ML-KEM");
        int refused = 0;
        for (JsonObject file : files()) {
            if (text(file, "set").startsWith("ML-KEM") && file.get("ok").getAsBoolean()) {
                continue;
            }
            Throwable thrown = assertThrows(
                    InvalidKeySpecException.class,
                    () -> {
                        if (isPublic(file)) {
                            factory.generatePublic(new X509EncodedKeySpec(der(file)));
                        } else {
                            factory.generatePrivate(new PKCS8EncodedKeySpec(der(file)));
                        }
                    },
                    file::toString);
            assertEquals(InvalidKeyException.class, thrown.getCause().getClass());
            refused++;
        }
        assertTrue(refused >= 90, "only " + refused + " files");
    }
}
