// Groups metrics into charts, with colours and scales. Pure.
import type { MonitorHistory } from '@srs-stack/contract';
import type { TFunction } from 'i18next';
import type { ChartLine } from '../../ui/time-chart/chart-data.ts';
import type { Formats } from './formats.ts';

interface Chart {
  id: 'viewers' | 'bandwidth' | 'cpu' | 'memory' | 'streams' | 'disk';
  lines: ChartLine[];
  format: keyof Formats;
  /** Smallest maximum of the scale, in the unit of the lines. */
  leastTop: number;
}

const megabit = 1_000_000;
const gigabyte = 1024 ** 3;

/** Whether a line has a value above zero. A line without such values is omitted. */
function hasAny(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null && value > 0);
}

export function chartsOf(mean: MonitorHistory['mean'], t: TFunction<'dashboard'>): Chart[] {
  const protocols = [
    { label: 'HTTP-FLV', color: '--chart-2', values: mean.viewersFlv },
    { label: 'HLS', color: '--chart-3', values: mean.viewersHls },
    { label: 'RTMP', color: '--chart-4', values: mean.viewersRtmp },
    { label: 'SRT', color: '--chart-5', values: mean.viewersSrt },
    { label: 'WebRTC', color: '--chart-6', values: mean.viewersRtc },
  ];
  return [
    {
      id: 'viewers',
      format: 'count',
      leastTop: 4,
      lines: [
        { label: t('line.viewers'), color: '--chart-1', values: mean.viewers, isFilled: true },
        ...protocols.filter(({ values }) => hasAny(values)),
      ],
    },
    {
      id: 'bandwidth',
      format: 'rate',
      leastTop: megabit,
      lines: [
        { label: t('line.received'), color: '--chart-2', values: mean.receivedBps },
        { label: t('line.sent'), color: '--chart-3', values: mean.sentBps, isFilled: true },
      ],
    },
    {
      id: 'cpu',
      format: 'share',
      leastTop: 0.1,
      lines: [
        { label: t('line.machine'), color: '--chart-4', values: mean.machineCpu, isFilled: true },
        { label: t('line.gateway'), color: '--chart-1', values: mean.gatewayCpuCores },
        { label: t('line.platform'), color: '--chart-6', values: mean.platformCpuCores },
      ],
    },
    {
      id: 'memory',
      format: 'bytes',
      leastTop: gigabyte,
      lines: [
        { label: t('line.machine'), color: '--chart-5', values: mean.memoryUsedBytes, isFilled: true },
        { label: t('line.gateway'), color: '--chart-1', values: mean.gatewayMemoryBytes },
        { label: t('line.platform'), color: '--chart-6', values: mean.platformMemoryBytes },
      ],
    },
    {
      id: 'streams',
      format: 'count',
      leastTop: 4,
      lines: [{ label: t('line.streams'), color: '--chart-1', values: mean.streams, isFilled: true }],
    },
    {
      id: 'disk',
      format: 'bytes',
      leastTop: gigabyte,
      lines: [{ label: t('line.disk'), color: '--chart-6', values: mean.diskFreeBytes, isFilled: true }],
    },
  ];
}
