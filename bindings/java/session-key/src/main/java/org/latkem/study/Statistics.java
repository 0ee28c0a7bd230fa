/* Minimum, mean, maximum and quartiles of the rounds. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.util.Arrays;

/** Statistics over the rounds of one step; all times are milliseconds. */
public final class Statistics {
    private final double[] sorted;

    private Statistics(double[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Describes measured times.
     *
     * @param ms one time for each round, at least one; copied
     * @return their statistics
     * @throws IllegalArgumentException if there is none
     */
    public static Statistics of(double[] ms) {
        if (ms.length == 0) {
            throw new IllegalArgumentException("statistics of no rounds");
        }
        double[] sorted = ms.clone();
        Arrays.sort(sorted);
        return new Statistics(sorted);
    }

    /** {@return the least time} */
    public double min() {
        return sorted[0];
    }

    /** {@return the sum by the number of rounds} */
    public double mean() {
        double sum = 0;
        for (double ms : sorted) {
            sum += ms;
        }
        return sum / sorted.length;
    }

    /** {@return the greatest time} */
    public double max() {
        return sorted[sorted.length - 1];
    }

    /** {@return the middle time} */
    public double median() {
        return quantile(0.5);
    }

    /** {@return the lower quartile} */
    public double q1() {
        return quantile(0.25);
    }

    /** {@return the upper quartile} */
    public double q3() {
        return quantile(0.75);
    }

    /** The value below which that share of the times lies, interpolated between two of them. */
    private double quantile(double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
