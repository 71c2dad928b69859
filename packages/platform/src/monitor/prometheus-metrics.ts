// Fills the metric catalogue from one sample. Limits the number of streams with separate metrics. The sample limits the number of workers.
import { alarmCodes, type MonitorEventKind, monitorEventKinds } from '@srs-stack/contract';
import type { LoopWindow } from '@srs-stack/contract/wire/srs-rows.ts';
import type { MediaServerSummary } from '../media-server/media-server.ts';
import { type GuessResult, guessResults } from '../watching/viewer-passwords.ts';
import { type MetricKey, metricCatalogue } from './metric-catalogue.ts';
import type { Monitor } from './monitor.ts';
import { type MetricFamily, type MetricPoint, toPrometheusText } from './prometheus-text.ts';
import type { Sample } from './sampler.ts';
import { viewerMetrics } from './viewers/viewer-metrics.ts';

/** Maximum number of streams with separate metrics. Each stream adds three series that Prometheus stores for weeks. */
const maxLabelledStreams = 100;
const secondsPerDay = 86_400;
const msPerSecond = 1_000;

export interface MetricSources {
  readonly sample: Sample;
  readonly version: string;
  readonly counters: { readonly publish: number; readonly play: number };
  readonly events: ReadonlyMap<MonitorEventKind, number>;
  readonly viewers: ReturnType<Monitor['viewerTotals']>;
  readonly guesses: Readonly<Record<GuessResult, number>>;
}

/** The response of `/metrics`. */
export function prometheusMetrics(sources: MetricSources): string {
  const points: Record<MetricKey, readonly MetricPoint[]> = {
    ...ofServer(sources),
    ...ofMedia(sources),
    ...ofMachine(sources),
    ...ofWorkers(sources),
    ...viewerMetrics(sources.viewers),
  };
  const families = (Object.keys(metricCatalogue) as MetricKey[]).map(
    (key): MetricFamily => ({ definition: metricCatalogue[key], points: points[key] }),
  );
  return toPrometheusText(families);
}

const one = (value: number): MetricPoint[] => [{ value }];
const known = (value: number | undefined): MetricPoint[] => (value === undefined ? [] : one(value));

function ofServer({ sample, version, counters, events, guesses }: MetricSources) {
  const { snapshot } = sample;
  const alarms = (code: string) => snapshot.alarms.filter((alarm) => alarm.code === code).length;
  return {
    build: [{ value: 1, labels: { version } }],
    engineUp: one(snapshot.engine === 'up' ? 1 : 0),
    publishes: one(counters.publish),
    plays: one(counters.play),
    alarms: alarmCodes.map((code) => ({ value: alarms(code), labels: { code } })),
    events: monitorEventKinds.map((kind) => ({ value: events.get(kind) ?? 0, labels: { kind } })),
    viewerPasswords: guessResults.map((result) => ({ value: guesses[result], labels: { result } })),
    certificateEnd: known(snapshot.certificate ? snapshot.certificate.daysLeft * secondsPerDay : undefined),
    sampleAt: one(snapshot.atMs / 1_000),
  };
}

function ofMedia({ sample: { live, snapshot } }: MetricSources) {
  const { summary, streams } = live;
  const shown = [...streams].sort((a, b) => a.id.localeCompare(b.id)).slice(0, maxLabelledStreams);
  const ofStream = (take: (stream: (typeof shown)[number]) => number) =>
    shown.map((stream) => ({ value: take(stream), labels: { app: stream.app, stream: stream.stream } }));
  const protocols = { flv: 0, hls: 0, rtmp: 0, srt: 0, rtc: 0, ...snapshot.viewersByProtocol };
  const ofServers = (take: (own: MediaServerSummary) => number) =>
    live.servers.flatMap(({ name, summary: own }) => (own ? [{ value: take(own), labels: { server: name } }] : []));
  return {
    serverUp: live.servers.map(({ name, summary: own }) => ({ value: own ? 1 : 0, labels: { server: name } })),
    serverCpu: ofServers(({ cpuCores }) => cpuCores),
    serverMemory: ofServers(({ memoryBytes }) => memoryBytes),
    serverConnections: ofServers(({ connections }) => connections),
    serverReceived: ofServers(({ receivedBytes }) => receivedBytes),
    serverSent: ofServers(({ sentBytes }) => sentBytes),
    ...ofEventLoops(live.servers),
    engineFaults: known(summary?.faults),
    streams: summary ? one(snapshot.streams) : [],
    viewers: summary ? Object.entries(protocols).map(([protocol, value]) => ({ value, labels: { protocol } })) : [],
    receivedBytes: known(summary?.receivedBytes),
    sentBytes: known(summary?.sentBytes),
    connections: known(summary?.connections),
    ...ofSlates(live),
    streamReceived: ofStream(({ receivedBytes }) => receivedBytes),
    streamSent: ofStream(({ sentBytes }) => sentBytes),
    streamViewers: ofStream(({ clients }) => Math.max(0, clients - 1)),
    streamsUnlabelled: summary ? one(streams.length - shown.length) : [],
  };
}

