// Recording: the additional cost during a live stream, the creation of the MP4 of an hour, and the list of ten thousand recordings.
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret, httpUrl } from '../conf/product.ts';
import { postCall } from '../lib/product-api.ts';
import { quantiles } from '../lib/quantiles.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const streams = 20;
const streamKbps = 2_000;
const settleMs = 6_000;
const recordings = 10_000;
const listCalls = 200;
const hourSeconds = 3_600;
const segmentSeconds = 2;
const hourKbps = 2_000;
const lookMs = 20;
const finishTimeoutMs = 120_000;
const prefix = '/terraform/v1/hooks/record';

const suits: Scenario['suits'] = (server) => server.isProduct && !isMergeVariant(server);
const call = (path: string, body: object) => postCall(`${prefix}/${path}`, body, apiSecret);
const recordFolder = (run: ScenarioRun) => join(run.server.env?.DATA_DIR ?? '', 'record');

function writtenBytes(run: ScenarioRun): number {
  const written = run.processes().map(({ pid }) => {
    try {
      return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0; // exited
    }
  });
  return written.reduce((sum, one) => sum + one, 0);
}

/** Measures 20 publishers without recording, then with recording. Server and load stay equal: the difference is the recording. */
const recorded: Scenario = {
  id: 'record20',
  title: `${streams} streams of ${streamKbps} kbps, live and then recorded`,
  table: 'record20',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 75,
  suits,
  run: async (run, scale) => {
    const count = scaled(streams, scale);
    const seconds = windowSeconds(20, scale);
    run.record.facts = { publishers: count, kbps: streamKbps };
    await run.startServer();
    await call('apply', { all: false });
    const url = run.address(run.server.rtmp, '_{i}');
    const args = ['--url', url, '--count', count, '--kbps', streamKbps, '--time', 2 * seconds + 60];
    const publisher = run.tool('rtmp-pub', args);
    await run.untilReady(publisher);
    const measure = async () => {
      await delay(settleMs);
      const before = writtenBytes(run);
      await run.measureFor(seconds * 1000);
      const { window } = run.record;
      const cores = (window?.cpu.tree ?? 0) / (window?.seconds ?? 1);
      return { cores, written: (writtenBytes(run) - before) / seconds };
    };
    const live = await measure();
    await call('apply', { all: true });
    const both = await measure();
    run.record.tools.record = {
      liveCores: live.cores,
      addedCores: both.cores - live.cores,
      liveMBps: live.written / 1e6,
      recordedMBps: both.written / 1e6,
    };
    await call('apply', { all: false });
    await run.noteResult('publisher', publisher, 'stop');
  },
};

/** Creates a recording folder with segments and metadata. `state` is the state that the next start of the server finds. */
function plantRecording(folder: string, state: 'finishing' | 'done', segments: number, totals: object): string {
  const uuid = randomUUID();
  mkdirSync(join(folder, uuid), { recursive: true });
  const at = new Date().toISOString();
  const source = {
    vhost: '__defaultVhost__',
    app: 'live',
    stream: `bench-${uuid.slice(0, 4)}`,
    m3u8Url: `live/${uuid}.m3u8`,
  };
  const facts = { uuid, ...source, begin: at, update: at, state, nn: segments, mp4Size: 0, problem: '', ...totals };
  writeFileSync(join(folder, uuid, 'recording.json'), JSON.stringify(facts));
  return uuid;
}

function segmentName(sequence: number, durationMs: number): string {
  const mark = createHash('sha256').update(String(sequence)).digest('hex').slice(0, 12);
  return `000-${String(sequence).padStart(6, '0')}-${durationMs}-${mark}.ts`;
}

