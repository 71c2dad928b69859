// Takes a sample: current metrics, history, and events about changes.
import {
  type MonitorMediaServer,
  type MonitorSnapshot,
  type MonitorWorker,
  maxMonitorWorkers,
} from '@srs-stack/contract';
import type { Certificates } from '../certificates/certificates.ts';
import type { MeasureDisk } from '../recording/disk-space.ts';
import type { Store } from '../store/store.ts';
import type { Drain } from '../streams/drain.ts';
import { alarmsOf, isFailing, roomOf, type SlateOnAir } from './alarms.ts';
import type { MetricValues } from './history.ts';
import type { HistoryFile } from './history-file.ts';
import type { LiveMetrics } from './live-metrics.ts';
import type { MachineMetrics } from './machine-metrics.ts';
import type { MonitorEvents } from './monitor-events.ts';
import type { ViewerWatch } from './viewers/viewer-watch.ts';
import { createWorkerWatch, listWorkers, type WorkerSources } from './worker-metrics.ts';

/** Maximum age of the certificate data, milliseconds. The metric changes once a day. */
const certificateMaxAgeMs = 60_000;
/** Minimum history for a disk trend, milliseconds. */
const leastTrendMs = 10 * 60_000;
/** Maximum age of the disk trend, milliseconds. */
const trendMaxAgeMs = 60_000;
const msPerSecond = 1_000;

export interface Sample {
  readonly snapshot: MonitorSnapshot;
  readonly live: LiveMetrics;
}

export interface SamplerDeps extends WorkerSources {
  readonly liveMetrics: (clientsMaxAgeMs: number) => Promise<LiveMetrics>;
  readonly viewers: Pick<ViewerWatch, 'look'>;
  readonly machineMetrics: () => MachineMetrics;
  readonly measureDisk: MeasureDisk;
  readonly dataDir: string;
  readonly store: Pick<Store, 'name' | 'awayMs' | 'trouble'>;
  readonly drain: Pick<Drain, 'since'>;
  readonly certificates: Pick<Certificates, 'state'>;
  readonly history: Pick<HistoryFile, 'add' | 'read'>;
  readonly events: Pick<MonitorEvents, 'add'>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export interface SampleTiming {
  readonly nextInMs: number;
  readonly clientsMaxAgeMs: number;
}

/** Compares each sample with the previous sample, to detect changes. */
export class Sampler {
  readonly #deps: SamplerDeps;
  readonly #watchWorkers = createWorkerWatch();
  #engine: MonitorSnapshot['engine'] | undefined;
  readonly #faulty = new Map<string, { readonly pid: number; readonly faults: number }>();
  #unavailable: readonly string[] = [];
  #storeAway: string | undefined;
  #workers: MonitorWorker[] = [];
  #room: ReturnType<typeof roomOf> = 'ok';
  #trend = { atMs: Number.NEGATIVE_INFINITY, bytesPerSecond: 0 };
  #certificate: { readonly atMs: number; readonly facts: MonitorSnapshot['certificate'] } = {
    atMs: Number.NEGATIVE_INFINITY,
    facts: null,
  };

  constructor(deps: SamplerDeps) {
    this.#deps = deps;
  }

  /** Measures all metrics, adds them to the history, and emits an event for each change since the previous sample. */
  async take({ nextInMs, clientsMaxAgeMs }: SampleTiming): Promise<Sample> {
    const { history, events, now } = this.#deps;
    const atMs = now().getTime();
    const [live, workers, disk, certificate] = await Promise.all([
      this.#deps.liveMetrics(clientsMaxAgeMs),
      this.#listWorkers(),
      this.#readDisk(atMs),
      this.#readCertificate(),
      this.#deps.viewers.look(atMs),
    ]);
    const machine = this.#deps.machineMetrics();
    const { store, drain } = this.#deps;
    const storeAway = store.awayMs() > 0 ? store.name : undefined;
    const snapshot = snapshotOf({
      store: { name: store.name, trouble: store.trouble() },
      drainingSince: drain.since(),
      atMs,
      nextInMs,
      live,
      workers,
      disk,
      certificate,
      machine,
    });
    history.add(atMs, valuesOf(snapshot, live));
    this.#reportStore(storeAway);
    this.#reportChanges(snapshot, live);
    for (const change of this.#watchWorkers(workers)) events.add(change);
    return { snapshot, live };
  }

  /** Returns the current tasks. While the store is unavailable, returns the last known tasks, so that other metrics are still sampled. */
  async #listWorkers(): Promise<MonitorWorker[]> {
    this.#workers = await listWorkers(this.#deps).catch(() => this.#workers);
    return this.#workers;
  }

