// Channels in a separate hub: prepared files made by FFmpeg, and a reader that records what the hub delivers.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlvIndexer } from '@srs-stack/media/containers/flv/flv-index.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { type ChannelEntry, type ChannelOrder, indexNameOf } from '@srs-stack/process/channel-orders.ts';
import { onTestFinished } from 'vitest';
import { Channels } from '../src/sessions/channel/channels.ts';
import { openGate } from './gate-rig.ts';
import { ffmpeg, type RtmpServer, startRtmpServer, testConfig, until } from './rtmp-server.ts';

export const key = { vhost: defaultVhost, app: 'live', stream: 'news' };

export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'srs-stack-channel-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A prepared file with one color and a tone, 25 frames per second. `seconds` must be a multiple of 0.32. */
export async function makePrepared(folder: string, name: string, seconds: number, color: string): Promise<string> {
  const file = join(folder, `${name}.flv`);
  const inputs = ['-f', 'lavfi', '-i', `color=${color}:s=160x90:r=25`, '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '25', '-x264-params', 'stitchable=1'];
  const audio = ['-c:a', 'aac', '-ac', '2'];
  const { code, stderr } = await ffmpeg('-y', ...inputs, ...video, ...audio, '-t', `${seconds}`, file).done;
  if (code !== 0) throw new Error(stderr);
  const indexer = new FlvIndexer();
  for await (const bytes of createReadStream(file)) indexer.read(bytes as Buffer);
  await writeFile(indexNameOf(file), JSON.stringify({ ...indexer.end(), durationMs: seconds * 1000 }));
  return file;
}

export interface Line {
  readonly file: string;
  readonly seconds: number;
  readonly more?: Partial<ChannelEntry>;
}

export function orderOf(lines: readonly Line[], startMs: number, filler: string): ChannelOrder {
  let atMs = startMs;
  const entries = lines.map(({ file, seconds, more }, index) => {
    const times = { startMs: atMs, endMs: atMs + seconds * 1000 };
    atMs = times.endMs;
    return { id: `e${index}`, file, offsetMs: 0, loops: false, isFixed: false, live: '', ...times, ...more };
  });
  const liveItems = entries.filter(({ live }) => live !== '').map(({ id }) => id);
  return { id: 'news', ...key, param: '?secret=x', filler, entries, liveItems, takeover: undefined };
}

export interface ChannelRig {
  readonly channels: Channels;
  readonly server: RtmpServer;
  readonly packets: Packet[];
  readonly hostCalls: string[];
  videoTimes(): number[];
  audioTimes(): number[];
  /** Resolves when this duration of video was delivered, milliseconds. */
  played(ms: number): Promise<void>;
}

export async function openChannels(): Promise<ChannelRig> {
  const hostCalls: string[] = [];
  const server = await startRtmpServer();
  const { hub, logged } = server;
  const write = (fields: object, message: string): void => void logged.push({ fields, message });
  const log = { debug: write, info: write, warn: write, error: write };
  const ports = {
    ...{ log, onStop: () => undefined, onHlsSegment: () => undefined },
    isValidStream: () => true,
    authorizePublish: async ({ param }: { param: string }) => {
      hostCalls.push(param);
      return { allowed: true } as const;
    },
    authorizePlay: async () => ({ allowed: true }) as const,
    onUnpublish: (session: { stream: string }) => hostCalls.push(`end ${session.stream}`),
  };
  const { refusals } = openGate(hub, ports, testConfig);
  const clock = (): number => performance.now();
  const onFault = (error: unknown): void => {
    throw error;
  };
  const remote = { has: () => false, ready: () => Promise.resolve() };
  const gate = { hub, ports, refusals, clock };
  const channels = new Channels({ gate, log, onFault, clock, remote, wallClock: Date.now });
  const packets: Packet[] = [];
  hub.attach(key, {
    name: 'test',
    onPacket: (packet) => void packets.push(packet),
    onEnd: () => undefined,
  });
  onTestFinished(async () => {
    channels.close();
    await server.close();
  });
  const timesOf = (kind: string) => packets.filter(({ track }) => track.kind === kind).map(({ dtsMs }) => dtsMs);
  return {
    ...{ channels, server, packets, hostCalls },
    videoTimes: () => timesOf('video'),
    audioTimes: () => timesOf('audio'),
    played: (ms) => until(() => (timesOf('video').at(-1) ?? 0) - (timesOf('video')[0] ?? 0) >= ms),
  };
}

/** Distinct steps between consecutive times, rounded. */
export function stepsOf(times: readonly number[]): number[] {
  const steps = times.slice(1).map((time, index) => Math.round(time - times[index]!));
  return [...new Set(steps)].sort((x, y) => x - y);
}