/** Creates `seconds` of segments by looping a clip of one minute. Timestamps increase without a jump. */
function plantHour(folder: string, seconds: number): { uuid: string; bytes: number } {
  const count = Math.ceil(seconds / segmentSeconds);
  const uuid = plantRecording(folder, 'finishing', count, { duration: seconds, size: 0 });
  const out = join(folder, uuid, 'made-%06d.ts');
  const rate = [
    '-b:v',
    `${hourKbps}k`,
    '-minrate',
    `${hourKbps}k`,
    '-maxrate',
    `${hourKbps}k`,
    '-bufsize',
    `${hourKbps}k`,
  ];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-nal-hrd', 'cbr', ...rate];
  const clip = join(folder, uuid, 'minute.mp4');
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=30:duration=60',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=60',
  ];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, ...video, '-c:a', 'aac', clip]);
  const cut = ['-c', 'copy', '-f', 'segment', '-segment_time', String(segmentSeconds), '-segment_format', 'mpegts'];
  execFileSync('ffmpeg', ['-loglevel', 'error', '-stream_loop', '-1', '-i', clip, '-t', String(seconds), ...cut, out]);
  let bytes = 0;
  const made = readdirSync(join(folder, uuid)).filter((name) => name.startsWith('made-'));
  for (const [index, name] of made.sort().entries()) {
    const target = join(folder, uuid, segmentName(index, segmentSeconds * 1000));
    linkSync(join(folder, uuid, name), target);
    bytes += statSync(target).size;
  }
  execFileSync('find', [join(folder, uuid), '(', '-name', 'made-*', '-o', '-name', 'minute.mp4', ')', '-delete']);
  return { uuid, bytes };
}

/** Measures time and memory of FFmpeg, which creates the MP4 of an interrupted recording when the server starts. */
const hour: Scenario = {
  id: 'record-mp4',
  title: 'MP4 of a recording of one hour, 2 Mbps',
  table: 'record-mp4',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 70,
  suits,
  run: async (run, scale) => {
    const seconds = Math.max(60, Math.round(hourSeconds * Math.min(1, scale.load)));
    const folder = recordFolder(run);
    mkdirSync(folder, { recursive: true });
    const { uuid, bytes } = plantHour(folder, seconds);
    run.record.facts = { seconds, megabytes: Math.round(bytes / 1e6) };
    let peakBytes = 0;
    // FFmpeg starts during the start of the server, so the measurement begins earlier.
    const look = setInterval(() => {
      peakBytes = Math.max(peakBytes, ...ffmpegsOf(uuid).map(residentBytes));
    }, lookMs);
    try {
      await run.startServer();
      const mp4MB = await untilFinished(uuid);
      run.record.tools.mp4 = { peakMB: peakBytes / 1e6, mp4MB, ...readyTime(folder, uuid) };
    } finally {
      clearInterval(look);
    }
  },
};

/** Waits for the MP4. Resolves with its size in megabytes. */
async function untilFinished(uuid: string): Promise<number> {
  for (const deadline = performance.now() + finishTimeoutMs; performance.now() < deadline; await delay(lookMs)) {
    const [row] = (await call('files', { search: uuid })) as { progress: boolean; mp4Size: number }[];
    if (row && !row.progress) return row.mp4Size / 1e6;
  }
  throw new Error('the MP4 of the recording was not finished in time');
}

/** Seconds from writing the playlist, which is the first file, to the complete MP4. */
function readyTime(folder: string, uuid: string): { seconds: number } {
  const at = (name: string) => statSync(join(folder, uuid, name)).mtimeMs;
  return { seconds: (at('recording.json') - at('index.m3u8')) / 1000 };
}

function ffmpegsOf(uuid: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(`${uuid}/index.mp4`))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // exited
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const list: Scenario = {
  id: 'record-list',
  title: `\`files\` with ${recordings.toLocaleString('en')} recordings, all in one response`,
  table: 'record-list',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 30,
  suits,
  run: async (run, scale) => {
    const count = scaled(recordings, scale);
    const folder = recordFolder(run);
    mkdirSync(folder, { recursive: true });
    const segment = join(run.server.env?.DATA_DIR ?? '', 'segment.ts');
    writeFileSync(segment, Buffer.alloc(188, 0x47));
    for (let index = 0; index < count; index += 1) {
      const uuid = plantRecording(folder, 'done', 1, { duration: 60, size: 15_000_000 });
      copyFileSync(segment, join(folder, uuid, 'index.mp4'));
    }
    run.record.facts = { recordings: count };
    await run.startServer();
    const ask = async (body: object) => {
      const times: number[] = [];
      for (let each = 0; each < listCalls; each += 1) {
        const startedAt = performance.now();
        const response = await fetch(`${httpUrl}${prefix}/files`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${apiSecret}` },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`files returned ${response.status}`);
        times.push(performance.now() - startedAt);
      }
      return quantiles(times);
    };
    run.record.tools.list = { all: await ask({}), page: await ask({ limit: 25 }) };
  },
};

export const recordingScenarios = [recorded, hour, list];
