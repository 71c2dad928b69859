// Groups playback metrics into charts with one line per output protocol. Pure.
import type { ViewersHistory } from '@srs-stack/contract';
import type { ViewerOutput } from '@srs-stack/contract/values/viewers.ts';
import type { ChartLine } from '../../ui/time-chart/chart-data.ts';
import { formatBitrate } from '../format-bitrate.ts';

/** Display names of the output protocols. Each protocol has the same colour in every chart. */
export const outputNames: Readonly<Record<ViewerOutput, string>> = {
  webrtc: 'WebRTC',
  flv: 'HTTP-FLV',
  ts: 'HTTP-TS',
  hls: 'HLS',
  llhls: 'LL-HLS',
};
const colors: Readonly<Record<ViewerOutput, string>> = {
  webrtc: '--chart-6',
  flv: '--chart-2',
  ts: '--chart-5',
  hls: '--chart-3',
  llhls: '--chart-4',
};

type Output = ViewersHistory['outputs'][number];
type Column = Exclude<keyof Output, 'output'>;
type Format = 'people' | 'count' | 'seconds' | 'share' | 'rate';

export interface ViewerChart {
  readonly id: 'viewers' | 'join' | 'stalled' | 'stalls' | 'bitrate' | 'delay';
  readonly lines: ChartLine[];
  readonly format: Format;
  /** Minimum top of the scale, in the unit of the lines. */
  readonly leastTop: number;
}

const charts: readonly (Omit<ViewerChart, 'lines'> & { readonly columns: readonly Column[] })[] = [
  { id: 'viewers', columns: ['viewers'], format: 'people', leastTop: 4 },
  { id: 'join', columns: ['joinP50', 'joinP95'], format: 'seconds', leastTop: 1 },
  { id: 'stalled', columns: ['stalledShare'], format: 'share', leastTop: 0.1 },
  { id: 'stalls', columns: ['stallsPerHour'], format: 'count', leastTop: 4 },
  { id: 'bitrate', columns: ['receivedBps'], format: 'rate', leastTop: 1_000_000 },
  { id: 'delay', columns: ['delayP50'], format: 'seconds', leastTop: 2 },
];

/** Label suffixes for charts with two lines per protocol. */
const suffixes: Partial<Record<Column, string>> = { joinP50: ' p50', joinP95: ' p95' };

export function viewerCharts({ outputs }: Pick<ViewersHistory, 'outputs'>): ViewerChart[] {
  return charts.map(({ columns, ...chart }) => ({
    ...chart,
    lines: outputs.flatMap((output) =>
      columns
        .filter((column) => output[column].some((value) => value !== null))
        .map((column) => ({
          label: `${outputNames[output.output]}${suffixes[column] ?? ''}`,
          color: colors[output.output],
          values: output[column],
          ...(column === 'joinP95' && { isDashed: true }),
        })),
    ),
  }));
}

export type ViewerFormats = Readonly<Record<Format, (value: number) => string>>;

export function viewerFormats(language: string): ViewerFormats {
  const decimals = (digits: number) => ({ maximumFractionDigits: digits });
  return {
    people: (value) => value.toLocaleString(language, decimals(0)),
    count: (value) => value.toLocaleString(language, decimals(1)),
    seconds: (value) => `${value.toLocaleString(language, decimals(value < 10 ? 2 : 0))} s`,
    share: (value) => value.toLocaleString(language, { style: 'percent', ...decimals(0) }),
    rate: (value) => formatBitrate(value, language),
  };
}
