// Markdown tables of the results: a table per scenario, a column per server. A cell contains mean and range over the rounds.
import type { RunRecord } from '../lib/scenario-run.ts';
import { scenarios } from '../scenarios/all.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Metric, type MetricName, metrics } from './metrics.ts';
import type { Results } from './results-file.ts';

const noise: MetricName[] = ['toolCpu', 'otherCpu', 'steal'];
const cost: MetricName[] = ['cpuMedia', 'cpuTree'];
const memory: MetricName[] = ['memoryMedia', 'memoryTree', 'memoryOverIdle'];

/** Metrics in the rows of a table, by the name that a scenario selects. */
const rows: Record<string, readonly MetricName[]> = {
  latency: ['latencyP50', 'latencyP95', 'latencyP99', 'viewerErrors', 'frameGaps', ...cost, ...noise],
  join: ['firstKeyP50', 'firstKeyP99', 'firstLiveP50', 'viewerErrors', 'otherCpu'],
  rush: ['firstKeyP50', 'firstKeyP99', 'latencyP99', 'viewerErrors', 'frameGaps', ...noise],
  fan: [
    ...cost,
    'kernelShare',
    'cpuPerViewer',
    'latencyP50',
    'latencyP99',
    'out',
    'delivered',
    'leastViewer',
    'viewerErrors',
    'frameGaps',
    ...memory,
    'memoryPerViewer',
    'firstKeyP99',
    ...noise,
  ],
  ingest: [
    ...cost,
    'cpuPerPublisher',
    ...memory,
    'acceptP50',
    'acceptP99',
    'ingestMbps',
    'publisherErrors',
    'playlistStatus',
    ...noise,
  ],
  integrity: ['compared', 'missing', 'unexpected', 'retimed', 'readersFailed', ...cost, 'otherCpu'],
  'hls-first': ['playlistMedian', 'playlistWorst'],
  hls: [
    ...cost,
    'out',
    'hlsRequests',
    'hlsStarted',
    'hlsErrors',
    'hlsStartupP50',
    'hlsStartupP99',
    'hlsSmooth',
    'hlsPlaylistP99',
    'hlsSegmentP99',
    'hlsAge',
    'memoryMedia',
    ...noise,
  ],
  'll-hls': [
    ...cost,
    'out',
    'hlsRequests',
    'hlsStarted',
    'hlsErrors',
    'hlsSmooth',
    'partAgeP50',
    'partAgeP99',
    'memoryMedia',
    ...noise,
  ],
  'browser-ll-hls': [
    'browserP50',
    'browserP95',
    'browserP99',
    'browserStalls',
    'browserShown',
    'browserUnreadable',
    ...cost,
    ...noise,
  ],
  startup: ['startMedian', 'startWorst'],
  restart: ['restartMedian', 'restartWorst'],
  calls: ['apiRate', 'apiP50', 'apiP99', 'apiErrors', 'secretRate', 'secretP99', 'secretErrors', ...cost, ...noise],
  record20: ['recordLive', 'recordAdded', 'recordLiveWritten', 'recordWritten', 'publisherErrors', ...noise],
  'record-mp4': ['mp4Seconds', 'mp4Peak', 'mp4Size'],
  'record-list': ['listP50', 'listP99', 'listPageP99'],
  sse: ['sseReaders', 'sseSnapshots', 'sseErrors', ...cost, ...memory, ...noise],
  charts: ['chartsFirst', 'chartsP50', ...noise],
  idle: ['memoryTree', 'memoryShared', 'memoryMedia', 'cpuTree'],
  api: ['apiRate', 'apiP50', 'apiP99', 'apiErrors', 'viewerErrors', 'latencyP99', ...cost, ...noise],
  'watch-page': ['watchPictureP50', 'watchPictureP95', 'watchScriptP50', ...noise],
  console: ['consolePaint', 'consolePaintWorst', 'consoleScript', 'consoleTask', ...noise],
  browser: [
    'browserP50',
    'browserP95',
    'browserP99',
    'browserJitterBuffer',
    'browserDecode',
    'browserWidth',
    'browserKbps',
    'browserShown',
    'browserUnreadable',
    ...cost,
    ...noise,
  ],
  whep: [
    ...cost,
    'viewersPerCore',
    'cpuPerPacket',
    'whepP50',
    'whepP99',
    'bestViewer',
    'worstViewer',
    'whepFaults',
    'rtpLost',
    'framesMissing',
    'connectP99',
    'laterConnectP99',
    'whepKeyP50',
    'whepKeyP99',
    'memoryMedia',
    'memoryPerViewer',
    'clientLate',
    ...noise,
  ],
  rtsp: [...cost, 'cpuPerViewer', 'out', 'delivered', 'leastViewer', 'viewerErrors', 'frameGaps', 'rtpLost', ...noise],
  'slow-flv': [
    'aloneP50',
    'aloneP99',
    'besideP50',
    'besideP99',
    'addedP99',
    'slowKbps',
    'slowCutOff',
    'viewerErrors',
    'frameGaps',
    ...cost,
    ...noise,
  ],
  'slow-whep': [
    'whepAloneP50',
    'whepAloneP99',
    'whepBesideP50',
    'whepBesideP99',
    'whepAddedP99',
    'slowCutOff',
    'whepFaults',
    'rtpLost',
    'framesMissing',
    ...cost,
    ...noise,
  ],
  churn: ['whepJoined', 'whepStuck', 'connectP99', 'whepKeyP50', 'whepKeyP99', ...cost, 'memoryAtRest', 'otherCpu'],
  sessions: ['joinsKept', 'filesKept', 'callsKept', 'memoryAdded', 'sessionsFailed', 'otherCpu'],
  forward: [
    'workerCpu',
    'workerMemory',
    'workerSpeed',
    'workerRestarts',
    'leastCopy',
    'viewerErrors',
    'firstByteWorst',
    'restartAfter',
    ...cost,
    ...noise,
  ],
  camera: ['cameraShare', 'cameraCores', 'publisherCores', 'camerasReady', 'cameraReturn', ...cost, ...noise],
  channel: ['channelCores', 'channelPrepared', ...cost, ...noise],
  push: ['pushCores', 'pushMemory', 'pushAllRun', 'pushRestarts', 'pushShare', 'pushConnections', ...cost, ...noise],
  worker: ['workerCpu', 'workerMemory', 'workerSpeed', 'workerRestarts', 'firstByteWorst', ...cost, ...noise],
  upload: [
    'uploadPlain',
    'uploadForm',
    'uploadFormShare',
    'uploadTus',
    'uploadTusShare',
    'uploadPlatform',
    'uploadGateway',
  ],
  dead: ['backAfter', 'otherCpu'],
  capacity: ['capacityViewers', 'capacityP99', ...cost, ...noise],
  copies: [
    'originFirstP50',
    'copyFirstP50',
    'copyFirstWorst',
    'originP50',
    'copyP50',
    'copyAddedP50',
    'copyAddedP99',
    'copyCores',
    'copyFaults',
    ...noise,
  ],
  srt: [
    ...cost,
    'cpuPerStream',
    'memoryMedia',
    'srtToFlvP50',
    'srtToFlvP99',
    'srtToSrtP50',
    'srtToSrtP99',
    'lostUp',
    'retransmitted',
    'senderDropped',
    'srtCutOff',
    'flvBadFrames',
    'flvFrames',
    'srtBadFrames',
    'srtFrames',
    'continuityGaps',
    ...noise,
  ],
};

