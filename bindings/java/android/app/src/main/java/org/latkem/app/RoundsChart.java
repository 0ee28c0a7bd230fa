// The rounds of one set as lines. SPDX-License-Identifier: Apache-2.0
package org.latkem.app;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.DashPathEffect;
import android.graphics.Paint;
import android.graphics.Path;
import android.view.View;
import android.view.ViewGroup;
import android.widget.LinearLayout;
import java.util.List;
import org.latkem.study.Result;
import org.latkem.study.Statistics;

/** A line for each step, the band from its least to its greatest round, its mean dashed; from 0 up, in microseconds. */
final class RoundsChart extends View {
    private static final int BAND_ALPHA = 28;
    private static final int GRID_LINES = 4;

    private final List<Result> results;
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final float density;
    private final double topMs;

    RoundsChart(Context context, String set, List<Result> results) {
        super(context);
        this.results = results;
        density = getResources().getDisplayMetrics().density;
        topMs = niceTop(results);
        int height = getResources().getDimensionPixelSize(R.dimen.chart_height);
        ViewGroup.MarginLayoutParams place = new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, height);
        place.topMargin = getResources().getDimensionPixelSize(R.dimen.gap);
        setLayoutParams(place);
        setContentDescription(describe(set));
    }

    /** The first of 1, 2, 4, 6, 8 by a power of ten above all rounds: quarters of it have few digits. */
    static double niceTop(List<Result> results) {
        double most = 0;
        for (Result result : results) {
            most = Math.max(most, result.inJava().max());
        }
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        for (double step : new double[] {1, 2, 4, 6, 8}) {
            if (most <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private String describe(String set) {
        StringBuilder steps = new StringBuilder();
        for (Result result : results) {
            Statistics of = result.inJava();
            String title = getContext().getString(StepLook.title(result.step()));
            steps.append(getContext()
                            .getString(
                                    R.string.chart_step,
                                    title,
                                    Numbers.micros(of.mean()),
                                    Numbers.micros(of.min()),
                                    Numbers.micros(of.max())))
                    .append(' ');
        }
        return getContext()
                .getString(R.string.chart_description, set, results.get(0).rounds().length, steps);
    }

    @Override
    protected void onDraw(Canvas canvas) {
        paint.setTextSize(getResources().getDimension(R.dimen.label));
        float left = paint.measureText(topLabel()) + 8 * density;
        float bottom = getHeight() - 1.8f * paint.getTextSize();
        float top = paint.getTextSize();
        Plot plot = new Plot(
                left,
                top,
                getWidth() - 4 * density,
                bottom,
                topMs,
                results.get(0).rounds().length);
        drawGrid(canvas, plot);
        for (Result result : results) {
            drawBand(canvas, plot, result);
        }
        for (Result result : results) {
            drawRounds(canvas, plot, result);
        }
    }

    private void drawGrid(Canvas canvas, Plot plot) {
        for (int i = 0; i <= GRID_LINES; i++) {
            double ms = topMs * i / GRID_LINES;
            style(Paint.Style.STROKE, getResources().getColor(R.color.line), 1);
            canvas.drawLine(plot.left, plot.y(ms), plot.right, plot.y(ms), paint);
            String text = i == GRID_LINES ? topLabel() : Numbers.tick(ms);
            label(canvas, text, plot.left - 6 * density, plot.y(ms), Paint.Align.RIGHT);
        }
        float below = plot.bottom + paint.getTextSize();
        label(canvas, "1", plot.x(0), below, Paint.Align.LEFT);
        label(canvas, String.valueOf(plot.rounds), plot.right, below, Paint.Align.RIGHT);
    }

    private String topLabel() {
        return Numbers.tick(topMs) + ' ' + getContext().getString(R.string.microseconds);
    }

    /** With its middle at y. */
    private void label(Canvas canvas, String text, float x, float y, Paint.Align align) {
        style(Paint.Style.FILL, getResources().getColor(R.color.muted), 0);
        paint.setTextAlign(align);
        canvas.drawText(text, x, y + 0.35f * paint.getTextSize(), paint);
    }

    private void drawBand(Canvas canvas, Plot plot, Result result) {
        Statistics of = result.inJava();
        style(Paint.Style.FILL, colour(result), 0);
        paint.setAlpha(BAND_ALPHA);
        canvas.drawRect(plot.left, plot.y(of.max()), plot.right, plot.y(of.min()), paint);
        style(Paint.Style.STROKE, colour(result), 1);
        paint.setPathEffect(new DashPathEffect(new float[] {4 * density, 4 * density}, 0));
        canvas.drawLine(plot.left, plot.y(of.mean()), plot.right, plot.y(of.mean()), paint);
    }

    private void drawRounds(Canvas canvas, Plot plot, Result result) {
        double[] rounds = result.rounds();
        Path path = new Path();
        path.moveTo(plot.x(0), plot.y(rounds[0]));
        for (int i = 1; i < rounds.length; i++) {
            path.lineTo(plot.x(i), plot.y(rounds[i]));
        }
        style(Paint.Style.STROKE, colour(result), 2);
        paint.setStrokeJoin(Paint.Join.ROUND);
        canvas.drawPath(path, paint);
        style(Paint.Style.FILL, colour(result), 0);
        canvas.drawCircle(plot.x(rounds.length - 1), plot.y(rounds[rounds.length - 1]), 3 * density, paint);
    }

    private int colour(Result result) {
        return getResources().getColor(StepLook.colour(result.step()));
    }

    private void style(Paint.Style style, int colour, float dp) {
        paint.setStyle(style);
        paint.setColor(colour);
        paint.setStrokeWidth(dp * density);
        paint.setPathEffect(null);
    }

    /** The places of rounds and times on the screen. */
    private static final class Plot {
        private final float left;
        private final float top;
        private final float right;
        private final float bottom;
        private final double topMs;
        private final int rounds;

        Plot(float left, float top, float right, float bottom, double topMs, int rounds) {
            this.left = left;
            this.top = top;
            this.right = right;
            this.bottom = bottom;
            this.topMs = topMs;
            this.rounds = rounds;
        }

        float x(int round) {
            return rounds == 1 ? left : left + (right - left) * round / (rounds - 1);
        }

        float y(double ms) {
            return (float) (bottom - (bottom - top) * ms / topMs);
        }
    }
}
