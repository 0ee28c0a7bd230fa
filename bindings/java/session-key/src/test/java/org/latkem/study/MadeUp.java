/* Round numbers that no machine measured. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.util.HashMap;
import java.util.List;

/** Results for tests. */
public final class MadeUp {
    private MadeUp() {}

    /** {@return three steps of Saber: 20, 40 and 30 µs in the median, in C half of that where it is measured} */
    public static List<Result> results(boolean withC) {
        return List.of(
                result(Step.KEYGEN, 0.02, withC), result(Step.ENCRYPT, 0.04, withC), result(Step.DECRYPT, 0.03, withC));
    }

    private static Result result(Step step, double ms, boolean withC) {
        double[] rounds = {ms, 0.5 * ms, 2 * ms, 0.75 * ms, 1.25 * ms};
        double[] inC = {ms / 2, ms / 2, ms / 2};
        return new Result("Saber", "swift", step, rounds, withC ? Statistics.of(inC) : null);
    }

    /** {@return a machine; the name of the process says whether it is emulated} */
    public static Machine machine(boolean emulated) {
        return new Machine("aarch64", new HashMap<>(), emulated ? "qemu-aarch64" : "java");
    }
}
