// What a chart is made of, in plain data. Pure.

export interface ChartLine {
  label: string;
  /** CSS variable, e.g. `--chart-viewers`: a metric has the same colour everywhere. */
  color: string;
  /** One per time; null breaks the line. */
  values: readonly (number | null)[];
  isFilled?: boolean;
  /** Tells two lines of one colour apart. */
  isDashed?: boolean;
}

export interface ChartMark {
  atMs: number;
  label: string;
  /** CSS variable. */
  color: string;
}

/** Marks so close to a moment that its readout names them; the newest few. */
export function marksNear(marks: readonly ChartMark[], atMs: number, reachMs: number): ChartMark[] {
  return marks.filter((mark) => Math.abs(mark.atMs - atMs) <= reachMs).slice(-3);
}

/** Top of the scale: a little air above the highest value. */
export function topOf(lines: readonly ChartLine[], least: number): number {
  let highest = 0;
  for (const { values } of lines) for (const value of values) if (value !== null && value > highest) highest = value;
  return Math.max(least, highest * 1.12);
}
