// Every screen of the app, drawn by Android's own graphics. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.view.View;
import android.widget.TextView;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Pictures to be looked at, and what can be said of them without eyes. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 34, qualifiers = "w411dp-h891dp-xxhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public final class ScreensTest {
    private static final int FEW = 20;
    private static final int MANY = 3000; // the picture is taken long before the end
    private static final float TOUCH_DP = 48;

    @Before
    public void forget() throws ReflectiveOperationException {
        Phone.forgetRuns();
    }

    private static Phone done() throws InterruptedException {
        Phone phone = new Phone(FEW);
        phone.press(R.id.run);
        phone.awaitEnd(Integer.MAX_VALUE);
        assertEquals(
                StudyRun.current().problem(),
                StudyRun.State.DONE,
                StudyRun.current().state());
        return phone;
    }

    @Test
    public void start() throws Exception {
        Phone phone = new Phone(FEW);
        assertTrue(phone.shows(R.id.run) && phone.view(R.id.run).isEnabled());
        assertFalse(phone.shows(R.id.cancel) || phone.shows(R.id.progress) || phone.shows(R.id.results_card));
        phone.photograph("start");
    }

    @Test
    public void running() throws Exception {
        Phone phone = new Phone(MANY);
        phone.press(R.id.run);
        phone.awaitEnd(10);
        assertTrue(phone.shows(R.id.cancel) && phone.shows(R.id.progress));
        assertFalse(phone.shows(R.id.run));
        String status = ((TextView) phone.view(R.id.status)).getText().toString();
        assertTrue(status, status.matches("Round \\d+ of 30"));
        phone.photograph("running");
        StudyRun.current().cancel();
        phone.awaitEnd(Integer.MAX_VALUE);
    }

    @Test
    public void results() throws Exception {
        Phone phone = done();
        assertTrue(phone.shows(R.id.results_card) && phone.shows(R.id.profile_card) && phone.shows(R.id.share));
        phone.photograph("done");
        phone.photographPage("page-light");
        checkTouch(phone);
    }

    @Test
    @Config(qualifiers = "+night")
    public void dark() throws Exception {
        done().photographPage("page-dark");
    }

    @Test
    public void largeFont() throws Exception {
        RuntimeEnvironment.setFontScale(1.8f);
        Phone phone = done();
        phone.photographPage("page-large-font");
        checkTouch(phone);
    }

    @Test
    @Config(qualifiers = "w891dp-h411dp-land-xxhdpi")
    public void landscape() throws Exception {
        done().photograph("landscape");
    }

    /** Controls are 48 dp high and wide; drawings have a description in words too. */
    private static void checkTouch(Phone phone) {
        float density = phone.activity().getResources().getDisplayMetrics().density;
        for (View view : phone.allShown()) {
            if (view.isClickable()) {
                assertTrue(view + " is small", view.getHeight() >= TOUCH_DP * density);
                assertTrue(view + " is narrow", view.getWidth() >= TOUCH_DP * density);
            }
            if (view instanceof RoundsChart || view instanceof ProfileBars) {
                assertNotNull(view.getContentDescription());
                assertTrue(view.getContentDescription().toString().contains("Saber"));
            }
        }
    }
}
