// Draws a chart with uPlot; loaded on demand by `time-chart.tsx`.
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { type ChartMark, topOf } from './chart-data.ts';
import type { TimeChartProps } from './time-chart-props.ts';
import 'uplot/dist/uPlot.min.css';

export interface ChartCanvasProps extends TimeChartProps {
  height: number;
  /** Called with the index of the point at the cursor of any chart in the group; null without a cursor. */
  onCursor: (index: number | null) => void;
}

const axisFont = '11px system-ui, sans-serif';
/** Minimum distances of labels, CSS pixels. */
const timeLabelSpacePx = 76;
const valueLabelSpacePx = 38;
const valueAxisWidthPx = 64;
const timeAxisHeightPx = 26;
/** Possible intervals of time labels: 5 s to two days. */
const timeSteps = [
  5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
].map((seconds) => seconds * 1_000);
/** Possible intervals of byte labels: 1, 2, 5, 10, … 500 times each power of 1,024. */
const binarySteps = [0, 1, 2, 3, 4].flatMap((power) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((factor) => factor * 1024 ** power),
);

/** Possible intervals of count labels: 1, 2, 5, 10, … */
const wholeSteps = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power));
/** Lengths of dash and gap in a dashed line, CSS pixels. */
const dashPx = [5, 4];

export default function ChartCanvas(props: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const colorScheme = useComputedColorScheme('light');
  const shape = props.lines.map(({ label, color }) => `${label} ${color}`).join('|');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines, colours or formats need a new chart
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(optionsOf(latest, element.clientWidth), dataOf(latest.current), element);
    chart.current = made;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height: latest.current.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [shape, colorScheme, props.format, props.formatTime, props.group]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new data, new range or new marks
  useEffect(() => {
    const drawn = chart.current;
    if (!drawn) return;
    drawn.batch(() => {
      drawn.setData(dataOf(props), false);
      drawn.setScale('x', { min: props.fromMs, max: props.toMs });
    });
  }, [props.timesMs, props.lines, props.marks, props.fromMs, props.toMs]);

  return <div ref={place} />;
}

function dataOf({ timesMs, lines }: TimeChartProps): uPlot.AlignedData {
  return [[...timesMs], ...lines.map(({ values }) => [...values])];
}

function optionsOf(latest: { readonly current: ChartCanvasProps }, width: number): uPlot.Options {
  const { lines, height, group, fromMs, toMs } = latest.current;
  const muted = colorOf('--text-muted');
  const axis = { stroke: muted, font: axisFont, grid: { stroke: colorOf('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, 34, 0, 0],
    cursor: { sync: { key: group }, y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, min: fromMs, max: toMs },
      y: { range: () => [0, topOf(latest.current.lines, latest.current.leastTop)] },
    },
    axes: [
      {
        ...axis,
        space: timeLabelSpacePx,
        size: timeAxisHeightPx,
        incrs: timeSteps,
        values: (_, splits) => splits.map(latest.current.formatTime),
      },
      {
        ...axis,
        space: valueLabelSpacePx,
        size: valueAxisWidthPx,
        ...(latest.current.isBinary && { incrs: binarySteps }),
        ...(latest.current.isWhole && { incrs: wholeSteps }),
        values: (_, splits) => splits.map(latest.current.format),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, color, isFilled = false, isDashed = false }): uPlot.Series => {
        const stroke = colorOf(color);
        return {
          label,
          stroke,
          width: 1.75,
          points: { show: false },
          ...(isDashed && { dash: dashPx.map((length) => length * devicePixelRatio) }),
          ...(isFilled && { fill: `color-mix(in srgb, ${stroke} 16%, transparent)` }),
        };
      }),
    ],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onCursor(cursor.idx ?? null)],
      draw: [(drawn) => drawMarks(drawn, latest.current.marks)],
    },
  };
}

function drawMarks(drawn: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = drawn;
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = pixel;
  ctx.setLineDash([3 * pixel, 3 * pixel]);
  for (const { atMs, color } of marks) {
    const x = Math.round(drawn.valToPos(atMs, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = colorOf(color);
    ctx.globalAlpha = 0.65;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + bbox.height - 6 * pixel);
    ctx.lineTo(x + 4 * pixel, bbox.top + bbox.height);
    ctx.lineTo(x - 4 * pixel, bbox.top + bbox.height);
    ctx.fill();
  }
  ctx.restore();
}

/** Resolves a CSS variable, which a canvas does not support. */
function colorOf(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
