export interface SparklineBox {
  width: number;
  height: number;
  /** Number of values for the full width. A shorter series starts further to the right. */
  slots: number;
}

/** Returns the line and the filled area as SVG paths; '' for fewer than two values. The scale starts at 0. */
export function sparklinePath(
  values: readonly number[],
  { width, height, slots }: SparklineBox,
): { line: string; area: string } {
  const shown = values.slice(-slots);
  if (shown.length < 2) return { line: '', area: '' };
  const top = Math.max(...shown, 1);
  const step = width / Math.max(slots - 1, 1);
  const left = width - step * (shown.length - 1);
  const points = shown.map(
    (value, index) => [left + index * step, height - (Math.max(value, 0) / top) * height] as const,
  );
  const line = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return { line, area: `${line}L${round(width)} ${round(height)}L${round(left)} ${round(height)}Z` };
}

const round = (value: number) => Math.round(value * 100) / 100;
