// A small live chart without axes. The caller displays the current value.
import { useId } from 'react';
import classes from './sparkline.module.css';
import { sparklinePath } from './sparkline-path.ts';

export interface SparklineProps {
  /** Oldest first. */
  values: readonly number[];
  /** Text for screen readers, e.g. "Bitrate of the last minute, now 2,012 kbps". */
  label: string;
  slots?: number;
  /** Height, CSS pixels. */
  height?: number;
}

const width = 240;

export function Sparkline({ values, label, slots = 60, height = 48 }: SparklineProps) {
  const gradientId = useId();
  const { line, area } = sparklinePath(values, { width, height: height - 3, slots });
  return (
    <svg
      className={classes.chart}
      viewBox={`0 -1.5 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <defs>
        <linearGradient id={gradientId} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity="0.28" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d={`M0 ${height - 3}H${width}`} className={classes.base} />
      <path d={area} fill={`url(#${gradientId})`} />
      <path d={line} className={classes.line} />
    </svg>
  );
}
