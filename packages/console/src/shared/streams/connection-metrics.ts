import type { LiveStream } from '@srs-stack/contract';

export interface ConnectionMetric {
  kind: 'rtt' | 'latency' | 'lost' | 'recovered' | 'dropped' | 'damaged';
  value: number;
}

/** Displayed metrics by their name in the media server, in display order. */
const shownMetrics: readonly { kind: ConnectionMetric['kind']; name: string; hideZero: boolean }[] = [
  { kind: 'rtt', name: 'rttMs', hideZero: true },
  { kind: 'latency', name: 'latencyMs', hideZero: true },
  { kind: 'lost', name: 'lostPackets', hideZero: false },
  { kind: 'recovered', name: 'recoveredPackets', hideZero: true },
  { kind: 'dropped', name: 'droppedPackets', hideZero: true },
  { kind: 'damaged', name: 'damagedFrames', hideZero: true },
];

/** Selects the displayed metrics of the publisher's connection; empty for protocols without metrics. */
export function connectionMetrics({ publisherDetail }: Pick<LiveStream, 'publisherDetail'>): ConnectionMetric[] {
  return shownMetrics.flatMap(({ kind, name, hideZero }) => {
    const value = publisherDetail?.[name];
    if (typeof value !== 'number' || !Number.isFinite(value) || (hideZero && value <= 0)) return [];
    return [{ kind, value: kind === 'rtt' && value < 10 ? Number(value.toFixed(1)) : Math.round(value) }];
  });
}
