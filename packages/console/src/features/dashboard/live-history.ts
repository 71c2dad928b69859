// Appends pushed snapshots to the fetched history. The shortest range then grows without requests. Pure.
import type { MonitorEvent, MonitorHistory, MonitorSeries, MonitorSnapshot } from '@srs-stack/contract';
import { monitorSeries } from '@srs-stack/contract/values/monitor.ts';

type Columns = Pick<MonitorHistory, 'timesMs' | 'mean' | 'fromMs' | 'toMs'>;

/** The points of the history and a point for each newer snapshot. Drops points before the start of the range. */
export function withSnapshots(history: MonitorHistory, snapshots: readonly MonitorSnapshot[]): Columns {
  const newer = snapshots.filter(({ atMs }) => atMs > history.toMs);
  const toMs = newer.at(-1)?.atMs ?? history.toMs;
  const fromMs = toMs - (history.toMs - history.fromMs);
  const firstKept = history.timesMs.findIndex((atMs) => atMs >= fromMs);
  const from = firstKept < 0 ? history.timesMs.length : firstKept;
  const added = newer.map(metricsOf);
  const mean = Object.fromEntries(
    monitorSeries.map((name) => [
      name,
      [...history.mean[name].slice(from), ...added.map((metrics) => metrics[name] ?? null)],
    ]),
  ) as Columns['mean'];
  return { fromMs, toMs, timesMs: [...history.timesMs.slice(from), ...newer.map(({ atMs }) => atMs)], mean };
}

/** Metrics of a snapshot by their names in the history. While the media server is down, its metrics are unknown. */
function metricsOf(snapshot: MonitorSnapshot): Partial<Record<MonitorSeries, number>> {
  const { engine, viewers, viewersByProtocol, cpu, memory, disk } = snapshot;
  const always = {
    machineCpu: cpu.machine,
    platformCpuCores: cpu.platformCores,
    memoryUsedBytes: memory.usedBytes,
    platformMemoryBytes: memory.platformBytes,
    diskFreeBytes: disk.freeBytes,
  };
  if (engine === 'away') return always;
  const { flv = 0, hls = 0, rtmp = 0, srt = 0, rtc = 0 } = viewersByProtocol;
  return {
    ...always,
    streams: snapshot.streams,
    viewers,
    viewersFlv: flv,
    viewersHls: hls,
    viewersRtmp: rtmp,
    viewersSrt: srt,
    viewersRtc: rtc,
    viewersOther: Math.max(0, viewers - flv - hls - rtmp - srt - rtc),
    receivedBps: snapshot.receivedBps,
    sentBps: snapshot.sentBps,
    gatewayCpuCores: cpu.gatewayCores,
    gatewayMemoryBytes: memory.gatewayBytes,
  };
}

/** Merges both lists without duplicates, oldest first. */
export function mergedEvents(fetched: readonly MonitorEvent[], pushed: readonly MonitorEvent[]): MonitorEvent[] {
  const byId = new Map([...fetched, ...pushed].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
