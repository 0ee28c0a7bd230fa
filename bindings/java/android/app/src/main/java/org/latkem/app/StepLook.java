// The name and the look of each step. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.res.Resources;
import android.graphics.Typeface;
import android.graphics.drawable.GradientDrawable;
import android.widget.TableRow;
import android.widget.TextView;
import org.latkem.study.Step;

/** Names and colours of steps. */
final class StepLook {
    private StepLook() {}

    static int title(Step step) {
        switch (step) {
            case KEYGEN:
                return R.string.step_keygen;
            case ENCRYPT:
                return R.string.step_encrypt;
            default:
                return R.string.step_decrypt;
        }
    }

    static int colour(Step step) {
        switch (step) {
            case KEYGEN:
                return R.color.step_keygen;
            case ENCRYPT:
                return R.color.step_encrypt;
            default:
                return R.color.step_decrypt;
        }
    }

    /** Puts a dot of the step's colour before a row's first cell, and emphasises the mean, the third. */
    static void mark(TableRow row, Step step) {
        TextView first = (TextView) row.getChildAt(0);
        first.setCompoundDrawablesRelativeWithIntrinsicBounds(dot(row.getResources(), colour(step)), null, null, null);
        first.setCompoundDrawablePadding(row.getResources().getDimensionPixelSize(R.dimen.gap));
        ((TextView) row.getChildAt(2)).setTypeface(Typeface.create("sans-serif-medium", Typeface.NORMAL));
    }

    private static GradientDrawable dot(Resources resources, int colour) {
        return dotOf(resources, resources.getColor(colour));
    }

    static GradientDrawable dotOf(Resources resources, int argb) {
        int size = resources.getDimensionPixelSize(R.dimen.dot);
        GradientDrawable dot = new GradientDrawable();
        dot.setShape(GradientDrawable.OVAL);
        dot.setColor(argb);
        dot.setSize(size, size);
        return dot;
    }
}
