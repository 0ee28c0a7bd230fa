// The jar's main class: JMH, or the program that measures ratios. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.util.Arrays;

/** {@code java -jar latkem-bench-VERSION.jar [ratios ARGUMENTS | JMH'S ARGUMENTS]}. */
public final class Main {
    private Main() {}

    /**
     * Runs one of the two.
     *
     * @param words the command line
     * @throws Exception as the libraries do
     */
    public static void main(String[] words) throws Exception {
        if (words.length > 0 && words[0].equals("ratios")) {
            Ratios.main(Arrays.copyOfRange(words, 1, words.length));
        } else {
            org.openjdk.jmh.Main.main(words);
        }
    }
}
