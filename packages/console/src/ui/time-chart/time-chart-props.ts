// What a chart over time is given; its canvas, which is fetched later, gets the same.
import type { ChartLine, ChartMark } from './chart-data.ts';

export interface TimeChartProps {
  title: string;
  /** Start of each point, Unix milliseconds, oldest first. */
  timesMs: readonly number[];
  lines: readonly ChartLine[];
  marks: readonly ChartMark[];
  fromMs: number;
  toMs: number;
  /** Writes a value on the axis and in the readout. */
  format: (value: number) => string;
  /** Writes a moment, e.g. `14:03`. */
  formatTime: (atMs: number) => string;
  /** Labels fall on powers of 1,024. */
  isBinary?: boolean;
  /** Labels fall on whole numbers: nobody is half a viewer. */
  isWhole?: boolean;
  /** The scale reaches at least this high, so that noise does not fill the picture. */
  leastTop: number;
  /** Sentence for screen readers with the newest values. */
  summary: string;
  /** Charts with the same key move their cursors together. */
  group: string;
}
