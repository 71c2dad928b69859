// Metrics of a run, with titles and numbers of digits. Tables and goals select from these metrics.
import type { RunRecord, Window } from '../lib/scenario-run.ts';

export interface Metric {
  readonly title: string;
  readonly digits: number;
  /** Whether the values of the rounds are added, as error counts are; other metrics are averaged. */
  readonly isSum?: boolean;
  /** Value in a run; undefined when the run does not contain the metric. */
  value(run: RunRecord): number | undefined;
}

const megabyte = 1e6;
const kilobyte = 1e3;

/** A number in the results of the tools, by its path, such as `viewers.lat_video.p50`. Undefined for quantiles of an empty list. */
export function figure(run: RunRecord, path: string): number | undefined {
  let at: unknown = run.tools;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    if ('n' in at && at.n === 0) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
}

function fact(run: RunRecord, name: string): number | undefined {
  const value = run.facts[name];
  return typeof value === 'number' ? value : undefined;
}

function ratio(numerator: number | undefined, denominator: number | undefined): number | undefined {
  return numerator === undefined || !denominator ? undefined : numerator / denominator;
}

function sumOf(run: RunRecord, paths: readonly string[]): number | undefined {
  const found = paths.map((path) => figure(run, path)).filter((value) => value !== undefined);
  return found.length ? found.reduce((sum, value) => sum + value) : undefined;
}

/** A metric of the measuring window; undefined for a run without a window. */
function ofWindow(take: (window: Window) => number): Metric['value'] {
  return ({ window }) => (window ? take(window) : undefined);
}

const at = (title: string, path: string, digits: number): Metric => ({
  title,
  digits,
  value: (run) => figure(run, path),
});
const faults = (title: string, ...paths: string[]): Metric => ({
  title,
  digits: 0,
  isSum: true,
  value: (run) => sumOf(run, paths),
});
const perSecond = (title: string, take: (window: Window) => number): Metric => ({
  title,
  digits: 3,
  value: ofWindow((window) => take(window) / window.seconds),
});

function overIdleMB(which: 'tree' | 'media'): Metric['value'] {
  return ({ window, idleMemory }) =>
    window && idleMemory ? (window.memory[which] - idleMemory[which]) / megabyte : undefined;
}

/** CPU milliseconds per second for one viewer or stream. */
function cpuPer(name: string): Metric['value'] {
  return (run) => ratio((run.window?.cpu.media ?? 0) * 1000, (fact(run, name) ?? 0) * (run.window?.seconds ?? 0));
}

/** Milliseconds that a slow viewer adds to the p99 latency of normal viewers. */
const added = (latency: string): Metric => ({
  title: 'p99 latency added to the other viewers, ms',
  digits: 1,
  value: (run) => {
    const [alone, beside] = ['alone', 'viewers'].map((tool) => figure(run, `${tool}.${latency}.p99`));
    return alone === undefined || beside === undefined ? undefined : beside - alone;
  },
});

const badFrames = (title: string, tool: 'flv' | 'srt'): Metric => faults(title, `${tool}.missing`, `${tool}.short`);

