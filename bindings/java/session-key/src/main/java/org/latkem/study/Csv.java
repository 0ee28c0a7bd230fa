/* Results as a table for other programs. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.util.List;
import java.util.Locale;

/** Comma-separated values: a line of names, then a line for each result; times are ms. */
public final class Csv {
    private static final String HEAD = "language,set,backend,step,min_ms,mean_ms,max_ms,median_ms,q1_ms,q3_ms,"
            + "c_min_ms,c_mean_ms,c_max_ms,c_median_ms,c_q1_ms,c_q3_ms,java_share_ms,emulated\n";

    private Csv() {}

    /**
     * Writes results.
     *
     * @param results one for each line
     * @param emulated whether they were measured under an emulator
     * @return the text; fields of C are empty where it was not measured
     */
    public static String of(List<Result> results, boolean emulated) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Result result : results) {
            text.append("java,")
                    .append(result.set())
                    .append(',')
                    .append(result.backend())
                    .append(',');
            text.append(result.step().key()).append(times(result.inJava()));
            text.append(result.inC() == null ? ",,,,,,," : times(result.inC()) + time(result.shareMs()));
            text.append(',').append(emulated).append('\n');
        }
        return text.toString();
    }

    private static String times(Statistics of) {
        return time(of.min()) + time(of.mean()) + time(of.max()) + time(of.median()) + time(of.q1()) + time(of.q3());
    }

    private static String time(double ms) {
        return String.format(Locale.ROOT, ",%.6f", ms);
    }
}
