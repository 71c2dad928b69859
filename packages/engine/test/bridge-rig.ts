// The engine with RTMP, SRT, WebRTC and HTTP on loopback ports, and FFmpeg's analysis of the media that players receive.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, type EnginePorts } from '../src/index.ts';
import { type RecordingLog, recordingLog } from '../src/testing/recorders.ts';
import { ffmpeg, start, testConfig } from './rtmp-server.ts';

export interface BridgeRig {
  readonly engine: Engine;
  readonly folder: string;
  /** `http://127.0.0.1:port` */
  readonly http: string;
  /** `rtmp://127.0.0.1:port/live` */
  readonly rtmp: string;
  srt(streamId: string): string;
  readonly log: RecordingLog;
  close(): Promise<void>;
}

export async function startBridgeRig({ hls = false } = {}): Promise<BridgeRig> {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-'));
  const log = recordingLog();
  const ports: EnginePorts = {
    log,
    isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: () => {},
    onStop: () => {},
    onHlsSegment: () => {},
  };
  const engine = createEngine(
    {
      ...testConfig,
      // A latency of one second, so that a busy machine loses no packets.
      srt: { host: '127.0.0.1', port: 0, latencyMs: 1_000 },
      rtc: { host: '127.0.0.1', port: 0, candidates: [] },
      hls: { ...testConfig.hls, enabled: hls, path: join(folder, 'hls'), fragmentSeconds: 1, sessionContexts: false },
    },
    ports,
  );
  const { rtmpPort, srtPort } = await engine.start();
  const server = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.end('<!doctype html><video></video>');
  });
  server.on('upgrade', (request, socket, head) => {
    if (!engine.handleUpgrade(request, socket, head)) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    engine,
    folder,
    log,
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rtmp: `rtmp://127.0.0.1:${rtmpPort}/live`,
    srt: (streamId) => `srt://127.0.0.1:${srtPort}?mode=caller&streamid=${streamId}`,
    async close() {
      await engine.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Measured {
  readonly codecs: string[];
  /** Volume of the loudest sample in dBFS; -Infinity without audio. */
  readonly maxVolumeDb: number;
  readonly decodeErrors: string;
  /** Times of the packets by kind, milliseconds, in file order. */
  readonly times: Readonly<Record<'video' | 'audio', number[]>>;
  readonly file: string;
}

/** Records `seconds` of the URL without changing the frames. Then decodes the file and measures the volume. */
export async function record(source: string, file: string, seconds: number, options: string[] = []): Promise<Measured> {
  const output = ['-map', '0', '-t', `${seconds}`, '-c', 'copy', file];
  const recorded = await ffmpeg('-y', ...options, '-i', source, ...output).done;
  if (recorded.code !== 0) throw new Error(recorded.stderr);
  return inspect(file);
}

export async function inspect(file: string): Promise<Measured> {
  const probe = async (entries: string): Promise<string[]> => {
    const { stdout } = await start('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', file]).done;
    return stdout.trim().split('\n');
  };
  const codecs = await probe('stream=codec_name');
  const packets = (await probe('packet=codec_type,dts_time')).map((line) => line.split(','));
  const decoded = await start('ffmpeg', [
    '-hide_banner',
    '-v',
    'info',
    '-i',
    file,
    '-af',
    'volumedetect',
    '-f',
    'null',
    '-',
  ]).done;
  // Frames keep their timestamps, because a browser's video has no constant frame rate.
  const timing = ['-fps_mode', 'passthrough', '-enc_time_base:v', '1/1000'];
  const strict = await ffmpeg('-i', file, ...timing, '-f', 'null', '-').done;
  const volume = /max_volume: (-?[\d.]+) dB/.exec(decoded.stderr)?.[1];
  const timesOf = (kind: string): number[] =>
    packets.filter(([type]) => type === kind).map(([, time]) => Number(time) * 1000);
  return {
    codecs: codecs.map((line) => line.replace(/,+$/, '')),
    maxVolumeDb: volume === undefined ? Number.NEGATIVE_INFINITY : Number(volume),
    decodeErrors: strict.stderr,
    times: { video: timesOf('video'), audio: timesOf('audio') },
    file,
  };
}

/** Smallest and largest step between consecutive times. A negative smallest step means that the times are not monotonic. */
export function stepsOf(times: readonly number[]): { min: number; max: number } {
  const steps = times.slice(1).map((time, index) => time - times[index]!);
  return { min: Math.min(...steps), max: Math.max(...steps) };
}
