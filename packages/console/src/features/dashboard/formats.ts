// How figures and moments are written on the dashboard, for one language.
import type { MonitorRange } from '@srs-stack/contract';
import { formatBitrate } from '../../shared/format-bitrate.ts';
import { formatBytes } from '../../shared/format-bytes.ts';

export interface Formats {
  count(value: number): string;
  rate(value: number): string;
  bytes(value: number): string;
  share(value: number): string;
}

export function formatsOf(language: string): Formats {
  return {
    count: (value) => Math.round(value).toLocaleString(language),
    rate: (value) => formatBitrate(value, language),
    bytes: (value) => formatBytes(value, language),
    share: (value) => value.toLocaleString(language, { style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 }),
  };
}

const hours = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const timeParts: Record<MonitorRange, Intl.DateTimeFormatOptions> = {
  '5m': { ...hours, second: '2-digit' },
  '1h': hours,
  '24h': hours,
  '7d': { month: 'numeric', day: 'numeric', ...hours },
};

/** Moments as the axis of a range needs them, in the browser's time zone. */
export function timeFormatOf(range: MonitorRange, language: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(language, timeParts[range]);
  return (atMs) => format.format(atMs);
}

/** Time left in its two largest units, as numbers for a sentence. */
export function spanOf(seconds: number): { unit: 'days' | 'hours' | 'minutes'; first: number; second: number } {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 1_440)
    return { unit: 'days', first: Math.floor(minutes / 1_440), second: Math.floor((minutes % 1_440) / 60) };
  if (minutes >= 60) return { unit: 'hours', first: Math.floor(minutes / 60), second: minutes % 60 };
  return { unit: 'minutes', first: minutes, second: 0 };
}