export function scenarioTables(results: Results): string {
  const tables = scenarios.map((scenario) => scenarioTable(scenario, results)).filter((table) => table !== '');
  const failures = results.runs.filter(({ error }) => error);
  const notes = failures.map((run) => `- ${run.scenario}, ${run.server}, round ${run.round}: ${run.error}`);
  if (results.leftOut.length) notes.push(`- not run because the time limit was reached: ${results.leftOut.join(', ')}`);
  return [...tables, ...(notes.length ? [['Runs without a result:', '', ...notes].join('\n')] : [])].join('\n\n');
}

function scenarioTable(scenario: Scenario, results: Results): string {
  const runs = results.runs.filter((run) => run.scenario === scenario.id);
  const servers = results.servers.map(({ name }) => name).filter((name) => runs.some((run) => run.server === name));
  const lines = (rows[scenario.table] ?? [])
    .map((name) => ({
      metric: metrics[name] as Metric,
      cells: servers.map((server) => cell(metrics[name], runs, server)),
    }))
    .filter(({ cells }) => cells.some((text) => text !== '–'))
    .map(({ metric, cells }) => `| ${metric.title} | ${cells.join(' | ')} |`);
  if (lines.length === 0) return '';
  const head = [`| | ${servers.join(' | ')} |`, `|---|${servers.map(() => '--:|').join('')}`];
  return [`#### ${scenario.title} (\`${scenario.id}\`)`, '', ...head, ...lines].join('\n');
}

function cell(metric: Metric, runs: readonly RunRecord[], server: string): string {
  const values = serverFigures(metric, runs, server);
  if (values.length === 0) return '–';
  const text = (value: number): string => value.toFixed(metric.digits);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const mean = text(overRounds(metric, values));
  return metric.isSum || text(least) === text(most) ? mean : `${mean} (${text(least)} to ${text(most)})`;
}

/** Values of a metric for a server, one per round that contains the metric. */
export function serverFigures(metric: Metric, runs: readonly RunRecord[], server: string): number[] {
  return runs
    .filter((run) => run.server === server)
    .map((run) => metric.value(run))
    .filter((value) => value !== undefined);
}

export function overRounds(metric: Metric, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return metric.isSum ? sum : sum / values.length;
}
