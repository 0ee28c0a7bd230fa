// The logic of the app. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.content.ContentResolver;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.OpenableColumns;
import android.view.View;
import android.view.ViewGroup;
import android.widget.CheckBox;
import android.widget.HorizontalScrollView;
import android.widget.ProgressBar;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.latkem.ParameterSet;
import org.latkem.study.Result;
import org.latkem.study.SaberProfile;
import org.latkem.study.Statistics;
import org.latkem.study.Step;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Choosing, running, rotating, cancelling, sharing. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 34, qualifiers = "w411dp-h891dp-xxhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public final class LogicTest {
    private static final int FEW = 5;
    private static final int MANY = 1000; // for seconds after the first turn

    @Before
    public void forget() throws ReflectiveOperationException {
        Phone.forgetRuns();
    }

    private static CheckBox box(Phone phone, String name) {
        ViewGroup rows = phone.view(R.id.sets);
        for (int row = 0; row < rows.getChildCount(); row++) {
            ViewGroup boxes = (ViewGroup) rows.getChildAt(row);
            for (int i = 0; i < boxes.getChildCount(); i++) {
                if (name.contentEquals(((CheckBox) boxes.getChildAt(i)).getText())) {
                    return (CheckBox) boxes.getChildAt(i);
                }
            }
        }
        throw new AssertionError(name);
    }

    private static Phone done(String... sets) throws InterruptedException {
        Phone phone = new Phone(FEW);
        box(phone, "Saber").setChecked(Arrays.asList(sets).contains("Saber"));
        for (String set : sets) {
            box(phone, set).setChecked(true);
        }
        phone.press(R.id.run);
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(
                StudyRun.current().problem(),
                StudyRun.State.DONE,
                StudyRun.current().state());
        return phone;
    }

    @Test
    public void nothingChosenCannotRun() {
        Phone phone = new Phone(FEW);
        box(phone, "Saber").setChecked(false);
        assertFalse(phone.view(R.id.run).isEnabled());
        assertEquals(
                "Choose at least one set.",
                ((TextView) phone.view(R.id.status)).getText().toString());
        StudyRun.start(Collections.emptyList(), 1, 1);
        assertEquals(StudyRun.State.IDLE, StudyRun.current().state());
    }

    @Test
    public void resultsAreOfTheChosenSets() throws Exception {
        Phone phone = done("Saber", "ML-KEM-768", "NTRU-HPS-2048-677");
        List<Result> results = StudyRun.current().results();
        assertEquals(9, results.size());
        assertEquals("ML-KEM-768", results.get(0).set());
        assertEquals("Saber", results.get(3).set());
        for (Result result : results) {
            assertEquals(Phone.ROUNDS, result.rounds().length);
            assertTrue(result.inJava().min() > 0 && result.inC().min() > 0);
        }
        assertEquals(9, ((ViewGroup) phone.view(R.id.results)).getChildCount()); // heading, table, chart each
        assertEquals(3, ((ViewGroup) phone.view(R.id.profiles)).getChildCount());
    }

    @Test
    public void setsWithoutAProfileHaveNone() throws Exception {
        Phone phone = done("ML-KEM-512");
        assertFalse(phone.shows(R.id.profile_card));
        assertTrue(phone.shows(R.id.results_card));
    }

    @Test
    public void partsOfAProfileAddUp() throws Exception {
        done("Saber");
        assertEquals(SaberProfile.OPERATIONS, StudyRun.current().profiles().size());
        for (SaberProfile profile : StudyRun.current().profiles()) {
            double sum = 0;
            for (int f = 0; f < SaberProfile.functions().size(); f++) {
                sum += profile.share(f);
            }
            assertEquals(1, sum, 1e-9);
            assertTrue("GenMatrix", profile.share(0) > 0.1);
        }
        assertEquals(
                0,
                StudyRun.current()
                        .profiles()
                        .get(0)
                        .share(SaberProfile.functions().indexOf("InnerProd")),
                0);
    }

    @Test
    public void aRotationGoesOn() throws Exception {
        Phone phone = new Phone(MANY);
        box(phone, "ML-KEM-1024").setChecked(true);
        phone.press(R.id.run);
        StudyRun before = StudyRun.current();
        phone.rotate();
        assertSame(before, StudyRun.current());
        assertTrue(phone.shows(R.id.cancel));
        assertTrue(box(phone, "ML-KEM-1024").isChecked());
        phone.awaitEnd(Integer.MAX_VALUE);
        assertTrue(phone.shows(R.id.results_card));
        phone.rotate();
        assertTrue(phone.shows(R.id.results_card));
        assertEquals(6, ((ViewGroup) phone.view(R.id.results)).getChildCount());
    }

    @Test
    public void aSecondRunWaitsForTheFirst() throws Exception {
        Phone phone = new Phone(20 * MANY);
        phone.press(R.id.run);
        StudyRun first = StudyRun.current();
        assertFalse(box(phone, "Saber").isEnabled());
        StudyRun.start(Collections.singletonList(ParameterSet.SABER), 1, 1);
        assertSame(first, StudyRun.current());
        phone.press(R.id.cancel);
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(StudyRun.State.CANCELLED, first.state());
        assertEquals(
                "Cancelled.", ((TextView) phone.view(R.id.status)).getText().toString());
        assertTrue(phone.shows(R.id.run) && phone.view(R.id.run).isEnabled());
    }

    @Test
    public void theTableIsShared() throws Exception {
        Phone phone = done("Saber");
        phone.press(R.id.share);
        Intent chooser = Shadows.shadowOf(phone.activity()).getNextStartedActivity();
        assertEquals(Intent.ACTION_CHOOSER, chooser.getAction());
        Intent send = chooser.getParcelableExtra(Intent.EXTRA_INTENT);
        assertEquals(Intent.ACTION_SEND, send.getAction());
        assertEquals("text/csv", send.getType());
        assertTrue((send.getFlags() & Intent.FLAG_GRANT_READ_URI_PERMISSION) != 0);
        checkFile(phone.activity().getContentResolver(), send.getParcelableExtra(Intent.EXTRA_STREAM));
    }

    private static void checkFile(ContentResolver resolver, Uri uri) throws Exception {
        int lines = 0;
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(resolver.openInputStream(uri), StandardCharsets.UTF_8))) {
            assertTrue(in.readLine().startsWith("language,set,backend,step,min_ms"));
            for (Step step : Step.values()) {
                assertTrue(in.readLine().startsWith("java,Saber,"));
                lines++;
            }
            assertNull(in.readLine());
        }
        assertEquals(3, lines);
        try (Cursor cursor = resolver.query(uri, null, null, null, null)) {
            assertTrue(cursor.moveToFirst());
            int name = cursor.getColumnIndexOrThrow(OpenableColumns.DISPLAY_NAME);
            assertEquals("latkem-study.csv", cursor.getString(name));
            assertTrue(cursor.getLong(cursor.getColumnIndexOrThrow(OpenableColumns.SIZE)) > 100);
        }
        assertEquals("text/csv", resolver.getType(uri));
        Uri other = Uri.parse("content://org.latkem.app.results/../secret");
        assertThrows(FileNotFoundException.class, () -> resolver.openInputStream(other));
        assertThrows(FileNotFoundException.class, () -> resolver.openOutputStream(uri));
        assertThrows(UnsupportedOperationException.class, () -> resolver.delete(uri, null, null));
    }

    /** Of this one file, to read it; nothing beside it is there for anybody. */
    @Test
    public void theSharesRightsAreNarrow() {
        Intent send = Share.intent();
        assertEquals(Intent.FLAG_GRANT_READ_URI_PERMISSION, send.getFlags());
        assertEquals(1, send.getClipData().getItemCount());
        assertEquals(ResultsProvider.URI, send.getClipData().getItemAt(0).getUri());
    }

    @Test
    public void otherFilesAreUnknown() {
        ContentResolver resolver = new Phone(FEW).activity().getContentResolver();
        Uri other = Uri.parse("content://org.latkem.app.results/other.csv");
        assertNull(resolver.query(other, null, null, null, null));
    }

    @Test
    public void otherFilesHaveNoType() {
        ContentResolver resolver = new Phone(FEW).activity().getContentResolver();
        assertNull(resolver.getType(Uri.parse("content://org.latkem.app.results/other.csv")));
    }

    /** For every request of another app there is a round. */
    @Test
    public void roundsArePositive() throws Exception {
        Phone phone = new Phone(0, -1);
        phone.press(R.id.run);
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(StudyRun.State.DONE, StudyRun.current().state());
        assertEquals(1, StudyRun.current().rounds());
    }

    private static Field hidden(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** A library that is asked for anew and is not there. */
    @Test
    public void aFailureIsTold() throws Exception {
        Phone phone = new Phone(FEW);
        Field facts = hidden(ParameterSet.class, "facts");
        Field isLoaded = hidden(Class.forName("org.latkem.NativeLibrary"), "isLoaded");
        Object known = facts.get(ParameterSet.SABER);
        boolean wasLoaded = isLoaded.getBoolean(null);
        System.setProperty("latkem.library.path", "/nowhere");
        try {
            facts.set(ParameterSet.SABER, null);
            isLoaded.setBoolean(null, false);
            phone.press(R.id.run);
            phone.awaitEnd(Integer.MAX_VALUE);
            assertEquals(StudyRun.State.FAILED, StudyRun.current().state());
            String status = ((TextView) phone.view(R.id.status)).getText().toString();
            assertTrue(status, status.startsWith("It failed: ") && status.contains("/nowhere"));
            assertTrue(phone.shows(R.id.run) && !phone.shows(R.id.results_card));
        } finally {
            System.clearProperty("latkem.library.path");
            isLoaded.setBoolean(null, wasLoaded);
            facts.set(ParameterSet.SABER, known);
        }
    }

    @Test
    public void anActivityThatIsGoneIsToldNothing() throws Exception {
        Phone phone = new Phone(FEW);
        phone.stop();
        phone.press(R.id.run);
        assertEquals(
                "the page is that of before", View.VISIBLE, phone.view(R.id.run).getVisibility());
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(View.VISIBLE, phone.view(R.id.run).getVisibility());
        assertEquals(View.GONE, phone.view(R.id.results_card).getVisibility());
    }

    /** The line and the bar, with two sets, after the first turn and before the last. */
    @Test
    public void progressIsOfTurns() throws Exception {
        Phone phone = new Phone(MANY);
        box(phone, "ML-KEM-1024").setChecked(true);
        phone.press(R.id.run);
        phone.awaitEnd(1);
        String status = ((TextView) phone.view(R.id.status)).getText().toString();
        ProgressBar bar = phone.view(R.id.progress);
        assertEquals(2 * Phone.ROUNDS, bar.getMax());
        assertEquals(status, "Round " + (bar.getProgress() / 2 + 1) + " of 30", status);
        assertTrue("the bar", bar.getProgress() > 0 && bar.getProgress() < bar.getMax());
        phone.press(R.id.cancel);
        phone.awaitEnd(Integer.MAX_VALUE);
    }

    private static String cell(TableLayout table, int row, int column) {
        return ((TextView) ((TableRow) table.getChildAt(row)).getChildAt(column))
                .getText()
                .toString();
    }

    /** Rows of a table begin below its heading and a line. */
    @Test
    public void tablesShowTheirNumbers() throws Exception {
        Phone phone = done("Saber");
        HorizontalScrollView view = (HorizontalScrollView) ((ViewGroup) phone.view(R.id.results)).getChildAt(1);
        TableLayout table = (TableLayout) view.getChildAt(0);
        List<Result> results = StudyRun.current().results();
        for (int i = 0; i < results.size(); i++) {
            Statistics java = results.get(i).inJava();
            assertEquals(Numbers.micros(java.min()), cell(table, i + 2, 1));
            assertEquals(Numbers.micros(java.mean()), cell(table, i + 2, 2));
            assertEquals(Numbers.micros(java.max()), cell(table, i + 2, 3));
            assertEquals(Numbers.micros(results.get(i).inC().mean()), cell(table, i + 2, 4));
        }
    }

    @Test
    public void stepsHaveTheirNames() {
        Phone phone = new Phone(FEW);
        List<String> names = new ArrayList<>();
        for (Step step : Step.values()) {
            names.add(phone.activity().getString(StepLook.title(step)));
        }
        assertEquals(Arrays.asList("Key pair", "Encrypt", "Decrypt"), names);
    }

    @Test
    public void profilesStandUnderTheirOperations() throws Exception {
        Phone phone = done("Saber");
        HorizontalScrollView view = (HorizontalScrollView) ((ViewGroup) phone.view(R.id.profiles)).getChildAt(2);
        TableLayout table = (TableLayout) view.getChildAt(0);
        for (int f = 0; f < SaberProfile.functions().size(); f++) {
            for (int i = 0; i < SaberProfile.OPERATIONS; i++) {
                long percent =
                        Math.round(100 * StudyRun.current().profiles().get(i).share(f));
                assertEquals(percent + " %", cell(table, f + 2, i + 1));
            }
        }
    }

    @Test
    public void theChartsTopIsTheNextRoundNumber() throws Exception {
        done("Saber");
        List<Result> results = StudyRun.current().results();
        double most = 0;
        for (Result result : results) {
            most = Math.max(most, result.inJava().max());
        }
        double top = RoundsChart.niceTop(results), power = Math.pow(10, Math.floor(Math.log10(top)));
        assertTrue(top + " above " + most, most <= top && most > top * 0.49);
        assertTrue("a round number", Arrays.asList(1L, 2L, 4L, 6L, 8L).contains(Math.round(top / power)));
    }

    @Test
    public void ticksAreMicroseconds() {
        assertEquals("1.5", Numbers.tick(0.0015));
        assertEquals("1,200", Numbers.tick(1.2));
    }

    @Test
    public void numbersHaveThreeDigits() {
        assertEquals("9.99", Numbers.micros(0.009987));
        assertEquals("10.0", Numbers.micros(0.009996));
        assertEquals("123", Numbers.micros(0.1234));
        assertEquals("1,235", Numbers.micros(1.2345));
    }
}
