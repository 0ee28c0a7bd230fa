// Numbers as the app shows them. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import java.text.DecimalFormat;
import java.util.Locale;

/** Three digits. */
final class Numbers {
    private Numbers() {}

    /** Milliseconds in microseconds, with as many digits as they have. */
    static String tick(double ms) {
        return new DecimalFormat("#,##0.##").format(ms * 1000);
    }

    /** Milliseconds in microseconds. */
    static String micros(double ms) {
        double value = ms * 1000;
        int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.getDefault(), "%,." + digits + "f", value);
    }
}
