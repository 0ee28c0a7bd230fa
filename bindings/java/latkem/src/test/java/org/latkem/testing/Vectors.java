// The known-answer files that tests read, and the repository's table of sets. SPDX-License-Identifier: Apache-2.0
package org.latkem.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Known-answer files: {@code -Dlatkem.vectors=FOLDER} says where they lie, unpacked from tests/vectors. */
public final class Vectors {
    private static final HexFormat HEX = HexFormat.of();

    private Vectors() {}

    /** The file of that name below the folder of vectors; if the file is absent, its test is skipped, with a reason. */
    public static Path file(String name) {
        String folder = System.getProperty("latkem.vectors", "");
        if (folder.isEmpty()) {
            skip("-Dlatkem.vectors names no folder of known-answer files");
        }
        Path path = Path.of(folder, name);
        if (!Files.exists(path)) {
            skip("no " + name + " in " + folder);
        }
        return path;
    }

    /** Ends a test as skipped, with a reason that its report shows. */
    public static void skip(String reason) {
        Assumptions.abort(reason);
    }

    /** A JSON file of the vectors. */
    public static JsonObject json(String name) throws IOException {
        return parse(file(name));
    }

    /** The repository's facts of a set (spec/sets.json). */
    public static JsonObject spec(String set) throws IOException {
        for (JsonElement row : parse(repository().resolve("spec/sets.json")).getAsJsonArray("sets")) {
            if (row.getAsJsonObject().get("name").getAsString().equals(set)) {
                return row.getAsJsonObject();
            }
        }
        throw new AssertionError("spec/sets.json has no " + set);
    }

    /** The name by which the authors' own files call a set. */
    public static String referenceName(String set) throws IOException {
        return spec(set).get("reference_name").getAsString();
    }

    /** The top of the repository, above the folder in which Maven runs tests. */
    public static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("spec/sets.json"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** The lines of a text file, which may be compressed by gzip under its name with {@code .gz}. */
    public static List<String> lines(String name) throws IOException {
        Path plain = Path.of(System.getProperty("latkem.vectors", ""), name);
        Path path = Files.exists(plain) ? plain : file(compressedName(name));
        try (InputStream in = Files.newInputStream(path);
                InputStream text = path.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
                BufferedReader reader = new BufferedReader(new InputStreamReader(text, StandardCharsets.US_ASCII))) {
            return reader.lines().toList();
        }
    }

    /** The objects of an array. */
    public static List<JsonObject> objects(JsonObject parent, String name) {
        return StreamSupport.stream(parent.getAsJsonArray(name).spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** Each test of each group of a file of ACVP or Wycheproof, with what its group says of the set added to it. */
    public static List<JsonObject> tests(JsonObject file) {
        List<JsonObject> tests = new ArrayList<>();
        for (JsonObject group : objects(file, "testGroups")) {
            for (JsonObject test : objects(group, "tests")) {
                group.entrySet().stream()
                        .filter(entry -> entry.getValue().isJsonPrimitive())
                        .forEach(entry -> test.add(entry.getKey(), entry.getValue()));
                tests.add(test);
            }
        }
        return tests;
    }

    /** The bytes of a hexadecimal member, in either case of letters. */
    public static byte[] bytes(JsonObject object, String name) {
        return HEX.parseHex(object.get(name).getAsString());
    }

    private static String compressedName(String name) {
        return Files.exists(Path.of(System.getProperty("latkem.vectors", ""), name + ".gz")) ? name + ".gz" : name;
    }

    private static JsonObject parse(Path path) throws IOException {
        try (Reader reader = Files.newBufferedReader(path)) {
            return JsonParser.parseReader(reader).getAsJsonObject();
        }
    }
}
