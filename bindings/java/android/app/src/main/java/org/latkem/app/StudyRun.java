// One run of the study, on a thread of its own. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.os.Handler;
import android.os.Looper;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.latkem.LatkemException;
import org.latkem.ParameterSet;
import org.latkem.study.Native;
import org.latkem.study.Result;
import org.latkem.study.SaberProfile;
import org.latkem.study.Study;

/**
 * The state of a run. There is one in the process at a time, whatever activity shows it. The thread that measures is
 * the one writer; the main thread reads, and is notified of changes there.
 */
final class StudyRun {
    /** The state of a run. */
    enum State {
        IDLE,
        RUNNING,
        CANCELLED,
        FAILED,
        DONE
    }

    /** Is called on the main thread when something changed. */
    interface Listener {
        void changed();
    }

    private static final Handler MAIN = new Handler(Looper.getMainLooper());
    private static final int PROFILE_ROUNDS = 120;
    private static StudyRun current = new StudyRun(Collections.emptyList(), 1, 1, State.IDLE);
    private static Listener listener;

    private final List<ParameterSet> sets;
    private final int rounds;
    private final int repetitions;
    private volatile State state;
    private volatile boolean cancelled;
    private volatile int done;
    private volatile String problem = "";
    private volatile List<Result> results = Collections.emptyList();
    private volatile List<SaberProfile> profiles = Collections.emptyList();

    private StudyRun(List<ParameterSet> sets, int rounds, int repetitions, State state) {
        this.sets = new ArrayList<>(sets);
        this.rounds = rounds;
        this.repetitions = repetitions;
        this.state = state;
    }

    /** Of the main thread: the last run, or one that is idle. */
    static StudyRun current() {
        return current;
    }

    /** Of the main thread: null for nobody. */
    static void listen(Listener next) {
        listener = next;
    }

    /** Of the main thread: begins, unless one is running. */
    static void start(List<ParameterSet> sets, int rounds, int repetitions) {
        if (current.state == State.RUNNING || sets.isEmpty()) {
            return;
        }
        current = new StudyRun(sets, rounds, repetitions, State.RUNNING);
        new Thread(current::measure, "study").start();
        tell();
    }

    void cancel() {
        cancelled = true;
    }

    State state() {
        return state;
    }

    int rounds() {
        return rounds;
    }

    /** Sets by rounds. */
    int turns() {
        return rounds * sets.size();
    }

    int done() {
        return done;
    }

    String problem() {
        return problem;
    }

    List<Result> results() {
        return results;
    }

    List<SaberProfile> profiles() {
        return profiles;
    }

    private static void tell() {
        if (listener != null) {
            listener.changed();
        }
    }

    private void measure() {
        try {
            Native.load();
            Study study = new Study(sets, rounds, repetitions, Native.timer(null));
            results = study.run((turn, all) -> progress(turn));
            profiles = cancelled ? profiles : profile();
            finish(cancelled ? State.CANCELLED : State.DONE);
        } catch (GeneralSecurityException | LatkemException | LinkageError failure) {
            problem = String.valueOf(failure.getMessage());
            finish(State.FAILED);
        }
    }

    private boolean progress(int turn) {
        done = turn;
        MAIN.post(StudyRun::tell);
        return !cancelled;
    }

    private List<SaberProfile> profile() {
        List<SaberProfile> all = new ArrayList<>();
        for (ParameterSet set : sets) {
            if (SaberProfile.has(set) && !cancelled) {
                all.addAll(SaberProfile.measure(set, PROFILE_ROUNDS));
            }
        }
        return all;
    }

    /** In the main thread, so that nobody sees the end before the listener. */
    private void finish(State end) {
        MAIN.post(() -> {
            state = end;
            tell();
        });
    }
}
