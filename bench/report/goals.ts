// Performance goals of the project: the first table of README.md. A goal names the scenario and the metric that verify it.
import { type Metric, type MetricName, metrics } from './metrics.ts';
import type { Results } from './results-file.ts';
import { overRounds, serverFigures } from './tables.ts';

interface Goal {
  readonly text: string;
  readonly scenario: string;
  readonly server: string;
  readonly metric: MetricName;
  readonly relation: '≤' | '≥' | '=';
  readonly limit: number;
  /** Compares with another server in the same run. Without `against`, the limit applies to the metric of the product alone. */
  readonly against?: {
    readonly server: string;
    /** Scenario of the other server; by default the scenario of the product. */
    readonly scenario?: string;
    /** `over`: the limit applies to the difference; `times`: to the ratio. */
    readonly as: 'over' | 'times';
  };
}

const bare = 'bare';
const ratioDigits = 2;

const product = 'srs-stack';
const merged = 'srs-stack-100ms';
const twoGateways = 'srs-stack-2';

function most(scenario: string, metric: MetricName, limit: number, text: string, server = product): Goal {
  return { text, scenario, server, metric, relation: '≤', limit };
}
function atLeast(scenario: string, metric: MetricName, limit: number, text: string): Goal {
  return { text, scenario, server: product, metric, relation: '≥', limit };
}
function none(scenario: string, metric: MetricName, text: string, server = product): Goal {
  return { text, scenario, server, metric, relation: '=', limit: 0 };
}

/** Compares with another server in the same run, because absolute values depend on the machine. */
function ratio(
  goal: Pick<Goal, 'scenario' | 'metric' | 'relation' | 'limit' | 'text'>,
  as: 'over' | 'times',
  peer = bare,
  scenario = goal.scenario,
): Goal {
  return { ...goal, server: product, against: { server: peer, scenario, as } };
}

function timesSrs(scenario: string, metric: MetricName, limit: number, text: string): Goal {
  return ratio({ scenario, metric, relation: '≤', limit, text: `${text}, times SRS` }, 'times', 'srs');
}

/** Compares with an SRS that also creates HTTP-FLV and HLS with converted audio from a WebRTC publication. */
function timesBridgedSrs(scenario: string, limit: number, text: string): Goal {
  const sameOutputs = `${text}, times SRS with the same outputs`;
  return ratio({ scenario, metric: 'cpuTree', relation: '≤', limit, text: sameOutputs }, 'times', 'srs-bridged');
}

