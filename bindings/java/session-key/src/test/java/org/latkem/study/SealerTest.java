/* Sealed messages in Java: all sets, each changed byte, files that the command's own vectors hold.
 * SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

class SealerTest {
    private static final Path VECTORS = Path.of("../../../tests/cli/sealed_vectors.txt");
    private static final byte[] MESSAGE = "a session key".getBytes(StandardCharsets.US_ASCII);

    /** Key pair and sealer of a set. */
    private static final class Side {
        private final Sealer sealer;
        private final byte[] ek;
        private final byte[] dk;

        Side(ParameterSet set) throws GeneralSecurityException {
            sealer = new Sealer(set);
            try (KemKeyPair pair = set.generateKeyPair()) {
                ek = pair.encapsulationKey().toBytes();
                dk = pair.decapsulationKey().toBytes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsSealedOpensAgain(ParameterSet set) throws GeneralSecurityException {
        Side side = new Side(set);
        assertArrayEquals(MESSAGE, side.sealer.open(side.dk, side.sealer.seal(side.ek, MESSAGE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 228, 65536})
    void lengthsAreAsTheFormatSays(int length) throws GeneralSecurityException {
        Side side = new Side(ParameterSet.SABER);
        byte[] sealed = side.sealer.seal(side.ek, new byte[length]);
        assertEquals(48 + "Saber".length() + ParameterSet.SABER.ciphertextBytes() + length + 16, sealed.length);
        assertArrayEquals(new byte[length], side.sealer.open(side.dk, sealed));
    }

    @Test
    void moreThanOneChunkIsRefused() throws GeneralSecurityException {
        Side side = new Side(ParameterSet.SABER);
        assertThrows(IllegalArgumentException.class, () -> side.sealer.seal(side.ek, new byte[65537]));
        byte[] sealed = side.sealer.seal(side.ek, new byte[65536]);
        byte[] longer = Arrays.copyOf(sealed, sealed.length + 1);
        assertThrows(GeneralSecurityException.class, () -> side.sealer.open(side.dk, longer));
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_512", "NTRU_HPS_2048_509"})
    void aChangedByteIsNoticed(ParameterSet set) throws GeneralSecurityException {
        Side side = new Side(set);
        byte[] sealed = side.sealer.seal(side.ek, MESSAGE);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThrows(GeneralSecurityException.class, () -> side.sealer.open(side.dk, changed), "byte " + i);
        }
    }

    @Test
    void whatIsCutOffIsNoticed() throws GeneralSecurityException {
        Side side = new Side(ParameterSet.ML_KEM_512);
        byte[] sealed = side.sealer.seal(side.ek, MESSAGE);
        for (int length = 0; length < sealed.length; length++) {
            byte[] shorter = Arrays.copyOf(sealed, length);
            assertThrows(GeneralSecurityException.class, () -> side.sealer.open(side.dk, shorter), length + " bytes");
        }
    }

    @Test
    void anotherKeyOpensNothing() throws GeneralSecurityException {
        Side side = new Side(ParameterSet.ML_KEM_768);
        Side other = new Side(ParameterSet.ML_KEM_768);
        byte[] sealed = side.sealer.seal(side.ek, MESSAGE);
        assertThrows(GeneralSecurityException.class, () -> other.sealer.open(other.dk, sealed));
    }

    /** Another ek in dk: the research sets do not check it, but it is part of what the keys are bound to. */
    @Test
    void anotherEkInDkOpensNothing() throws GeneralSecurityException {
        Side side = new Side(ParameterSet.SABER);
        byte[] sealed = side.sealer.seal(side.ek, MESSAGE);
        byte[] patched = side.dk.clone();
        patched[patched.length - 65] ^= 1;
        assertThrows(GeneralSecurityException.class, () -> side.sealer.open(patched, sealed));
    }

    /** The files of version 2 with AES-256-GCM for a set of the enum; their key pairs are those of a known seed. */
    @Test
    void theCommandsVectorsOpen() throws IOException, GeneralSecurityException {
        int opened = 0;
        for (String vector : Files.readString(VECTORS).split("\\R\\R")) {
            Optional<ParameterSet> set = Arrays.stream(ParameterSet.values())
                    .filter(one -> value(vector, "set").equals(one.toString()))
                    .findAny();
            if (set.isEmpty()
                    || !value(vector, "version").equals("2")
                    || !value(vector, "cipher").equals("1")) {
                continue;
            }
            byte[] message = open(set.get(), HexFormat.of().parseHex(value(vector, "file")));
            assertEquals("lattice-based photo", new String(message, StandardCharsets.US_ASCII));
            opened++;
        }
        assertEquals(2, opened, "vectors of version 2 with AES-256-GCM");
    }

    private static byte[] open(ParameterSet set, byte[] sealed) throws GeneralSecurityException {
        byte[] seed = new byte[set.seedBytes()];
        for (int i = 0; i < seed.length; i++) {
            seed[i] = (byte) i;
        }
        try (KemKeyPair pair = set.keyPairFromSeed(seed)) {
            return new Sealer(set).open(pair.decapsulationKey().toBytes(), sealed);
        }
    }

    /** Of lines "name = value". */
    private static String value(String vector, String name) {
        return vector.lines()
                .filter(line -> line.startsWith(name + " = "))
                .findAny()
                .map(line -> line.substring(name.length() + 3))
                .orElse("");
    }
}
