// Number formats of the dashboard, for one language.
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

/** Remaining time as two numbers, in its largest unit and the next smaller unit. */
export function spanOf(seconds: number): { unit: 'days' | 'hours' | 'minutes'; first: number; second: number } {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 1_440)
    return { unit: 'days', first: Math.floor(minutes / 1_440), second: Math.floor((minutes % 1_440) / 60) };
  if (minutes >= 60) return { unit: 'hours', first: Math.floor(minutes / 60), second: minutes % 60 };
  return { unit: 'minutes', first: minutes, second: 0 };
}
