// Rows of tables. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.graphics.Typeface;
import android.view.Gravity;
import android.view.View;
import android.widget.HorizontalScrollView;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;

/** Makes tables of text: the first column takes the remaining room, and the others are to the right. */
final class Tables {
    private final Context context;
    private final int gap;

    Tables(Context context) {
        this.context = context;
        gap = context.getResources().getDimensionPixelSize(R.dimen.gap);
    }

    TableLayout table() {
        TableLayout table = new TableLayout(context);
        table.setColumnStretchable(0, true);
        return table;
    }

    /** Large letters may need more width than there is: then the table moves sideways. */
    HorizontalScrollView sideways(TableLayout table) {
        HorizontalScrollView view = new HorizontalScrollView(context);
        view.setFillViewport(true);
        view.addView(table);
        return view;
    }

    TableRow row(TableLayout table, int colour, boolean bold, String... cells) {
        TableRow row = new TableRow(context);
        for (int i = 0; i < cells.length; i++) {
            row.addView(cell(cells[i], colour, bold, i > 0));
        }
        table.addView(row);
        return row;
    }

    private TextView cell(String text, int colour, boolean bold, boolean number) {
        TextView cell = new TextView(context);
        cell.setText(text);
        cell.setTextColor(context.getResources().getColor(colour));
        cell.setTextSize(14);
        cell.setFontFeatureSettings("tnum");
        cell.setTypeface(Typeface.create(bold ? "sans-serif-medium" : "sans-serif", Typeface.NORMAL));
        cell.setGravity(number ? Gravity.END : Gravity.START);
        cell.setPaddingRelative(number ? gap : 0, gap / 2, 0, gap / 2);
        return cell;
    }

    TextView heading(String text) {
        TextView heading = cell(text, R.color.ink, true, false);
        heading.setTextSize(16);
        heading.setPadding(0, 2 * gap, 0, gap / 2);
        return heading;
    }

    View line() {
        View line = new View(context);
        line.setBackgroundColor(context.getResources().getColor(R.color.line));
        line.setLayoutParams(new TableLayout.LayoutParams(TableLayout.LayoutParams.MATCH_PARENT, Math.max(1, gap / 8)));
        return line;
    }
}
