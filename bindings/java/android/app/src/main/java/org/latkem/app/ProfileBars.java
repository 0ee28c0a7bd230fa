// The functions' parts of each operation. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Paint;
import android.view.View;
import java.util.List;
import org.latkem.study.SaberProfile;

/** A bar for each operation, as long as its time is beside the longest one's, cut into its functions. */
final class ProfileBars extends View {
    private static final int[] TITLES = {R.string.operation_keygen, R.string.operation_encaps, R.string.operation_decaps
    };
    private static final float LINE = 1.5f;

    private final List<SaberProfile> profiles;
    private final int[] colours;
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final float label;
    private final float bar;
    private final float gap;

    ProfileBars(Context context, List<SaberProfile> profiles, int[] colours) {
        super(context);
        this.profiles = profiles;
        this.colours = colours;
        label = getResources().getDimension(R.dimen.label);
        bar = getResources().getDimension(R.dimen.bar);
        gap = getResources().getDimension(R.dimen.gap);
        setContentDescription(describe());
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < profiles.size(); i++) {
            text.append(getContext().getString(TITLES[i])).append(": ");
            for (int f = 0; f < colours.length; f++) {
                text.append(SaberProfile.functions().get(f)).append(' ');
                text.append(Math.round(100 * profiles.get(i).share(f))).append(" %, ");
            }
        }
        return getContext()
                .getString(R.string.profile_description, profiles.get(0).set(), text);
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        float height = profiles.size() * (LINE * label + bar + gap) + gap;
        setMeasuredDimension(MeasureSpec.getSize(widthSpec), (int) Math.ceil(height));
    }

    @Override
    protected void onDraw(Canvas canvas) {
        double longest = 0;
        for (SaberProfile profile : profiles) {
            longest = Math.max(longest, profile.nanos());
        }
        float y = 0;
        for (int i = 0; i < profiles.size(); i++) {
            drawTitle(canvas, i, y + label);
            drawBar(canvas, profiles.get(i), y + LINE * label, (float) (getWidth() / longest));
            y += LINE * label + bar + gap;
        }
    }

    private void drawTitle(Canvas canvas, int i, float baseline) {
        paint.setTextSize(label);
        paint.setColor(getResources().getColor(R.color.muted));
        paint.setTextAlign(Paint.Align.LEFT);
        canvas.drawText(getContext().getString(TITLES[i]), 0, baseline, paint);
        String time = Numbers.micros(profiles.get(i).nanos() / 1e6);
        time += ' ' + getContext().getString(R.string.microseconds);
        paint.setTextAlign(Paint.Align.RIGHT);
        canvas.drawText(time, getWidth(), baseline, paint);
    }

    private void drawBar(Canvas canvas, SaberProfile profile, float top, float pixelsPerNano) {
        float x = 0;
        for (int f = 0; f < colours.length; f++) {
            float width = (float) (profile.share(f) * profile.nanos()) * pixelsPerNano;
            paint.setColor(colours[f]);
            canvas.drawRect(x, top, x + Math.max(0, width), top + bar, paint);
            x += width;
        }
    }
}