const ratios: readonly Goal[] = [
  ratio(
    {
      scenario: 'join',
      metric: 'firstKeyP50',
      relation: '≤',
      limit: 1.5,
      text: 'Viewers join one by one, p50: ms more than `bare`',
    },
    'over',
  ),
  ratio(
    {
      scenario: 'join',
      metric: 'firstKeyP99',
      relation: '≤',
      limit: 5,
      text: 'Viewers join one by one, p99: ms more than `bare`',
    },
    'over',
  ),
  ratio(
    {
      scenario: 'rush',
      metric: 'firstKeyP99',
      relation: '≤',
      limit: 1,
      text: '1,000 viewers join within 2 s, p99: times SRS',
    },
    'times',
    'srs',
  ),
  ratio(
    {
      scenario: 'calls',
      metric: 'apiRate',
      relation: '≥',
      limit: 0.5,
      text: '`mgmt/status` at 32 connections: times `bare`',
    },
    'times',
  ),
  ratio(
    {
      scenario: 'calls',
      metric: 'secretRate',
      relation: '≥',
      limit: 0.5,
      text: '`secret/query` at 32 connections: times `bare`',
    },
    'times',
  ),
  ratio(
    {
      ...{ scenario: 'api', metric: 'apiRate', relation: '≥', limit: 0.35 },
      text: '`mgmt/status` while 500 viewers play: times `bare` without viewers',
    },
    'times',
    bare,
    'calls',
  ),
  ratio(
    {
      ...{ scenario: 'startup', metric: 'startMedian', relation: '≤', limit: 4 },
      text: '`npm start` to the first successful call: times one bare Fastify server',
    },
    'times',
  ),
  ratio(
    {
      ...{ scenario: 'ingest', metric: 'cpuMedia', relation: '≤', limit: 0.75 },
      text: '100 publishers of 500 kbps: CPU, times node-media-server',
    },
    'times',
    'node-media-server',
  ),
  ratio(
    {
      ...{ scenario: 'ingest', metric: 'cpuMedia', relation: '≤', limit: 1 },
      text: '100 publishers of 500 kbps: CPU, times SRS',
    },
    'times',
    'srs-without-hls',
  ),
  timesSrs('ingest-hls', 'cpuMedia', 1, '100 publishers of 500 kbps with HLS for all: CPU'),
  timesSrs('fan1000', 'cpuMedia', 0.5, '1,000 HTTP-FLV viewers of 2 Mbps: CPU'),
  timesSrs('fan1000', 'latencyP50', 0.4, '1,000 HTTP-FLV viewers of 2 Mbps: latency p50'),
  timesSrs('hls500', 'cpuMedia', 0.5, '500 players of HLS: CPU'),
  timesSrs('hls500', 'hlsStartupP99', 0.5, '500 players of HLS: first request to first segment p99'),
  ...([100, 200] as const).flatMap((viewers) => [
    timesSrs(`whep${viewers}`, 'cpuMedia', 1, `${viewers} WHEP viewers: CPU`),
    timesBridgedSrs(`whep${viewers}`, 1, `${viewers} WHEP viewers: CPU of all processes`),
    timesSrs(`whep${viewers}`, 'whepP99', 1, `${viewers} WHEP viewers: latency p99`),
    timesSrs(`whep${viewers}`, 'connectP99', 1, `${viewers} WHEP viewers: POST to connected p99`),
    timesSrs(`whep${viewers}`, 'whepKeyP50', 1, `${viewers} WHEP viewers: POST to first keyframe p50`),
  ]),
  timesSrs('churn', 'cpuMedia', 1.1, '750 WHEP connections join and leave: CPU'),
  timesBridgedSrs('churn', 1.1, '750 WHEP connections join and leave: CPU of all processes'),
];

