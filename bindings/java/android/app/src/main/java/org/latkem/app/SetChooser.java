// The sets as buttons that stay down. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.view.View;
import android.widget.CheckBox;
import android.widget.LinearLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.latkem.ParameterSet;

/** A row of buttons for each family; Saber is chosen at first. */
final class SetChooser {
    private final Map<ParameterSet, CheckBox> boxes = new EnumMap<>(ParameterSet.class);
    private final Runnable changed;

    SetChooser(LinearLayout rows, Runnable changed) {
        this.changed = changed;
        String last = "";
        for (ParameterSet set : ParameterSet.values()) {
            if (!family(set).equals(last)) {
                rows.addView(new FlowLayout(rows.getContext()));
            }
            last = family(set);
            add((FlowLayout) rows.getChildAt(rows.getChildCount() - 1), set);
        }
    }

    /** The letters that a name begins or ends with: LightSaber and FireSaber are of one. */
    private static String family(ParameterSet set) {
        String name = set.toString();
        return name.endsWith("Saber") ? "Saber" : name.replaceAll("[-0-9].*", "") + name.endsWith("90s");
    }

    private void add(FlowLayout row, ParameterSet set) {
        View.inflate(row.getContext(), R.layout.chip, row);
        CheckBox box = (CheckBox) row.getChildAt(row.getChildCount() - 1);
        box.setText(set.toString());
        box.setChecked(set == ParameterSet.SABER);
        box.setOnCheckedChangeListener((view, checked) -> changed.run());
        boxes.put(set, box);
    }

    List<ParameterSet> chosen() {
        List<ParameterSet> sets = new ArrayList<>();
        for (Map.Entry<ParameterSet, CheckBox> entry : boxes.entrySet()) {
            if (entry.getValue().isChecked()) {
                sets.add(entry.getKey());
            }
        }
        return sets;
    }

    ArrayList<String> chosenNames() {
        ArrayList<String> names = new ArrayList<>();
        for (ParameterSet set : chosen()) {
            names.add(set.toString());
        }
        return names;
    }

    void choose(List<String> names) {
        for (Map.Entry<ParameterSet, CheckBox> entry : boxes.entrySet()) {
            entry.getValue().setChecked(names.contains(entry.getKey().toString()));
        }
    }

    void setEnabled(boolean enabled) {
        for (CheckBox box : boxes.values()) {
            box.setEnabled(enabled);
        }
    }
}
