// Props of a chart over time, shared with its canvas, which loads later.
import type { ChartLine, ChartMark } from './chart-data.ts';

export interface TimeChartProps {
  title: string;
  /** Start of each point, Unix milliseconds, oldest first. */
  timesMs: readonly number[];
  lines: readonly ChartLine[];
  marks: readonly ChartMark[];
  fromMs: number;
  toMs: number;
  /** Formats a value for the axis and the readout. */
  format: (value: number) => string;
  /** Formats a time, e.g. `14:03`. */
  formatTime: (atMs: number) => string;
  /** Labels fall on powers of 1,024. */
  isBinary?: boolean;
  /** Labels are whole numbers, for counts such as viewers. */
  isWhole?: boolean;
  /** Minimum height of the scale, so that noise does not fill the chart. */
  leastTop: number;
  /** Sentence for screen readers with the newest values. */
  summary: string;
  /** Charts with the same key move their cursors together. */
  group: string;
}