function ofSlates({ summary, streams }: MetricSources['sample']['live']) {
  const onAir = streams.flatMap(({ app, stream, details }) =>
    details?.slateForMs === undefined ? [] : [{ value: details.slateForMs / msPerSecond, labels: { app, stream } }],
  );
  const slates = summary?.slates;
  return {
    slatesOnAir: slates ? one(onAir.length) : [],
    slatesShown: known(slates?.shown),
    slateSeconds: known(slates && slates.shownMs / msPerSecond),
    streamSlate: onAir.slice(0, maxLabelledStreams),
  };
}

/** Event loop metrics per server. Each quantile is the highest value in the windows that the gateway stores. */
function ofEventLoops(servers: MetricSources['sample']['live']['servers']) {
  const loops = servers.flatMap(({ name, summary }) => (summary?.loop ? [{ server: name, ...summary.loop }] : []));
  const worst = (windows: readonly LoopWindow[], take: (window: LoopWindow) => number) =>
    Math.max(0, ...windows.map(take)) / msPerSecond;
  return {
    loopDelay: loops.flatMap(({ server, windows }) => [
      { value: worst(windows, (window) => window.delayP99Ms), labels: { server, quantile: '0.99' } },
      { value: worst(windows, (window) => window.delayP999Ms), labels: { server, quantile: '0.999' } },
      { value: worst(windows, (window) => window.delayMaxMs), labels: { server, quantile: '1' } },
    ]),
    gcSeconds: loops.map(({ server, gcMs }) => ({ value: gcMs / msPerSecond, labels: { server } })),
    gcRuns: loops.map(({ server, gcCount }) => ({ value: gcCount, labels: { server } })),
  };
}

function ofMachine({ sample: { live, snapshot } }: MetricSources) {
  const { cpu, memory, disk } = snapshot;
  const perProcess = (gateway: number | undefined, platform: number) => [
    ...known(gateway).map((point) => ({ ...point, labels: { process: 'gateway' } })),
    { value: platform, labels: { process: 'platform' } },
  ];
  return {
    machineCpu: one(cpu.machine),
    processCpu: perProcess(live.summary?.cpuCores, cpu.platformCores),
    memoryTotal: one(memory.totalBytes),
    memoryUsed: one(memory.usedBytes),
    processMemory: perProcess(live.summary?.memoryBytes, memory.platformBytes),
    diskTotal: disk.totalBytes > 0 ? one(disk.totalBytes) : [],
    diskFree: disk.totalBytes > 0 ? one(disk.freeBytes) : [],
  };
}

function ofWorkers({ sample: { snapshot } }: MetricSources) {
  const counts = new Map<string, MetricPoint & { labels: { kind: string; state: string } }>();
  for (const { kind, state } of snapshot.workers) {
    const key = `${kind} ${state}`;
    counts.set(key, { value: (counts.get(key)?.value ?? 0) + 1, labels: { kind, state } });
  }
  return {
    workers: [...counts.values()],
    workerRestarts: snapshot.workers.map(({ id, kind, restarts }) => ({
      value: restarts,
      labels: { worker: id, kind },
    })),
  };
}
