// What the app does. SPDX-License-Identifier: Apache-2.0
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
import android.view.ViewGroup;
import android.widget.CheckBox;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.latkem.study.Result;
import org.latkem.study.SaberProfile;
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
        assertEquals(StudyRun.current().problem(), StudyRun.State.DONE, StudyRun.current().state());
        return phone;
    }

    @Test
    public void nothingChosenCannotRun() {
        Phone phone = new Phone(FEW);
        box(phone, "Saber").setChecked(false);
        assertFalse(phone.view(R.id.run).isEnabled());
        assertEquals("Choose at least one set.", ((TextView) phone.view(R.id.status)).getText().toString());
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
        assertEquals(0, StudyRun.current().profiles().get(0).share(SaberProfile.functions().indexOf("InnerProd")), 0);
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
        StudyRun.start(Collections.singletonList(org.latkem.ParameterSet.SABER), 1, 1);
        assertSame(first, StudyRun.current());
        phone.press(R.id.cancel);
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(StudyRun.State.CANCELLED, first.state());
        assertEquals("Cancelled.", ((TextView) phone.view(R.id.status)).getText().toString());
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
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(resolver.openInputStream(uri), StandardCharsets.UTF_8))) {
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

    @Test
    public void numbersHaveThreeDigits() {
        assertEquals("9.99", Numbers.micros(0.009987));
        assertEquals("10.0", Numbers.micros(0.009996));
        assertEquals("123", Numbers.micros(0.1234));
        assertEquals("1,235", Numbers.micros(1.2345));
    }
}
