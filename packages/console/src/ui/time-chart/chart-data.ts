export interface ChartLine {
  label: string;
  /** CSS variable, e.g. `--chart-2`. An output protocol has the same colour in all charts. */
  color: string;
  /** One value per time; null interrupts the line. */
  values: readonly (number | null)[];
  isFilled?: boolean;
  /** Distinguishes lines of one colour. */
  isDashed?: boolean;
}

export interface ChartMark {
  atMs: number;
  label: string;
  /** CSS variable. */
  color: string;
}

/** The three newest marks within `reachMs` of a time. */
export function marksNear(marks: readonly ChartMark[], atMs: number, reachMs: number): ChartMark[] {
  return marks.filter((mark) => Math.abs(mark.atMs - atMs) <= reachMs).slice(-3);
}

/** Top of the scale: slightly above the maximum value, at least `least`. */
export function topOf(lines: readonly ChartLine[], least: number): number {
  let highest = 0;
  for (const { values } of lines) for (const value of values) if (value !== null && value > highest) highest = value;
  return Math.max(least, highest * 1.12);
}
