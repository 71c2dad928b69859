// Chart of metrics over time. Charts of a group share their cursor. The chart library is loaded on first use.
import { lazy, Suspense, useState } from 'react';
import { type ChartLine, marksNear } from './chart-data.ts';
import classes from './time-chart.module.css';
import type { TimeChartProps } from './time-chart-props.ts';

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'));

/** Height of the chart, CSS pixels. */
const height = 170;

export function TimeChart(props: TimeChartProps) {
  const { title, timesMs, lines, marks, format, formatTime, summary, fromMs, toMs } = props;
  const [cursorIndex, setCursorIndex] = useState<number | null>(null);
  const shown = cursorIndex !== null && cursorIndex < timesMs.length ? cursorIndex : null;
  const atMs = shown === null ? undefined : timesMs[shown];
  const near = atMs === undefined ? [] : marksNear(marks, atMs, (toMs - fromMs) / 60);
  return (
    <figure className={classes.chart} data-points={pointsOf(lines)} data-marks={marks.length}>
      <figcaption className={classes.head}>
        <span className={classes.title}>{title}</span>
        <time className={classes.time} aria-hidden>
          {atMs === undefined ? '' : formatTime(atMs)}
        </time>
      </figcaption>
      <div className={classes.canvas} style={{ height }} role="img" aria-label={`${title}. ${summary}`}>
        <Suspense fallback={<div className={classes.waiting} />}>
          <ChartCanvas {...props} height={height} onCursor={setCursorIndex} />
        </Suspense>
      </div>
      <ul className={classes.readout}>
        {lines.map(({ label, color, values, isDashed }) => (
          <li key={label}>
            <span
              className={classes.swatch}
              style={{ color: `var(${color})` }}
              data-dashed={isDashed || undefined}
              aria-hidden
            />
            {label} <b>{text(shown === null ? newestOf(values) : values[shown], format)}</b>
          </li>
        ))}
      </ul>
      <p className={classes.marks} aria-hidden>
        {near.map(({ label }) => label).join(' · ')}
      </p>
    </figure>
  );
}

function text(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function newestOf(values: ChartLine['values']): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

function pointsOf(lines: readonly ChartLine[]): number {
  return Math.max(0, ...lines.map(({ values }) => values.filter((value) => value !== null).length));
}
