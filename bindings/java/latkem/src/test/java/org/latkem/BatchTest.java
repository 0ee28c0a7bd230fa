// Batches beside single operations. SPDX-License-Identifier: Apache-2.0
package org.latkem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.latkem.testing.Refusals;

class BatchTest {
    /** More than native memory takes at once, and where in such a batch a key is bad. */
    private static final int N = 33;

    private static final int[] PLACES = {0, 1, 15, 16, 32};

    /** The arrays of n operations of a set. */
    private record Operations(ParameterSet set, int n, byte[] eks, byte[] dks, byte[] cts, byte[] sss) {
        Operations(ParameterSet set, int n) {
            this(
                    set,
                    n,
                    new byte[n * set.encapsulationKeyBytes()],
                    new byte[n * set.decapsulationKeyBytes()],
                    new byte[n * set.ciphertextBytes()],
                    new byte[n * set.sharedSecretBytes()]);
        }

        byte[] ek(int i) {
            return at(eks, i, set.encapsulationKeyBytes());
        }

        byte[] dk(int i) {
            return at(dks, i, set.decapsulationKeyBytes());
        }

        byte[] ct(int i) {
            return at(cts, i, set.ciphertextBytes());
        }

        byte[] ss(int i) {
            return at(sss, i, set.sharedSecretBytes());
        }
    }

    private static byte[] at(byte[] all, int i, int bytes) {
        return Arrays.copyOfRange(all, i * bytes, (i + 1) * bytes);
    }

    static Stream<Arguments> setsAndNumbers() {
        return Stream.of(ParameterSet.values())
                .flatMap(set -> Stream.of(0, 1, 5, 33).map(n -> Arguments.of(set, n)));
    }

    @ParameterizedTest
    @MethodSource("setsAndNumbers")
    void eachElementIsASingleOperation(ParameterSet set, int n) throws Exception {
        Operations batch = filled(set, n);
        byte[] again = new byte[batch.sss.length];
        Batch.decapsulate(set, n, again, batch.cts, batch.dks);
        assertArrayEquals(batch.sss, again);
        for (int i = 0; i < n; i++) {
            assertArrayEquals(batch.ss(i), set.decapsulate(batch.dk(i), batch.ct(i)), "element " + i);
        }
        if (n > 1) {
            assertFalse(Arrays.equals(batch.ek(0), batch.ek(1)), "keys differ");
            assertFalse(Arrays.equals(batch.ss(0), batch.ss(1)), "secrets differ");
        }
    }

    private static Operations filled(ParameterSet set, int n) throws InvalidKeyException {
        Operations batch = new Operations(set, n);
        Batch.generateKeyPairs(set, n, batch.eks, batch.dks);
        Batch.encapsulate(set, n, batch.cts, batch.sss, batch.eks);
        return batch;
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void aBadEncapsulationKeySpoilsItsElementAlone(ParameterSet set) throws Exception {
        for (int bad : PLACES) {
            Operations batch = filled(set, N);
            Arrays.fill(batch.cts, (byte) 0x55);
            Arrays.fill(batch.sss, (byte) 0x55);
            batch.eks[bad * set.encapsulationKeyBytes()] = (byte) 0xff;
            batch.eks[bad * set.encapsulationKeyBytes() + 1] = (byte) 0xff;
            Throwable thrown = assertThrows(
                    InvalidKeyException.class, () -> Batch.encapsulate(set, N, batch.cts, batch.sss, batch.eks));
            Refusals.names(thrown, set.toString());
            for (int i = 0; i < N; i++) {
                byte[] expected = i == bad ? new byte[batch.ss(i).length] : set.decapsulate(batch.dk(i), batch.ct(i));
                assertArrayEquals(expected, batch.ss(i), "element " + i + " where " + bad + " is bad");
            }
            assertArrayEquals(new byte[set.ciphertextBytes()], batch.ct(bad));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ML_KEM_.*", mode = EnumSource.Mode.MATCH_ALL)
    void aBadDecapsulationKeySpoilsItsElementAlone(ParameterSet set) throws Exception {
        for (int bad : PLACES) {
            Operations batch = filled(set, N);
            byte[] sss = new byte[batch.sss.length];
            Arrays.fill(sss, (byte) 0x55);
            batch.dks[(bad + 1) * set.decapsulationKeyBytes() - 40] ^= 1;
            Throwable thrown =
                    assertThrows(InvalidKeyException.class, () -> Batch.decapsulate(set, N, sss, batch.cts, batch.dks));
            Refusals.names(thrown, set.toString());
            byte[] expected = batch.sss.clone();
            Arrays.fill(expected, bad * set.sharedSecretBytes(), (bad + 1) * set.sharedSecretBytes(), (byte) 0);
            assertArrayEquals(expected, sss, "where " + bad + " is bad");
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongLengthsAreRefusedAndNothingIsWritten(ParameterSet set) throws Exception {
        Operations batch = filled(set, 2);
        byte[] eks = batch.eks;
        byte[] dks = batch.dks;
        byte[] cts = batch.cts;
        byte[] sss = batch.sss;
        wrong(set, eks.length, array -> Batch.generateKeyPairs(set, 2, array, dks));
        wrong(set, dks.length, array -> Batch.generateKeyPairs(set, 2, eks, array));
        wrong(set, cts.length, array -> Batch.encapsulate(set, 2, array, sss, eks));
        wrong(set, sss.length, array -> Batch.encapsulate(set, 2, cts, array, eks));
        wrong(set, eks.length, array -> Batch.encapsulate(set, 2, cts, sss, array));
        wrong(set, sss.length, array -> Batch.decapsulate(set, 2, array, cts, dks));
        wrong(set, cts.length, array -> Batch.decapsulate(set, 2, sss, array, dks));
        wrong(set, dks.length, array -> Batch.decapsulate(set, 2, sss, cts, array));
        for (int i = 0; i < 2; i++) {
            assertArrayEquals(batch.ss(i), set.decapsulate(batch.dk(i), batch.ct(i)), "the arrays are as they were");
        }
    }

    private static void wrong(ParameterSet set, int right, Refusals.CallWithLength call) {
        Refusals.telltaleLengths(IllegalArgumentException.class, set, right, call);
    }

    @Test
    void aNumberBelowZeroOrTooLargeIsRefused() {
        ParameterSet set = ParameterSet.ML_KEM_768;
        byte[] none = new byte[0];
        for (int n : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 27}) {
            for (Executable call : new Executable[] {
                () -> Batch.generateKeyPairs(set, n, none, none),
                () -> Batch.encapsulate(set, n, none, none, none),
                () -> Batch.decapsulate(set, n, none, none, none)
            }) {
                Refusals.names(assertThrows(IllegalArgumentException.class, call), set.toString());
            }
        }
    }

    /** 2^32 divided by the bytes of this set's shared secret: a product of 32 bits would be 0. */
    @Test
    void aProductThatOverflowsIsNoRightLength() {
        ParameterSet set = ParameterSet.ML_KEM_768;
        int n = 1 << 27;
        assertEquals(0, n * set.sharedSecretBytes());
        assertThrows(
                IllegalArgumentException.class,
                () -> Batch.decapsulate(set, n, new byte[0], new byte[n * set.ciphertextBytes()], new byte[0]));
    }
}
