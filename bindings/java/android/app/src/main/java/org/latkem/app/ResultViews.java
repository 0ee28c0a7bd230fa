// The times as tables and charts. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.widget.LinearLayout;
import android.widget.TableLayout;
import android.widget.TableRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.latkem.study.Result;
import org.latkem.study.Statistics;

/** Of each set a heading, a table of its steps and a chart of its rounds. */
final class ResultViews {
    private final Context context;
    private final Tables tables;

    ResultViews(Context context) {
        this.context = context;
        this.tables = new Tables(context);
    }

    void fill(LinearLayout into, List<Result> results) {
        into.removeAllViews();
        for (Map.Entry<String, List<Result>> set : bySet(results).entrySet()) {
            into.addView(tables.heading(set.getKey()));
            into.addView(tables.sideways(table(set.getValue())));
            into.addView(new RoundsChart(context, set.getKey(), set.getValue()));
        }
    }

    private static Map<String, List<Result>> bySet(List<Result> results) {
        Map<String, List<Result>> sets = new LinkedHashMap<>();
        for (Result result : results) {
            if (!sets.containsKey(result.set())) {
                sets.put(result.set(), new ArrayList<>());
            }
            sets.get(result.set()).add(result);
        }
        return sets;
    }

    private TableLayout table(List<Result> results) {
        TableLayout table = tables.table();
        tables.row(
                table,
                R.color.muted,
                false,
                text(R.string.column_step),
                text(R.string.column_min),
                text(R.string.column_mean),
                text(R.string.column_max),
                text(R.string.column_c));
        table.addView(tables.line());
        for (Result result : results) {
            Statistics java = result.inJava();
            TableRow row = tables.row(
                    table,
                    R.color.ink,
                    false,
                    text(StepLook.title(result.step())),
                    Numbers.micros(java.min()),
                    Numbers.micros(java.mean()),
                    Numbers.micros(java.max()),
                    Numbers.micros(result.inC().mean()));
            StepLook.mark(row, result.step());
        }
        return table;
    }

    private String text(int id) {
        return context.getString(id);
    }
}