const goals: readonly Goal[] = [
  ...ratios,
  most('rush', 'firstKeyP99', 40, '1,000 viewers join within 2 s: request to first keyframe p99, ms'),
  most('restart', 'restartWorst', 1_500, 'Control plane killed: longest time without a response, ms'),
  most('fan1000', 'cpuMedia', 0.25, '1,000 viewers of 2 Mbps: CPU, cores'),
  most('fan1000', 'latencyP50', 30, '1,000 viewers: added latency p50, ms'),
  most('fan1000', 'cpuMedia', 0.15, '1,000 viewers, merge window 100 ms: CPU, cores', merged),
  most('fan1000', 'memoryPerViewer', 35, '1,000 viewers: memory per viewer, KB'),
  none('fan1000', 'viewerErrors', '1,000 viewers: refused, broken or cut off'),
  most('lat1', 'latencyP50', 30, 'RTMP to HTTP-FLV, 1 viewer: latency p50, ms'),
  most('lat1', 'latencyP99', 80, 'RTMP to HTTP-FLV, 1 viewer: latency p99, ms'),
  most('lat200', 'latencyP50', 30, 'RTMP to HTTP-FLV, 200 viewers: latency p50, ms'),
  most('lat200', 'latencyP99', 80, 'RTMP to HTTP-FLV, 200 viewers: latency p99, ms'),
  most('join', 'firstKeyP99', 60, 'Join to first keyframe p99, GOP 2 s, ms'),
  most('ingest', 'cpuMedia', 0.12, '100 publishers of 500 kbps without HLS: CPU, cores'),
  most('ingest', 'memoryOverIdle', 60, '100 publishers without HLS: memory of the media process above idle, MB'),
  most('ingest', 'memoryMedia', 150, '100 publishers without HLS: memory of the media process, MB'),
  most('ingest-hls', 'cpuMedia', 0.3, '100 publishers with HLS for all: CPU, cores'),
  most('ingest', 'acceptP99', 60, 'Time until a publisher is accepted p99, ms'),
  none('integrity', 'missing', '100 publishers read back: frames lost'),
  none('integrity', 'unexpected', '100 publishers read back: frames changed or out of order'),
  most('hls-first', 'playlistWorst', 2_500, 'Publish to first HLS playlist with a segment, GOP 2 s, ms'),
  most('ll-hls500', 'cpuMedia', 0.5, '500 players of low-latency HLS: CPU, cores'),
  most(
    'll-hls50',
    'partAgeP50',
    30,
    '50 players of low-latency HLS: last frame of a part until the part is available p50, ms',
  ),
  most(
    'browser-ll-hls',
    'browserP50',
    1_500,
    'Low-latency HLS in Chromium: time from drawing a frame to showing it p50, ms',
  ),
  most(
    'browser-ll-hls',
    'browserP95',
    2_500,
    'Low-latency HLS in Chromium: time from drawing a frame to showing it p95, ms',
  ),
  none('browser-ll-hls-long', 'browserStalls', 'Low-latency HLS in Chromium for ten minutes: stalls'),
  most('watch-page', 'watchPictureP50', 700, 'Watch page at a quarter of the CPU: time to first frame p50, ms'),
  most('record20', 'recordAdded', 0.05, '20 streams of 2 Mbps: CPU added by recording, cores'),
  most('record-mp4', 'mp4Seconds', 10, 'MP4 of a recording of one hour: time until it is ready, s'),
  most('record-mp4', 'mp4Peak', 100, 'MP4 of a recording of one hour: memory of FFmpeg, MB'),
  most('record-list', 'listP99', 50, '10,000 recordings in one response: p99, ms'),
  most('startup', 'startMedian', 1_500, '`npm start` to the first successful call, ms'),
  most('hls500', 'cpuMedia', 0.15, '500 players of HLS: CPU, cores'),
  most('hls500', 'hlsStartupP99', 20, '500 players of HLS: first request to first segment p99, ms'),
  most('idle', 'memoryShared', 150, 'All processes idle: memory, shared pages counted once, MB'),
  most('idle', 'memoryTree', 200, 'All processes idle: sum of their resident memory, MB'),
  most('sse', 'cpuTree', 0.05, '50 open consoles, one stream live, all processes: CPU, cores'),
  most('charts', 'chartsFirst', 200, 'Dashboard: time from the click on 24 h until the charts are drawn, ms'),
  {
    text: 'API `status` at 32 connections, 500 viewers playing: requests per second',
    scenario: 'api',
    server: product,
    metric: 'apiRate',
    relation: '≥',
    limit: 8_000,
  },
  {
    text: 'API `status` at 32 connections, the store in Redis: requests per second',
    scenario: 'calls',
    server: 'srs-stack-redis',
    metric: 'apiRate',
    relation: '≥',
    limit: 6_000,
  },
  most('api', 'apiP99', 20, 'API `status` at 32 connections, 500 viewers playing: latency p99, ms'),
  atLeast('forward20', 'leastCopy', 98, '20 forwards of one stream: bytes of the slowest target, % of the source'),
  most(
    'forward20',
    'firstByteWorst',
    3_000,
    '20 forwards: time from the start to the first byte at the slowest target, ms',
  ),
  most('forward20', 'restartAfter', 5_000, '20 forwards: time from the kill of an FFmpeg until the next one sends, ms'),
  most('cameras50', 'cameraShare', 1.2, '50 cameras pulled at 2 Mbps: CPU, times that of 50 RTMP publishers'),
  most(
    'cameras50',
    'cameraReturn',
    3_000,
    '50 cameras: time from the return of their port until all streams are live, ms',
  ),
  most('channel', 'channelCores', 0.03, 'A channel of prepared files, 2 Mbps, no viewers: CPU of the gateway, cores'),
  most('push100', 'pushCores', 0.1, '100 targets of one stream, sent by the engine: CPU for all targets, cores'),
  most('push100', 'pushMemory', 25, '100 targets of one stream, sent by the engine: memory for all targets, MB'),
  atLeast('transcode', 'workerSpeed', 0.97, 'One transcode of 1080p30 to 720p30, veryfast: speed, times real time'),
  atLeast('upload', 'uploadFormShare', 80, 'Upload of 2 GiB, form: speed, % of a plain file server'),
  atLeast('upload', 'uploadTusShare', 80, 'Upload of 2 GiB, resumable: speed, % of a plain file server'),
  most('upload', 'uploadPlatform', 50, 'Upload of 2 GiB: growth of the control plane, MB'),
  most('console', 'consolePaint', 1_000, 'Login page at a quarter of the CPU: largest contentful paint, ms'),
  most('console', 'consoleScript', 180, 'Login page: compressed script, KB'),
  most('console', 'consoleTask', 200, 'Opening any tab of the console: longest task, ms'),
  most('srt1', 'srtToFlvP99', 180, 'SRT (latency 120 ms) to HTTP-FLV p99, ms'),
  none('loss10-long', 'srtBadFrames', 'SRT, 10 % loss, 5 minutes of 4 Mbps: unrecovered frames at SRT out'),
  none('loss10-long', 'flvBadFrames', 'SRT, 10 % loss, 5 minutes of 4 Mbps: unrecovered frames at HTTP-FLV out'),
  most(
    'browser1',
    'browserP50',
    150,
    'Browser to browser over WHIP and WHEP: time from drawing a frame to showing it p50, ms',
  ),
  most('whep1', 'whepP50', 2, 'WHIP to WHEP, 1 viewer: latency p50, ms'),
  most('whep100', 'whepP99', 20, 'WHIP to WHEP, 100 viewers: latency p99 of all frames, ms'),
  {
    text: 'WHEP viewers of 1 Mbps per core, measured at 200',
    scenario: 'whep200',
    server: product,
    metric: 'viewersPerCore',
    relation: '≥',
    limit: 500,
  },
  most('slow-flv', 'addedP99', 10, '200 HTTP-FLV viewers: latency added to their p99 by one slow viewer, ms'),
  most(
    'slow-whep',
    'whepAddedP99',
    10,
    '100 WHEP viewers: latency added to their p99 by one viewer that loses most packets, ms',
  ),
  none('churn', 'whepStuck', '750 WHEP connections join and leave: failed or stuck'),
  ...(['joins', 'files', 'calls'] as const).map(
    (what): Goal => ({
      text: `20,000 WHEP sessions opened and closed: ${what} per second afterwards, % of before`,
      scenario: 'sessions',
      server: product,
      metric: `${what}Kept`,
      relation: '≥',
      limit: 95,
    }),
  ),
  most('copies', 'copyAddedP50', 5, 'A copy in another gateway: added latency p50, ms', twoGateways),
  most('copies', 'copyCores', 0.01, 'A copy of 2 Mbps: CPU of both gateways, cores', twoGateways),
  most('copies', 'copyFirstWorst', 150, 'First frame through a new copy, slowest, ms', twoGateways),
  none('churnkill', 'whepStuck', '750 WHEP connections join and are killed: failed or stuck'),
];

