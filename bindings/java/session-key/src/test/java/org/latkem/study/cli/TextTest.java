/* Signs that an encoding lacks; the progress line. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;

class TextTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private String written(String encoding) {
        return bytes.toString(Charset.forName(encoding));
    }

    private Text text(String encoding) {
        return new Text(new PrintStream(bytes), encoding);
    }

    @Test
    void signsStandAsTheyAreWhereTheyCan() {
        text("UTF-8").print("1 µs − 2×");
        assertEquals("1 µs − 2×", written("UTF-8"));
    }

    @Test
    void lettersStandForSigns() {
        text("US-ASCII").print("1 µs − 2× █░");
        assertEquals("1 us - 2x #.", written("US-ASCII"));
    }

    @Test
    void eachSignForItself() {
        text("ISO-8859-1").print("1 µs − 2×");
        assertEquals("1 µs - 2×", written("ISO-8859-1"));
    }

    @Test
    void progressIsOneLineThatIsWiped() {
        ProgressLine progress = new ProgressLine(text("UTF-8"), 3, true);
        progress.turn(0, 6);
        progress.clear();
        assertEquals("\r\033[Kwarming up\r\033[K", written("UTF-8"));
    }

    @Test
    void progressCountsRounds() {
        ProgressLine progress = new ProgressLine(text("UTF-8"), 3, true);
        progress.turn(3, 6);
        String bar = "█".repeat(15) + "░".repeat(15);
        assertTrue(written("UTF-8").contains(bar + " round 2 of 3, about "), written("UTF-8"));
    }

    @Test
    void noTerminalGetsNoProgress() {
        ProgressLine progress = new ProgressLine(text("UTF-8"), 3, false);
        progress.turn(0, 6);
        progress.clear();
        assertEquals("", written("UTF-8"));
    }
}
