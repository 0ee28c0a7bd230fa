// The app's one page. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.app.Activity;
import android.graphics.Rect;
import android.os.Bundle;
import android.view.View;
import android.widget.LinearLayout;
import android.widget.ProgressBar;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.List;
import org.latkem.ParameterSet;

/**
 * Choose sets, run, read. A run belongs to the process ({@link StudyRun}): the activity shows it, and the next one
 * after a rotation goes on showing it.
 *
 * <p>The extras {@code rounds} and {@code repetitions} of the intent change 30 × 1000, as in
 * {@code adb shell am start -n org.latkem.app/.MainActivity --ei rounds 3}.
 */
public final class MainActivity extends Activity implements StudyRun.Listener {
    private static final int ROUNDS = 30;
    private static final int REPETITIONS = 1000;
    private static final String SETS = "sets";

    private SetChooser chooser;
    private StudyRun shown;
    private StudyRun watched;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        setContentView(R.layout.main);
        text(R.id.intro, getString(R.string.intro, extra("rounds", ROUNDS), extra("repetitions", REPETITIONS)));
        chooser = new SetChooser((LinearLayout) findViewById(R.id.sets), this::changed);
        if (saved != null) {
            chooser.choose(saved.getStringArrayList(SETS));
        }
        findViewById(R.id.run).setOnClickListener(view -> run());
        findViewById(R.id.cancel).setOnClickListener(view -> StudyRun.current().cancel());
        findViewById(R.id.share).setOnClickListener(view -> Share.start(this, StudyRun.current()));
        MachineTable.fill(findViewById(R.id.machine), findViewById(R.id.emulated));
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putStringArrayList(SETS, chooser.chosenNames());
    }

    @Override
    protected void onStart() {
        super.onStart();
        StudyRun.listen(this);
        changed();
    }

    @Override
    protected void onStop() {
        StudyRun.listen(null);
        super.onStop();
    }

    private void run() {
        List<ParameterSet> sets = chooser.chosen();
        StudyRun.start(sets, extra("rounds", ROUNDS), extra("repetitions", REPETITIONS));
    }

    private int extra(String name, int otherwise) {
        return Math.max(1, getIntent().getIntExtra(name, otherwise));
    }

    @Override
    public void changed() {
        StudyRun run = StudyRun.current();
        boolean running = run.state() == StudyRun.State.RUNNING;
        watched = running ? run : watched;
        chooser.setEnabled(!running);
        findViewById(R.id.run).setEnabled(!running && !chooser.chosen().isEmpty());
        show(R.id.run, !running);
        show(R.id.cancel, running);
        show(R.id.progress, running);
        showProgress(run);
        text(R.id.status, Status.of(getResources(), run, chooser.chosen().isEmpty()));
        showResults(run);
    }

    /** A bar that is indeterminate takes no progress: that is settled first. */
    private void showProgress(StudyRun run) {
        ProgressBar bar = findViewById(R.id.progress);
        bar.setIndeterminate(run.done() == 0 || run.done() == run.turns());
        bar.setMax(run.turns());
        bar.setProgress(run.done());
    }

    /** Builds the tables and charts once for each run that is done. */
    private void showResults(StudyRun run) {
        boolean done = run.state() == StudyRun.State.DONE;
        show(R.id.results_card, done);
        show(R.id.profile_card, done && !run.profiles().isEmpty());
        if (!done || run == shown) {
            return;
        }
        shown = run;
        new ResultViews(this).fill((LinearLayout) findViewById(R.id.results), run.results());
        new ProfileViews(this).fill((LinearLayout) findViewById(R.id.profiles), run.profiles());
        if (watched == run) {
            scrollToResults();
        }
    }

    /** The page that has them below the screen: with two columns there is no such page. */
    private void scrollToResults() {
        ScrollView page = findViewById(R.id.page);
        if (page != null) {
            View results = findViewById(R.id.results_card);
            page.post(() -> results.requestRectangleOnScreen(new Rect(0, 0, results.getWidth(), page.getHeight())));
        }
    }

    private void show(int id, boolean visible) {
        findViewById(id).setVisibility(visible ? View.VISIBLE : View.GONE);
    }

    private void text(int id, String text) {
        TextView view = findViewById(id);
        if (!text.contentEquals(view.getText())) {
            view.setText(text);
        }
        view.setVisibility(text.isEmpty() ? View.GONE : View.VISIBLE);
    }
}
