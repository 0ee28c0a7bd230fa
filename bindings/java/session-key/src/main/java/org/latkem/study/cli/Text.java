/* Lines for a reader, in letters that the reader's terminal has. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.List;

/** A stream of text. If its encoding lacks a sign, letters replace it: us for µs. */
final class Text {
    private static final String[][] PLAIN = {{"µ", "u"}, {"−", "-"}, {"×", "x"}, {"█", "#"}, {"░", "."}};

    private final PrintWriter writer;
    private final CharsetEncoder encoder;

    /** The encoding is that of the stream; null, or one that this Java does not know, is the system's. */
    Text(PrintStream stream, String encoding) {
        String system =
                System.getProperty("native.encoding", Charset.defaultCharset().name());
        String name = encoding != null && Charset.isSupported(encoding) ? encoding : system;
        Charset charset = Charset.forName(name);
        encoder = charset.newEncoder();
        writer = new PrintWriter(stream, false, charset);
    }

    PrintWriter writer() {
        return writer;
    }

    void line(String text) {
        print(text + System.lineSeparator());
    }

    void lines(List<String> texts) {
        texts.forEach(this::line);
    }

    void print(String text) {
        writer.print(fit(text));
        writer.flush();
    }

    private String fit(String text) {
        String fitted = text;
        for (String[] sign : PLAIN) {
            fitted = encoder.canEncode(sign[0]) ? fitted : fitted.replace(sign[0], sign[1]);
        }
        return fitted;
    }
}
