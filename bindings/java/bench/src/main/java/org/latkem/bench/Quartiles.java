// The middle of a list of numbers and its spread. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.util.List;

/** First quartile, median and third quartile; between two numbers by their distance. */
record Quartiles(double q1, double median, double q3) {
    static Quartiles of(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double part) {
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
