// Takes results, so that the work for them is done. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

/** Keeps the last result where a compiler cannot know that nobody reads it. */
final class Sink {
    static volatile Object last;

    private Sink() {}
}
