// Takes one sample of everything: the figures of now, their history, and the events that follow from a change.
import { type MonitorSnapshot, maxMonitorWorkers } from '@srs-stack/contract';
import type { Certificates } from '../certificates/certificates.ts';
import type { MeasureDisk } from '../recording/disk-room.ts';
import { alarmsOf, isFailing, roomOf } from './alarms.ts';
import type { Figures } from './history.ts';
import type { HistoryFile } from './history-file.ts';
import type { LiveFigures } from './live-figures.ts';
import type { MachineFigures } from './machine-figures.ts';
import type { MonitorEvents } from './monitor-events.ts';
import { createWorkerWatch, listWorkers, type WorkerSources } from './worker-figures.ts';

/** The certificate is read again after this long, milliseconds: its figure is days. */
const certificateMaxAgeMs = 60_000;
/** A trend of the disk needs at least this long a record, milliseconds. */
const leastTrendMs = 10 * 60_000;
/** … and is worked out again after this long, milliseconds. */
const trendMaxAgeMs = 60_000;

export interface Sample {
  readonly snapshot: MonitorSnapshot;
  readonly live: LiveFigures;
}

export interface SamplerDeps extends WorkerSources {
  readonly liveFigures: (clientsMaxAgeMs: number) => Promise<LiveFigures>;
  readonly machineFigures: () => MachineFigures;
  readonly measureDisk: MeasureDisk;
  readonly dataDir: string;
  readonly certificates: Pick<Certificates, 'state'>;
  readonly history: Pick<HistoryFile, 'add' | 'read'>;
  readonly events: Pick<MonitorEvents, 'add'>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export type Sampler = (timing: { nextInMs: number; clientsMaxAgeMs: number }) => Promise<Sample>;

export function createSampler(deps: SamplerDeps): Sampler {
  const { liveFigures, machineFigures, history, events, now, monotonicMs } = deps;
  const watchWorkers = createWorkerWatch();
  let engine: MonitorSnapshot['engine'] | undefined;
  let faulty: { pid: number; faults: number } | undefined;
  let room: ReturnType<typeof roomOf> = 'ok';
  let trend = { atMs: Number.NEGATIVE_INFINITY, bytesPerSecond: 0 };
  let certificate: { atMs: number; facts: MonitorSnapshot['certificate'] } = {
    atMs: Number.NEGATIVE_INFINITY,
    facts: null,
  };

  const readCertificate = async () => {
    if (monotonicMs() - certificate.atMs < certificateMaxAgeMs) return certificate.facts;
    const facts = await deps.certificates.state().then(
      ({ certificate: found }) => found && { daysLeft: found.daysLeft, selfSigned: found.selfSigned },
      () => null,
    );
    certificate = { atMs: monotonicMs(), facts };
    return facts;
  };

  const readDisk = async (atMs: number): Promise<MonitorSnapshot['disk']> => {
    const found = await deps.measureDisk(deps.dataDir).catch(() => ({ totalBytes: 0, freeBytes: 0 }));
    if (monotonicMs() - trend.atMs >= trendMaxAgeMs) {
      trend = { atMs: monotonicMs(), bytesPerSecond: fillRate(history.read('1h', atMs), found.freeBytes) };
    }
    const secondsLeft = trend.bytesPerSecond > 0 ? Math.round(found.freeBytes / trend.bytesPerSecond) : null;
    return { ...found, secondsLeft };
  };

  /** Faults from before the first look have been told by the control plane that ran then; a new engine counts from 0. */
  const tellFaults = (summary: LiveFigures['summary']) => {
    if (!summary) return;
    const { pid, faults, lastFault } = summary;
    const before = faulty === undefined ? faults : faulty.pid === pid ? faulty.faults : 0;
    if (faults > before) events.add({ kind: 'engine-fault', severity: 'error', detail: lastFault });
    faulty = { pid, faults };
  };

  const tellChanges = (snapshot: MonitorSnapshot, { summary }: LiveFigures) => {
    // The first look after a start only tells when something is wrong.
    if (snapshot.engine === 'away' && engine === 'up') events.add({ kind: 'engine-away', severity: 'error' });
    if (snapshot.engine === 'up' && engine === 'away') events.add({ kind: 'engine-back' });
    engine = snapshot.engine;
    tellFaults(summary);
    const next = roomOf(snapshot.disk);
    if (next !== 'ok' && room === 'ok') events.add({ kind: 'disk-low', severity: 'warning' });
    if (next === 'ok' && room !== 'ok') events.add({ kind: 'disk-ok' });
    room = next;
  };

  return async ({ nextInMs, clientsMaxAgeMs }) => {
    const atMs = now().getTime();
    const [live, workers, disk, facts] = await Promise.all([
      liveFigures(clientsMaxAgeMs),
      listWorkers(deps),
      readDisk(atMs),
      readCertificate(),
    ]);
    const machine = machineFigures();
    const engineState = live.summary ? 'up' : 'away';
    const snapshot: MonitorSnapshot = {
      atMs,
      nextInMs,
      engine: engineState,
      engineFaults: live.summary?.faults ?? 0,
      streams: live.streams.length,
      viewers: live.viewers,
      viewersByProtocol: { ...live.viewersByProtocol },
      receivedBps: Math.round(live.receivedBps ?? 0),
      sentBps: Math.round(live.sentBps ?? 0),
      cpu: {
        machine: machine.machineCpu,
        cores: machine.cores,
        gatewayCores: live.summary?.cpuCores ?? 0,
        platformCores: machine.platformCpuCores,
      },
      memory: {
        totalBytes: machine.totalBytes,
        usedBytes: machine.usedBytes,
        gatewayBytes: live.summary?.memoryBytes ?? 0,
        platformBytes: machine.platformBytes,
      },
      disk,
      certificate: facts,
      workers: workers.slice(0, maxMonitorWorkers),
      workersRunning: workers.filter(({ state }) => state === 'running').length,
      workersFailing: workers.filter(isFailing).length,
      alarms: alarmsOf({ engine: engineState, disk, certificate: facts, workers }),
    };
    history.add(atMs, figuresOf(snapshot, live));
    tellChanges(snapshot, live);
    for (const change of watchWorkers(workers)) events.add(change);
    return { snapshot, live };
  };
}

/** While the media server is away, what it would tell is not zero but unknown. */
function figuresOf(snapshot: MonitorSnapshot, live: LiveFigures): Figures {
  const { cpu, memory, disk, workersRunning, workersFailing } = snapshot;
  const always: Figures = {
    machineCpu: cpu.machine,
    platformCpuCores: cpu.platformCores,
    memoryUsedBytes: memory.usedBytes,
    platformMemoryBytes: memory.platformBytes,
    workersRunning,
    workersFailing,
    ...(disk.totalBytes > 0 && { diskFreeBytes: disk.freeBytes }),
  };
  if (!live.summary) return always;
  const { flv = 0, hls = 0, rtmp = 0, srt = 0, rtc = 0 } = snapshot.viewersByProtocol;
  return {
    ...always,
    streams: snapshot.streams,
    viewers: snapshot.viewers,
    viewersFlv: flv,
    viewersHls: hls,
    viewersRtmp: rtmp,
    viewersSrt: srt,
    viewersRtc: rtc,
    viewersOther: Math.max(0, snapshot.viewers - flv - hls - rtmp - srt - rtc),
    gatewayCpuCores: cpu.gatewayCores,
    gatewayMemoryBytes: memory.gatewayBytes,
    ...(live.receivedBps !== undefined && { receivedBps: live.receivedBps }),
    ...(live.sentBps !== undefined && { sentBps: live.sentBps }),
  };
}

/** Bytes per second from the oldest point of the last hour to now; 0 while the disk does not fill, or too little is known. */
function fillRate(
  { timesMs, toMs, mean }: Pick<ReturnType<HistoryFile['read']>, 'timesMs' | 'toMs' | 'mean'>,
  freeBytes: number,
): number {
  const first = mean.diskFreeBytes.findIndex((value) => value !== null);
  const spanMs = toMs - (timesMs[first] ?? toMs);
  const usedBytes = (mean.diskFreeBytes[first] ?? 0) - freeBytes;
  return spanMs < leastTrendMs || usedBytes <= 0 ? 0 : usedBytes / (spanMs / 1_000);
}
