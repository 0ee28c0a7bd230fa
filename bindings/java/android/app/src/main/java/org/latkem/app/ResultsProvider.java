// One file for those who were given leave to read it. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import java.io.File;
import java.io.FileNotFoundException;

/** Gives out the CSV of the last share, to read only. */
public final class ResultsProvider extends ContentProvider {
    static final String TYPE = "text/csv";
    static final Uri URI = Uri.parse("content://org.latkem.app.results/" + Share.FILE);

    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public String getType(Uri uri) {
        return uri.equals(URI) ? TYPE : null;
    }

    @Override
    public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
        if (!uri.equals(URI) || !mode.equals("r")) {
            throw new FileNotFoundException(uri + " cannot be opened for " + mode);
        }
        return ParcelFileDescriptor.open(Share.file(getContext()), ParcelFileDescriptor.MODE_READ_ONLY);
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] arguments, String order) {
        if (!uri.equals(URI)) {
            return null;
        }
        String[] asked = columns == null ? new String[] {OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE} : columns;
        File file = Share.file(getContext());
        Object[] values = new Object[asked.length];
        for (int i = 0; i < asked.length; i++) {
            values[i] = OpenableColumns.DISPLAY_NAME.equals(asked[i])
                    ? Share.FILE
                    : OpenableColumns.SIZE.equals(asked[i]) ? (Object) file.length() : null;
        }
        MatrixCursor cursor = new MatrixCursor(asked, 1);
        cursor.addRow(values);
        return cursor;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        throw new UnsupportedOperationException("to read only");
    }

    @Override
    public int delete(Uri uri, String where, String[] arguments) {
        throw new UnsupportedOperationException("to read only");
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
        throw new UnsupportedOperationException("to read only");
    }
}
