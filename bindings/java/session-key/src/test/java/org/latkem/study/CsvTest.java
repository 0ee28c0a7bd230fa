/* The CSV, line for line. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CsvTest {
    private static final String HEAD = "language,set,backend,step,min_ms,mean_ms,max_ms,median_ms,q1_ms,q3_ms,"
            + "c_min_ms,c_mean_ms,c_max_ms,c_median_ms,c_q1_ms,c_q3_ms,java_share_ms,emulated\n";
    private static final String TIMES =
            "java,Saber,swift,keygen,0.010000,0.022000,0.040000,0.020000,0.015000,0.025000,";

    @Test
    void withC() {
        String c = "0.010000,0.010000,0.010000,0.010000,0.010000,0.010000,0.010000,false\n";
        assertEquals(HEAD + TIMES + c, Csv.of(MadeUp.results(true).subList(0, 1), false));
    }

    @Test
    void fieldsOfCAreEmptyWithoutIt() {
        assertEquals(
                HEAD + TIMES + ",,,,,,,true\n", Csv.of(MadeUp.results(false).subList(0, 1), true));
    }
}
