import type { ChartLine, ChartMark } from './chart-data.ts';

export interface TimeChartProps {
  title: string;
  /** Start times of the points, Unix milliseconds, oldest first. */
  timesMs: readonly number[];
  lines: readonly ChartLine[];
  marks: readonly ChartMark[];
  fromMs: number;
  toMs: number;
  format: (value: number) => string;
  /** Formats a time, e.g. `14:03`. */
  formatTime: (atMs: number) => string;
  /** Places labels at powers of 1,024. */
  isBinary?: boolean;
  /** Uses whole numbers as labels, for counts such as viewers. */
  isWhole?: boolean;
  /** Minimum top of the scale, so that noise does not fill the chart. */
  leastTop: number;
  /** Text for screen readers with the newest values. */
  summary: string;
  /** Charts of a group share their cursor position. */
  group: string;
}
