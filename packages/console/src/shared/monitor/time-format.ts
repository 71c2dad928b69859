import type { MonitorRange } from '@srs-stack/contract';

const hours = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const timeParts: Record<MonitorRange, Intl.DateTimeFormatOptions> = {
  '5m': { ...hours, second: '2-digit' },
  '1h': hours,
  '24h': hours,
  '7d': { month: 'numeric', day: 'numeric', ...hours },
};

/** Returns a formatter for the time axis of a chart, in local time. */
export function timeFormatOf(range: MonitorRange, language: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(language, timeParts[range]);
  return (atMs) => format.format(atMs);
}
