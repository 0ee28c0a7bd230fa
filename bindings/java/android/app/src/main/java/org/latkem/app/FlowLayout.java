// Views side by side, on as many lines as they need. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;

/** Lays its children out like words. */
final class FlowLayout extends ViewGroup {
    private final int gap;

    FlowLayout(Context context) {
        super(context);
        gap = getResources().getDimensionPixelSize(R.dimen.gap);
        setLayoutParams(new LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT));
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int width = MeasureSpec.getSize(widthSpec);
        int limit = MeasureSpec.makeMeasureSpec(width, MeasureSpec.AT_MOST);
        int free = MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED);
        for (int i = 0; i < getChildCount(); i++) {
            getChildAt(i).measure(limit, free);
        }
        setMeasuredDimension(width, place(width, false));
    }

    @Override
    protected void onLayout(boolean changed, int left, int top, int right, int bottom) {
        place(right - left, true);
    }

    /** Returns the height of all lines. */
    private int place(int width, boolean really) {
        int x = 0;
        int y = 0;
        int height = 0;
        for (int i = 0; i < getChildCount(); i++) {
            View child = getChildAt(i);
            if (x > 0 && x + child.getMeasuredWidth() > width) {
                x = 0;
                y += height;
                height = 0;
            }
            if (really) {
                child.layout(x, y, x + child.getMeasuredWidth(), y + child.getMeasuredHeight());
            }
            x += child.getMeasuredWidth() + gap;
            height = Math.max(height, child.getMeasuredHeight());
        }
        return y + height;
    }
}
