/* Where the C time beside each step comes from. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import org.latkem.ParameterSet;

/** Times the bare C call of a step; {@link Native#timer} is one. */
public interface CTimer {
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
