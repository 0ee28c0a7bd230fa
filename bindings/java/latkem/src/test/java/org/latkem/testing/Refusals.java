// The required message of an exception about a wrong length. SPDX-License-Identifier: Apache-2.0
package org.latkem.testing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.latkem.ParameterSet;

/** Calls that must be refused, and the content of their messages. */
public final class Refusals {
    private Refusals() {}

    /** A call with an array of some length. */
    @FunctionalInterface
    public interface CallWithLength {
        /** Calls with an array of that many bytes. */
        void call(byte[] array) throws Exception;
    }

    /**
     * Every length from 0 to a few bytes above the right one is refused, and the message names set and both lengths.
     */
    public static <T extends Throwable> void everyWrongLength(
            Class<T> kind, ParameterSet set, int right, CallWithLength call) {
        wrongLengths(kind, set, right, length -> true, call);
    }

    /** The same for the lengths near the ends, where each try costs more. */
    public static <T extends Throwable> void telltaleLengths(
            Class<T> kind, ParameterSet set, int right, CallWithLength call) {
        wrongLengths(kind, set, right, length -> length < 2 || length > right - 2, call);
    }

    private static <T extends Throwable> void wrongLengths(
            Class<T> kind, ParameterSet set, int right, IntPredicate tried, CallWithLength call) {
        IntStream.rangeClosed(0, right + 3)
                .filter(tried)
                .filter(length -> length != right)
                .forEach(length -> {
                    T thrown = assertThrows(kind, () -> call.call(new byte[length]), () -> length + " bytes");
                    assertEquals(kind, thrown.getClass());
                    names(thrown, set.toString(), Integer.toString(length), Integer.toString(right));
                });
    }

    /** The exception's message has each of these words. */
    public static void names(Throwable thrown, String... words) {
        String message = String.valueOf(thrown.getMessage());
        List<String> tokens = new ArrayList<>(List.of(message.split("[\\s,;:()\"']+")));
        assertAll(List.of(words).stream()
                .map(word -> () -> assertTrue(
                        tokens.contains(word) || tokens.contains(word + "."),
                        () -> "'" + message + "' does not name " + word)));
    }
}
