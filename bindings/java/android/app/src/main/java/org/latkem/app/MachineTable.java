// The machine on which the times were measured. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.os.Build;
import android.view.View;
import android.widget.TableLayout;
import org.latkem.Backend;
import org.latkem.Latkem;
import org.latkem.LatkemException;
import org.latkem.study.Machine;

/** Facts about this phone. */
final class MachineTable {
    private static final int SOC_MODEL_SINCE = 31;

    private MachineTable() {}

    static void fill(TableLayout table, View emulated) {
        Context context = table.getContext();
        Tables tables = new Tables(context);
        Machine machine = new Machine();
        row(tables, table, R.string.model, Build.MANUFACTURER + " " + Build.MODEL);
        row(tables, table, R.string.soc, soc(machine));
        row(tables, table, R.string.abi, Build.SUPPORTED_ABIS[0]);
        row(tables, table, R.string.backend, backend());
        row(
                tables,
                table,
                R.string.android,
                context.getString(R.string.android_version, Build.VERSION.RELEASE, Build.VERSION.SDK_INT));
        row(tables, table, R.string.library, version());
        emulated.setVisibility(machine.emulated() ? View.VISIBLE : View.GONE);
    }

    private static void row(Tables tables, TableLayout table, int title, String value) {
        tables.row(table, R.color.ink, false, table.getContext().getString(title), value);
    }

    /** From Android 12 on the system knows; before, Linux may. */
    private static String soc(Machine machine) {
        if (Build.VERSION.SDK_INT >= SOC_MODEL_SINCE) {
            return Build.SOC_MANUFACTURER + " " + Build.SOC_MODEL;
        }
        return machine.cpu();
    }

    private static String backend() {
        try {
            return Backend.name();
        } catch (LatkemException failure) {
            return failure.getMessage();
        }
    }

    private static String version() {
        try {
            return Latkem.version();
        } catch (LatkemException failure) {
            return "";
        }
    }
}
