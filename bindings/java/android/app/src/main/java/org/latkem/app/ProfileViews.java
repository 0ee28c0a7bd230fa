// The parts of the time, as bars and a table. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.content.res.TypedArray;
import android.widget.LinearLayout;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;
import java.util.List;
import java.util.Locale;
import org.latkem.study.SaberProfile;

/** Of each set of Saber a bar for each operation, cut into its functions, and their parts in per cent. */
final class ProfileViews {
    private final Context context;
    private final Tables tables;
    private final int[] colours;

    ProfileViews(Context context) {
        this.context = context;
        this.tables = new Tables(context);
        TypedArray array = context.getResources().obtainTypedArray(R.array.functions);
        colours = new int[array.length()];
        for (int i = 0; i < colours.length; i++) {
            colours[i] = array.getColor(i, 0);
        }
        array.recycle();
    }

    void fill(LinearLayout into, List<SaberProfile> profiles) {
        into.removeAllViews();
        for (int i = 0; i < profiles.size(); i += SaberProfile.OPERATIONS) {
            List<SaberProfile> of = profiles.subList(i, i + SaberProfile.OPERATIONS);
            into.addView(tables.heading(of.get(0).set()));
            into.addView(new ProfileBars(context, of, colours));
            into.addView(tables.sideways(table(of)));
        }
    }

    private TableLayout table(List<SaberProfile> of) {
        TableLayout table = tables.table();
        tables.row(
                table,
                R.color.muted,
                false,
                text(R.string.function),
                text(R.string.operation_keygen_short),
                text(R.string.operation_encaps_short),
                text(R.string.operation_decaps_short));
        table.addView(tables.line());
        List<String> functions = SaberProfile.functions();
        for (int f = 0; f < functions.size(); f++) {
            TableRow row = tables.row(
                    table,
                    R.color.ink,
                    false,
                    title(functions.get(f)),
                    percent(of.get(0), f),
                    percent(of.get(1), f),
                    percent(of.get(2), f));
            TextView name = (TextView) row.getChildAt(0);
            name.setCompoundDrawablesRelativeWithIntrinsicBounds(
                    StepLook.dotOf(context.getResources(), colours[f]), null, null, null);
            name.setCompoundDrawablePadding(context.getResources().getDimensionPixelSize(R.dimen.gap));
        }
        return table;
    }

    /** Names in the middle of a sentence begin small. */
    private static String title(String function) {
        return function.substring(0, 1).toUpperCase(Locale.ROOT) + function.substring(1);
    }

    private String percent(SaberProfile profile, int function) {
        return context.getString(R.string.percent, Math.round(100 * profile.share(function)));
    }

    private String text(int id) {
        return context.getString(id);
    }
}
