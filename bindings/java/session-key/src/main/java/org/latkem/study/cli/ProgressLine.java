/* How far the measurement is, on a terminal. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.latkem.study.Study;

/** One line that is written again and again, and wiped at the end; nothing where standard error is no terminal. */
final class ProgressLine implements Study.Progress {
    private static final int BAR = 30;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final String WIPE = "\r\033[K";

    private final Text err;
    private final int rounds;
    private final boolean shown;
    private long began;
    private long last;

    ProgressLine(Text err, int rounds) {
        this(err, rounds, isTerminal());
    }

    ProgressLine(Text err, int rounds, boolean shown) {
        this.err = err;
        this.rounds = rounds;
        this.shown = shown;
    }

    @Override
    public boolean turn(int done, int all) {
        long now = System.nanoTime();
        if (done == 0 || began == 0) {
            began = now;
        }
        if (shown && now - last > PAUSE_NANOS) {
            last = now;
            err.print(WIPE + line(done, all, now - began));
        }
        return true;
    }

    private String line(int done, int all, long nanos) {
        if (done == 0) {
            return "warming up";
        }
        int full = BAR * done / all;
        double left = nanos / 1e9 / done * (all - done);
        String bar = "█".repeat(full) + "░".repeat(BAR - full);
        int round = Math.min(done * rounds / all + 1, rounds);
        return String.format("%s round %d of %d, about %d s left", bar, round, rounds, Math.round(left));
    }

    void clear() {
        if (shown) {
            err.print(WIPE);
        }
    }

    /** Linux shows where standard error goes; elsewhere a console is taken for one. */
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException noProc) {
            return System.console() != null;
        }
    }
}
