// The app on a phone that Robolectric makes up. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.view.View;
import android.view.ViewGroup;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowLooper;

/** Starts the activity, waits for its thread, and takes pictures of it. */
final class Phone {
    static final int ROUNDS = 30;
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    private final ActivityController<MainActivity> controller;

    Phone(int repetitions) {
        this(ROUNDS, repetitions);
    }

    Phone(int rounds, int repetitions) {
        Intent intent = new Intent().putExtra("rounds", rounds).putExtra("repetitions", repetitions);
        controller = Robolectric.buildActivity(MainActivity.class, intent).setup();
        ShadowLooper.idleMainLooper();
    }

    /** As after the start of the process. */
    static void forgetRuns() throws ReflectiveOperationException {
        Constructor<StudyRun> maker =
                StudyRun.class.getDeclaredConstructor(List.class, int.class, int.class, StudyRun.State.class);
        maker.setAccessible(true);
        Field current = StudyRun.class.getDeclaredField("current");
        current.setAccessible(true);
        current.set(null, maker.newInstance(Collections.emptyList(), 1, 1, StudyRun.State.IDLE));
    }

    MainActivity activity() {
        return controller.get();
    }

    <T extends View> T view(int id) {
        return activity().findViewById(id);
    }

    boolean shows(int id) {
        return view(id).isShown();
    }

    void press(int id) {
        assertTrue(view(id).performClick());
        ShadowLooper.idleMainLooper();
    }

    void stop() {
        controller.pause().stop();
        ShadowLooper.idleMainLooper();
    }

    void rotate() {
        controller.recreate();
        ShadowLooper.idleMainLooper();
    }

    /** Until the state is not this one, or so many turns are done. */
    void awaitEnd(int turns) throws InterruptedException {
        long begin = System.nanoTime();
        while (StudyRun.current().state() == StudyRun.State.RUNNING
                && StudyRun.current().done() < turns) {
            assertTrue("the run does not end", System.nanoTime() - begin < PATIENCE_NANOS);
            Thread.sleep(5);
            ShadowLooper.idleMainLooper();
        }
        ShadowLooper.idleMainLooper();
    }

    List<View> allShown() {
        List<View> views = new ArrayList<>();
        collect(activity().findViewById(android.R.id.content), views);
        return views;
    }

    private static void collect(View view, List<View> into) {
        if (view.isShown()) {
            into.add(view);
        }
        for (int i = 0; view instanceof ViewGroup && i < ((ViewGroup) view).getChildCount(); i++) {
            collect(((ViewGroup) view).getChildAt(i), into);
        }
    }

    /** A PNG of the screen. */
    void photograph(String name) throws IOException {
        View view = activity().getWindow().getDecorView();
        save(view, view.getWidth(), view.getHeight(), name);
    }

    /** A PNG of all that scrolling would show, of the one-column page. */
    void photographPage(String name) throws IOException {
        View screen = activity().getWindow().getDecorView();
        View page = ((ViewGroup) activity().findViewById(R.id.page)).getChildAt(0);
        int free = View.MeasureSpec.makeMeasureSpec(0, View.MeasureSpec.UNSPECIFIED);
        page.measure(View.MeasureSpec.makeMeasureSpec(screen.getWidth(), View.MeasureSpec.EXACTLY), free);
        page.layout(0, 0, page.getMeasuredWidth(), page.getMeasuredHeight());
        save(page, page.getWidth(), page.getHeight(), name);
    }

    private void save(View view, int width, int height, String name) throws IOException {
        Bitmap bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
        Canvas canvas = new Canvas(bitmap);
        canvas.drawColor(activity().getResources().getColor(R.color.page));
        view.draw(canvas);
        try (OutputStream out = new FileOutputStream(System.getProperty("latkem.pictures") + "/" + name + ".png")) {
            bitmap.compress(Bitmap.CompressFormat.PNG, 100, out);
        }
    }
}