export const metrics = {
  sseReaders: at('open consoles', 'sse.readers', 0),
  sseSnapshots: at('messages sent to each console', 'sse.perReader', 1),
  sseErrors: faults('consoles refused or cut off', 'sse.refused', 'sse.broken'),
  chartsFirst: at('charts of a day: time to draw at the first click, with server response, ms', 'charts.firstMs', 0),
  chartsP50: at('charts of a day: time to draw again p50, ms', 'charts.drawMs.p50', 0),
  cpuMedia: perSecond('CPU of the media process, cores', ({ cpu }) => cpu.media),
  cpuTree: perSecond('CPU of all processes of the server, cores', ({ cpu }) => cpu.tree),
  kernelShare: {
    title: "kernel share of the media process's CPU, %",
    digits: 0,
    value: ofWindow(({ systemCpu, cpu }) => (cpu.media > 0 ? (100 * systemCpu.media) / cpu.media : 0)),
  },
  cpuPerViewer: { title: 'CPU time per viewer and second, ms', digits: 3, value: cpuPer('viewers') },
  cpuPerPublisher: { title: 'CPU time per publisher and second, ms', digits: 3, value: cpuPer('publishers') },
  cpuPerStream: { title: 'CPU time per stream and second, ms', digits: 2, value: cpuPer('streams') },
  viewersPerCore: {
    title: 'viewers per core',
    digits: 0,
    value: (run) => ratio((fact(run, 'viewers') ?? 0) * (run.window?.seconds ?? 0), run.window?.cpu.media),
  },
  memoryMedia: {
    title: 'memory of the media process, MB',
    digits: 1,
    value: ofWindow(({ memory }) => memory.media / megabyte),
  },
  memoryTree: {
    title: 'memory of all processes of the server, MB',
    digits: 1,
    value: ofWindow(({ memory }) => memory.tree / megabyte),
  },
  memoryShared: {
    title: 'memory of all processes with shared pages counted once, MB',
    digits: 1,
    value: (run) => {
      const processes = run.tools.processes as { proportionalBytes: number }[] | undefined;
      return processes && processes.reduce((sum, one) => sum + one.proportionalBytes, 0) / megabyte;
    },
  },
  memoryOverIdle: { title: 'memory of the media process above idle, MB', digits: 1, value: overIdleMB('media') },
  memoryPerViewer: {
    title: 'memory of the media process above idle, KB per viewer',
    digits: 1,
    value: (run) => ratio((overIdleMB('media')(run) ?? 0) * (megabyte / kilobyte), fact(run, 'viewers')),
  },
  memoryAtRest: {
    title: 'memory of the media process above idle, 5 s after the load, MB',
    digits: 1,
    value: ({ restMemory, idleMemory }) =>
      restMemory && idleMemory ? (restMemory.media - idleMemory.media) / megabyte : undefined,
  },
  out: at('out, Mbps', 'viewers.mbps', 0),
  delivered: {
    title: 'delivered, % of nominal',
    digits: 1,
    value: (run) =>
      ratio((figure(run, 'viewers.mbps') ?? 0) * 100_000, (fact(run, 'viewers') ?? 0) * (fact(run, 'kbps') ?? 0)),
  },
  leastViewer: {
    title: 'bytes of the slowest viewer, % of those of the fastest viewer',
    digits: 1,
    value: (run) => ratio((figure(run, 'viewers.conn_min') ?? 0) * 100, figure(run, 'viewers.conn_max')),
  },
  viewerErrors: faults(
    'viewers refused, broken or cut off',
    'viewers.failed',
    'viewers.http_err',
    'viewers.flv_err',
    'viewers.disconnects',
  ),
  frameGaps: faults('gaps between frames, in the streams that are parsed', 'viewers.gaps'),
  latencyP50: at('video latency p50, ms', 'viewers.lat_video.p50', 1),
  latencyP95: at('video latency p95, ms', 'viewers.lat_video.p95', 1),
  latencyP99: at('video latency p99, ms', 'viewers.lat_video.p99', 1),
  firstKeyP50: at('request to first keyframe p50, ms', 'viewers.first_key.p50', 2),
  firstKeyP99: at('request to first keyframe p99, ms', 'viewers.first_key.p99', 1),
  firstLiveP50: at('request to first live frame p50, ms', 'viewers.first_live.p50', 1),
  acceptP50: at('time until a publisher is accepted p50, ms', 'publisher.acceptMs.p50', 1),
  acceptP99: at('time until a publisher is accepted p99, ms', 'publisher.acceptMs.p99', 1),
  ingestMbps: at('in, Mbps', 'publisher.mbps', 1),
  publisherErrors: faults('publishers refused or cut off', 'publisher.failed', 'publisher.closed'),
  playlistStatus: {
    title: 'HTTP status of a playlist (404: HLS is off)',
    digits: 0,
    value: (run) => fact(run, 'playlist'),
  },
  compared: { ...faults('frames compared', 'streams.compared'), title: 'frames compared' },
  missing: faults('frames lost', 'streams.missing'),
  unexpected: faults('frames changed, duplicated or out of order', 'streams.unexpected'),
  retimed: faults('frames whose timestamp shifted relative to the others', 'streams.retimed'),
  readersFailed: faults('viewers cut off', 'streams.readersFailed'),
  playlistMedian: at('time of a publication, median, ms', 'playlist.p50', 0),
  playlistWorst: at('time of the slowest publication, ms', 'playlist.max', 0),
  recordLive: at('CPU of all processes while live, cores', 'record.liveCores', 3),
  recordAdded: at('CPU added by recording, cores', 'record.addedCores', 3),
  recordLiveWritten: at('written to disk while live, MB/s', 'record.liveMBps', 2),
  recordWritten: at('written to disk while recorded, MB/s', 'record.recordedMBps', 2),
  mp4Seconds: at('time from the last segment to the finished MP4, s', 'mp4.seconds', 1),
  mp4Peak: at('peak memory of FFmpeg, MB', 'mp4.peakMB', 1),
  mp4Size: at('MP4, MB', 'mp4.mp4MB', 0),
  listP50: at('response with all recordings p50, ms', 'list.all.p50', 1),
  listP99: at('response with all recordings p99, ms', 'list.all.p99', 1),
  listPageP99: at('response with a page of 25 recordings p99, ms', 'list.page.p99', 1),
  startMedian: at('time of a start, median, ms', 'startup.p50', 0),
  startWorst: at('time of the slowest start, ms', 'startup.max', 0),
  restartMedian: at('control plane killed: time without a response, median, ms', 'restart.p50', 0),
  restartWorst: at('control plane killed: time without a response, longest, ms', 'restart.max', 0),
  secretRate: at('`secret/query`: requests per second', 'secret.per_second', 0),
  secretP99: at('`secret/query`: latency p99, ms', 'secret.latency.p99', 1),
  secretErrors: faults(
    '`secret/query`: responses other than 200, broken connections',
    'secret.not_ok',
    'secret.broken',
  ),
  apiRate: at('requests per second', 'api.per_second', 0),
  apiP50: at('latency p50, ms', 'api.latency.p50', 2),
  apiP99: at('latency p99, ms', 'api.latency.p99', 1),
  apiErrors: faults('responses other than 200, broken connections', 'api.not_ok', 'api.broken'),
  whepFaults: faults(
    'viewers failed, stuck, dropped or silent',
    'viewers.failed',
    'viewers.stuck',
    'viewers.dropped',
    'viewers.silent',
  ),
  whepJoined: faults('joined', 'viewers.ok'),
  whepStuck: faults('failed or stuck', 'viewers.failed', 'viewers.stuck'),
  joinsKept: at('joins per second after the load, % of before', 'sessions.keptPercent.joins', 0),
  filesKept: at('static files per second after the load, % of before', 'sessions.keptPercent.files', 0),
  callsKept: at('API calls per second after the load, % of before', 'sessions.keptPercent.calls', 0),
  memoryAdded: {
    title: 'memory of the media process after the load, MB more than before',
    digits: 1,
    value: (run) => {
      const [before, after] = ['before', 'after'].map((when) => figure(run, `sessions.${when}.memoryMb`));
      return before === undefined || after === undefined ? undefined : after - before;
    },
  },
  sessionsFailed: faults('calls and joins that failed', 'sessions.failed'),
  rtpLost: faults('RTP packets lost', 'viewers.lost'),
  framesMissing: faults('frames missing', 'viewers.missingFrames'),
  cpuPerPacket: {
    title: 'CPU µs per packet sent',
    digits: 1,
    value: (run) =>
      ratio(
        (run.window?.cpu.media ?? 0) * 1e6,
        (figure(run, 'viewers.packetsPerSecond') ?? 0) * (run.window?.seconds ?? 0),
      ),
  },
  whepP50: at('frame latency p50, ms', 'viewers.latencyMs.p50', 2),
  whepP99: at('frame latency p99, ms', 'viewers.latencyMs.p99', 1),
  bestViewer: at('frame latency of the best viewer p50, ms', 'viewers.viewerP50Ms.min', 2),
  worstViewer: at('frame latency of the worst viewer p50, ms', 'viewers.viewerP50Ms.max', 2),
  connectP99: at('POST to connected p99, ms', 'viewers.connectMs.p99', 0),
  laterConnectP99: at('POST to connected p99 without the first 20 viewers, ms', 'viewers.later.connectMs.p99', 0),
  whepKeyP50: at('POST to first keyframe p50, ms', 'viewers.firstKeyframeMs.p50', 0),
  whepKeyP99: at('POST to first keyframe p99, ms', 'viewers.firstKeyframeMs.p99', 0),
  clientLate: at('event loop delay of the client p99, ms', 'viewers.loopLateMs.p99', 1),
  backAfter: at('time until the video returns, ms', 'viewers.backAfterMs', 0),
  aloneP50: at('without the slow viewer: latency p50, ms', 'alone.lat_video.p50', 1),
  aloneP99: at('without the slow viewer: latency p99, ms', 'alone.lat_video.p99', 1),
  besideP50: at('with the slow viewer: latency p50, ms', 'viewers.lat_video.p50', 1),
  besideP99: at('with the slow viewer: latency p99, ms', 'viewers.lat_video.p99', 1),
  addedP99: added('lat_video'),
  slowKbps: at('bitrate received by the slow viewer, kbps', 'slow.kbps', 0),
  slowCutOff: faults('the slow viewer was cut off', 'slow.cutOff'),
  whepAloneP50: at('without the lossy viewer: frame latency p50, ms', 'alone.latencyMs.p50', 2),
  whepAloneP99: at('without the lossy viewer: frame latency p99, ms', 'alone.latencyMs.p99', 1),
  whepBesideP50: at('with the lossy viewer: frame latency p50, ms', 'viewers.latencyMs.p50', 2),
  whepBesideP99: at('with the lossy viewer: frame latency p99, ms', 'viewers.latencyMs.p99', 1),
  whepAddedP99: added('latencyMs'),
  consolePaint: at('login page: largest contentful paint, median, ms', 'console.paintMs.p50', 0),
  consolePaintWorst: at('login page: largest contentful paint, slowest, ms', 'console.paintMs.max', 0),
  consoleScript: at('login page: compressed script, KB', 'console.scriptKb', 1),
  consoleTask: at('longest task of opening a tab, ms', 'console.longestTaskMs', 0),
  watchPictureP50: at('time from opening to the first frame p50, ms', 'watch.pictureMs.p50', 0),
  watchPictureP95: at('time from opening to the first frame p95, ms', 'watch.pictureMs.p95', 0),
  watchScriptP50: at('time from opening until the script runs p50, ms', 'watch.scriptMs.p50', 0),
  browserP50: at('time from drawing a frame to showing it p50, ms', 'browser.latencyMs.p50', 0),
  browserP95: at('time from drawing a frame to showing it p95, ms', 'browser.latencyMs.p95', 0),
  browserP99: at('time from drawing a frame to showing it p99, ms', 'browser.latencyMs.p99', 0),
  browserJitterBuffer: at("time in the player's jitter buffer, mean, ms", 'browser.jitterBufferMs', 0),
  browserDecode: at('time in the decoder, mean, ms', 'browser.decodeMs', 1),
  browserWidth: at('video width, pixels', 'browser.width', 0),
  browserKbps: at('video, kbps', 'browser.kbps', 0),
  browserShown: faults('frames read', 'browser.shown'),
  browserStalls: faults('stalls: how often the player ran out of media', 'browser.stalls'),
  browserUnreadable: faults('frames whose time could not be read', 'browser.unreadable'),
  srtToFlvP50: at('SRT in to HTTP-FLV out p50, ms', 'flv.lat_video.p50', 1),
  srtToFlvP99: at('SRT in to HTTP-FLV out p99, ms', 'flv.lat_video.p99', 1),
  srtToSrtP50: at('SRT in to SRT out p50, ms', 'srt.lat_video.p50', 1),
  srtToSrtP99: at('SRT in to SRT out p99, ms', 'srt.lat_video.p99', 1),
  lostUp: {
    title: 'datagrams that the relay dropped towards the server, %',
    digits: 1,
    value: (run) => ratio((figure(run, 'relay.up.lost') ?? 0) * 100, figure(run, 'relay.up.packets')),
  },
  retransmitted: {
    title: 'retransmitted, % of sent',
    digits: 1,
    value: (run) => ratio((figure(run, 'publisher.srt.retrans') ?? 0) * 100, figure(run, 'publisher.srt.sent')),
  },
  srtCutOff: faults('publishers cut off', 'publisher.dropped'),
  senderDropped: faults('packets dropped by the sender', 'publisher.srt.snd_drop'),
  flvBadFrames: badFrames('HTTP-FLV out: frames missing or truncated', 'flv'),
  flvFrames: faults('HTTP-FLV out: frames seen', 'flv.vframes'),
  srtBadFrames: badFrames('SRT out: frames missing or truncated', 'srt'),
  srtFrames: faults('SRT out: frames seen', 'srt.frames'),
  continuityGaps: faults('SRT out: TS continuity gaps', 'srt.cc_gaps'),
  hlsStarted: faults('viewers started', 'viewers.ok'),
  hlsErrors: faults('failed requests', 'viewers.failures'),
  hlsRequests: at('requests per second', 'viewers.requestsPerSecond', 0),
  hlsStartupP50: at('first request to first segment p50, ms', 'viewers.startupMs.p50', 1),
  hlsStartupP99: at('first request to first segment p99, ms', 'viewers.startupMs.p99', 1),
  hlsSmooth: {
    title: 'viewers without a stall, %',
    digits: 1,
    value: (run) => ratio((figure(run, 'viewers.smoothShare') ?? 0) * 100, 1),
  },
  hlsPlaylistP99: at('playlist p99, ms', 'viewers.playlistMs.p99', 1),
  hlsSegmentP99: at('segment p99, ms', 'viewers.segmentMs.p99', 1),
  hlsAge: at("age of a segment's first frame p50, ms", 'viewers.ageMs.p50', 0),
  partAgeP50: at('time from the last frame of a part until the part is available p50, ms', 'viewers.ageMs.p50', 1),
  partAgeP99: at('time from the last frame of a part until the part is available p99, ms', 'viewers.ageMs.p99', 1),
  workerCpu: at('CPU of one FFmpeg, cores', 'workers.cpuPerTarget', 3),
  workerMemory: at('memory of one FFmpeg, MB', 'workers.megabytesPerTarget', 1),
  workerSpeed: at('speed of the slowest FFmpeg, times real time', 'workers.slowestSpeed', 2),
  leastCopy: at('bytes of the slowest target, % of those of a viewer of the source', 'copies.leastShare', 1),
  workerRestarts: faults('unexpected restarts', 'workers.restarts'),
  firstByteWorst: at('time from the start to the first byte at the slowest target, ms', 'firstByte.max', 0),
  restartAfter: at('time from the kill of an FFmpeg until the next one sends, ms', 'restart.ms', 0),
  pushCores: at('CPU of the gateway for all targets, cores', 'pushes.cores', 3),
  pushMemory: at('memory of the gateway for all targets, MB', 'pushes.megabytes', 1),
  pushAllRun: at('time from the first call until the last target runs, ms', 'pushes.allRunMs', 0),
  pushRestarts: faults('unexpected reconnects', 'pushes.restarts'),
  pushShare: at('bytes of the slowest target, % of those of the fastest target', 'targets.leastShare', 1),
  pushConnections: faults('connections in addition to one per target', 'targets.moreConnections'),
  cameraShare: at('CPU of cameras, times that of RTMP publishers', 'cameras.share', 2),
  cameraCores: at('CPU of the gateway for all cameras, cores', 'cameras.cores', 3),
  publisherCores: at('CPU of the gateway for the same number of RTMP publishers, cores', 'cameras.publisherCores', 3),
  camerasReady: at('time from the first call until the last camera is on the air, ms', 'cameras.allRunMs', 0),
  cameraReturn: at('time from the return of the camera port until all are on the air, ms', 'cameras.returnMs', 0),
  channelCores: at('CPU of the gateway, cores', 'channel.cores', 3),
  channelPrepared: at('time from the start until the prepared file is on the air, ms', 'channel.preparedMs', 0),
  uploadPlain: at('plain file server: speed, MB/s', 'upload.plain', 0),
  uploadForm: at('form call: speed, MB/s', 'upload.multipart', 0),
  uploadFormShare: at('form call: % of the plain file server', 'upload.multipartShare', 0),
  uploadTus: at('resumable call: speed, MB/s', 'upload.resumable', 0),
  uploadTusShare: at('resumable call: % of the plain file server', 'upload.resumableShare', 0),
  uploadPlatform: at('memory growth of the control plane, MB', 'upload.platformMB', 1),
  uploadGateway: at('memory growth of the gateway, MB', 'upload.gatewayMB', 1),
  capacityViewers: at('viewers with a latency within the limit', 'capacity.viewers', 0),
  capacityP99: at('frame latency of these viewers p99, ms', 'capacity.p99', 1),
  copyFirstP50: at('request to the first keyframe through a new copy p50, ms', 'copies.firstMs.p50', 1),
  copyFirstWorst: at('request to the first keyframe through a new copy, slowest, ms', 'copies.firstMs.max', 1),
  originFirstP50: at('request to the first keyframe at the origin p50, ms', 'copies.originFirstMs.p50', 1),
  originP50: at('frame latency at the origin p50, ms', 'copies.originMs.p50', 1),
  copyP50: at('frame latency at the copy p50, ms', 'copies.copyMs.p50', 1),
  copyAddedP50: at('latency added by the copy p50, ms', 'copies.addedP50', 2),
  copyAddedP99: at('latency added by the copy p99, ms', 'copies.addedP99', 2),
  copyCores: at('CPU of both gateways for one copy, cores', 'copies.coresPerStream', 4),
  copyFaults: faults('streams that could not be played', 'copies.failures'),
  toolCpu: perSecond('CPU of the load tools, cores', ({ toolCpu }) => toolCpu),
  otherCpu: perSecond('CPU of everything else on the machine, cores', ({ otherCpu }) => otherCpu),
  steal: perSecond('CPU stolen by the host, cores', ({ steal }) => steal),
} satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
