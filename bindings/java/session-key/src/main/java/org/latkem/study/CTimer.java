/* The clock of a study, and where the C time beside each step comes from. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import org.latkem.ParameterSet;

/** A clock that counts in Java and in C alike; {@link Native#timer} is one. */
public interface CTimer {
    /** {@return the clock, from any start, in ns} */
    long nanos();

    /**
     * Makes what the step needs, then repeats its C call.
     *
     * @param set of the keys
     * @param step to time
     * @param repetitions at least 1
     * @return the mean of the repetitions in ms
     */
    double meanMs(ParameterSet set, Step step, int repetitions);
}
