// The table for other apps. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.app.Activity;
import android.content.ClipData;
import android.content.Context;
import android.content.Intent;
import android.widget.Toast;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.latkem.study.Csv;
import org.latkem.study.Machine;

/** Writes the CSV and asks who wants it. */
final class Share {
    static final String FILE = "latkem-study.csv";

    private Share() {}

    static void start(Activity activity, StudyRun run) {
        try {
            write(activity, run);
            activity.startActivity(Intent.createChooser(intent(), activity.getString(R.string.share)));
        } catch (IOException failure) {
            String text = activity.getString(R.string.failed, failure.getMessage());
            Toast.makeText(activity, text, Toast.LENGTH_LONG).show();
        }
    }

    static File file(Context context) {
        return new File(context.getCacheDir(), FILE);
    }

    private static void write(Context context, StudyRun run) throws IOException {
        try (OutputStream out = new FileOutputStream(file(context))) {
            out.write(Csv.of(run.results(), new Machine().emulated()).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Whom it is sent to may read this one file, until they are done. */
    static Intent intent() {
        Intent intent = new Intent(Intent.ACTION_SEND);
        intent.setType(ResultsProvider.TYPE);
        intent.putExtra(Intent.EXTRA_STREAM, ResultsProvider.URI);
        intent.putExtra(Intent.EXTRA_SUBJECT, FILE);
        intent.setClipData(ClipData.newRawUri(FILE, ResultsProvider.URI));
        intent.addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
        return intent;
    }
}
