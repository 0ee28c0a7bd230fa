// How far a run is, in words. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.res.Resources;

/** The line above the progress bar. */
final class Status {
    private Status() {}

    static String of(Resources resources, StudyRun run, boolean nothingChosen) {
        switch (run.state()) {
            case RUNNING:
                return running(resources, run);
            case FAILED:
                return resources.getString(R.string.failed, run.problem());
            case CANCELLED:
                return resources.getString(R.string.cancelled);
            default:
                return nothingChosen ? resources.getString(R.string.choose) : "";
        }
    }

    private static String running(Resources resources, StudyRun run) {
        if (run.done() == 0) {
            return resources.getString(R.string.warming_up);
        }
        if (run.done() == run.turns()) {
            return resources.getString(R.string.profiling);
        }
        int sets = run.turns() / run.rounds();
        return resources.getString(R.string.round, run.done() / sets + 1, run.rounds());
    }
}