  async #readCertificate(): Promise<MonitorSnapshot['certificate']> {
    const { certificates, monotonicMs } = this.#deps;
    if (monotonicMs() - this.#certificate.atMs < certificateMaxAgeMs) return this.#certificate.facts;
    const facts = await certificates.state().then(
      ({ certificate: found }) => found && { daysLeft: found.daysLeft, selfSigned: found.selfSigned },
      () => null,
    );
    this.#certificate = { atMs: monotonicMs(), facts };
    return facts;
  }

  async #readDisk(atMs: number): Promise<MonitorSnapshot['disk']> {
    const { measureDisk, dataDir, history, monotonicMs } = this.#deps;
    const found = await measureDisk(dataDir).catch(() => ({ totalBytes: 0, freeBytes: 0 }));
    if (monotonicMs() - this.#trend.atMs >= trendMaxAgeMs) {
      const bytesPerSecond = fillRate(history.read('1h', atMs), found.freeBytes);
      this.#trend = { atMs: monotonicMs(), bytesPerSecond };
    }
    const { bytesPerSecond } = this.#trend;
    return { ...found, secondsLeft: bytesPerSecond > 0 ? Math.round(found.freeBytes / bytesPerSecond) : null };
  }

  #reportChanges(snapshot: MonitorSnapshot, { servers }: LiveMetrics): void {
    const { events } = this.#deps;
    // The first sample after a start reports no change of the media server.
    if (snapshot.engine === 'away' && this.#engine === 'up') events.add({ kind: 'engine-away', severity: 'error' });
    if (snapshot.engine === 'up' && this.#engine === 'away') events.add({ kind: 'engine-back' });
    this.#reportServers(snapshot);
    this.#engine = snapshot.engine;
    for (const server of servers) this.#reportFaults(server);
    const next = roomOf(snapshot.disk);
    if (next !== 'ok' && this.#room === 'ok') events.add({ kind: 'disk-low', severity: 'warning' });
    if (next === 'ok' && this.#room !== 'ok') events.add({ kind: 'disk-ok' });
    this.#room = next;
  }

  /** Reports that one of several media servers becomes unavailable or returns. Skipped while no media server responds. */
  #reportServers({ engine, mediaServers = [] }: MonitorSnapshot): void {
    const unavailable = mediaServers.filter(({ isUp }) => !isUp).map(({ name }) => name);
    const reportsServers = engine === 'up' && this.#engine === 'up';
    const { events } = this.#deps;
    if (reportsServers) {
      for (const { name: subject } of mediaServers) {
        const [isUnavailable, wasUnavailable] = [unavailable.includes(subject), this.#unavailable.includes(subject)];
        if (isUnavailable && !wasUnavailable) events.add({ kind: 'engine-away', severity: 'error', subject });
        if (wasUnavailable && !isUnavailable) events.add({ kind: 'engine-back', subject });
      }
    }
    this.#unavailable = unavailable;
  }

  #reportStore(unavailable: string | undefined): void {
    const { events, store } = this.#deps;
    if (unavailable && !this.#storeAway) events.add({ kind: 'store-away', severity: 'error', subject: unavailable });
    if (!unavailable && this.#storeAway) events.add({ kind: 'store-back', subject: store.name });
    this.#storeAway = unavailable;
  }

  /** Reports new faults. Faults before the first sample are not new. A restarted engine counts from 0. */
  #reportFaults({ name, summary }: LiveMetrics['servers'][number]): void {
    if (!summary) return;
    const { pid, faults, lastFault } = summary;
    const known = this.#faulty.get(name);
    const before = known === undefined ? faults : known.pid === pid ? known.faults : 0;
    if (faults > before) this.#deps.events.add({ kind: 'engine-fault', severity: 'error', detail: lastFault });
    this.#faulty.set(name, { pid, faults });
  }
}

interface SnapshotParts extends Pick<MonitorSnapshot, 'disk' | 'certificate' | 'atMs' | 'nextInMs'> {
  readonly live: LiveMetrics;
  readonly workers: readonly MonitorWorker[];
  readonly machine: MachineMetrics;
  readonly store: Parameters<typeof alarmsOf>[0]['store'];
  /** RFC 3339; '' while not draining. */
  readonly drainingSince: string;
}

function snapshotOf({ live, workers, machine, store, drainingSince, ...parts }: SnapshotParts): MonitorSnapshot {
  const { summary } = live;
  const engine = summary ? 'up' : 'away';
  const mediaServers = live.servers.map(toMediaServer);
  return {
    ...parts,
    ...(drainingSince && { drainingSince }),
    engine,
    ...(mediaServers.length > 1 && { mediaServers }),
    engineFaults: summary?.faults ?? 0,
    streams: live.streams.length,
    viewers: live.viewers,
    viewersByProtocol: { ...live.viewersByProtocol },
    receivedBps: Math.round(live.receivedBps ?? 0),
    sentBps: Math.round(live.sentBps ?? 0),
    cpu: {
      machine: machine.machineCpu,
      cores: machine.cores,
      gatewayCores: summary?.cpuCores ?? 0,
      platformCores: machine.platformCpuCores,
    },
    memory: {
      totalBytes: machine.totalBytes,
      usedBytes: machine.usedBytes,
      gatewayBytes: summary?.memoryBytes ?? 0,
      platformBytes: machine.platformBytes,
    },
    workers: workers.slice(0, maxMonitorWorkers),
    workersRunning: workers.filter(({ state }) => state === 'running').length,
    workersFailing: workers.filter(isFailing).length,
    alarms: alarmsOf({
      ...{ engine, mediaServers, disk: parts.disk, certificate: parts.certificate, workers, store },
      slates: slatesOnAir(live.streams),
    }),
  };
}

function slatesOnAir(streams: LiveMetrics['streams']): SlateOnAir[] {
  return streams.flatMap(({ app, stream, details }) =>
    details?.slateForMs === undefined
      ? []
      : [{ name: `${app}/${stream}`, seconds: Math.round(details.slateForMs / msPerSecond) }],
  );
}

function toMediaServer({ name, summary }: LiveMetrics['servers'][number]): MonitorMediaServer {
  const { cpuCores = 0, memoryBytes = 0, connections = 0 } = summary ?? {};
  return { name, isUp: summary !== undefined, cpuCores, memoryBytes, connections };
}

/** Omits metrics of an unavailable media server: unknown is not zero. */
function valuesOf(snapshot: MonitorSnapshot, live: LiveMetrics): MetricValues {
  const { cpu, memory, disk, workersRunning, workersFailing } = snapshot;
  const always: MetricValues = {
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

/** Growth of disk usage in the last hour, bytes per second. 0 without growth or without enough data. */
function fillRate(
  { timesMs, toMs, mean }: Pick<ReturnType<HistoryFile['read']>, 'timesMs' | 'toMs' | 'mean'>,
  freeBytes: number,
): number {
  const first = mean.diskFreeBytes.findIndex((value) => value !== null);
  const spanMs = toMs - (timesMs[first] ?? toMs);
  const usedBytes = (mean.diskFreeBytes[first] ?? 0) - freeBytes;
  return spanMs < leastTrendMs || usedBytes <= 0 ? 0 : usedBytes / (spanMs / 1_000);
}