export function goalsTable(results: Results): string {
  const lines = goals.map((goal) => goalLine(goal, results)).filter((line) => line !== undefined);
  return ['| goal | limit | measured | |', '|---|--:|--:|---|', ...lines].join('\n');
}

function goalLine(goal: Goal, results: Results) {
  const { text, relation, limit, against } = goal;
  const value = goalValue(goal, results);
  if (value === undefined) return undefined;
  const isMet = relation === '≤' ? value <= limit : relation === '≥' ? value >= limit : value === limit;
  const bound = relation === '=' ? String(limit) : `${relation} ${limit.toLocaleString('en')}`;
  const digits = against?.as === 'times' ? ratioDigits : metrics[goal.metric].digits;
  return `| ${text} | ${bound} | ${value.toFixed(digits)} | ${isMet ? 'met' : '**missed**'} |`;
}

/** Undefined when the run has no measurement of the product or of the server in `against`. */
function goalValue({ scenario, server, metric, against }: Goal, results: Results): number | undefined {
  const own = meanOf(metrics[metric], results, scenario, server);
  if (own === undefined || !against) return own;
  const peer = meanOf(metrics[metric], results, against.scenario ?? scenario, against.server);
  if (!peer) return undefined;
  return against.as === 'over' ? own - peer : own / peer;
}

function meanOf(metric: Metric, results: Results, scenario: string, server: string): number | undefined {
  const runs = results.runs.filter((run) => run.scenario === scenario);
  const values = serverFigures(metric, runs, server);
  return values.length === 0 ? undefined : overRounds(metric, values);
}
