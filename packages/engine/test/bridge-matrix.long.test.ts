// Checks converted and unconverted audio of one stream frame by frame: even steps, no decoder errors, and exactly the expected tracks. All
// combinations of publishers and players are in e2e/matrix.test.ts.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type BridgeRig, inspect, type Measured, record, startBridgeRig, stepsOf } from './bridge-rig.ts';
import { FlvReader } from './flv-rig.ts';
import { ffmpeg, type RunningProcess, start, until } from './rtmp-server.ts';

const videoInput = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '25'];
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=25:bframes=0'];
const audioArgs = (encoder: string): string[] => ['-c:a', encoder, '-ac', '2', '-b:a', '128k'];
const recordedSeconds = 3;

let rig: BridgeRig;
let publisher: RunningProcess | undefined;

beforeEach(async () => {
  rig = await startBridgeRig({ hls: true });
});

afterEach(async () => {
  publisher?.kill();
  await publisher?.done;
  await rig.close();
});

async function publish(args: readonly string[], over: 'rtmp' | 'srt'): Promise<void> {
  const target = over === 'rtmp' ? ['-f', 'flv', `${rig.rtmp}/s`] : ['-f', 'mpegts', rig.srt('#!::r=live/s,m=publish')];
  publisher = ffmpeg(...videoInput, ...tone, ...args, ...target);
  await until(() => rig.engine.streams()[0]?.hasMedia === true);
}

/**
 * Waits until the stream has advanced five seconds after the start of the converter. A busy machine starts the converter late, and HLS
 * players start three segments of one second behind. After this wait, all players get video and audio from one keyframe.
 */
async function untilConverted(isNeeded: boolean): Promise<void> {
  if (!isNeeded) return;
  const stream = () => rig.engine.streams()[0];
  await until(() => stream()?.audioConversions?.[0]?.state === 'running', 30_000);
  const framesWanted = (stream()?.frames ?? 0) + 125;
  await until(() => (stream()?.frames ?? 0) >= framesWanted, 30_000);
}

async function recordWebSocket(file: string): Promise<Measured> {
  const socket = new WebSocket(`${rig.http.replace('http', 'ws')}/live/s.flv`);
  const sink = createWriteStream(file);
  const flv = new FlvReader();
  socket.on('message', (data: Buffer) => {
    sink.write(data);
    flv.push(data);
  });
  await until(() => flv.videoTimes.length > recordedSeconds * 25);
  socket.terminate();
  await new Promise((resolve) => sink.end(resolve));
  return inspect(file);
}

function recordFrom(player: string): Promise<Measured> {
  const file = join(rig.folder, `${player}.mkv`);
  if (player === 'ws-flv') return recordWebSocket(join(rig.folder, 'ws.flv'));
  if (player === 'rtmp') return record(`${rig.rtmp}/s`, file, recordedSeconds);
  if (player === 'srt') return record(rig.srt('#!::r=live/s,m=request'), file, recordedSeconds);
  return record(`${rig.http}/live/s.${player === 'hls' ? 'm3u8' : player}`, file, recordedSeconds);
}

const players = ['rtmp', 'flv', 'ws-flv', 'ts', 'hls', 'srt'];
const everywhere = (video: string, audio: string, changes: Record<string, string> = {}) =>
  players.map((player) => [player, `${video} ${changes[player] ?? audio}`] as const);

describe('every player gets even times', () => {
  it.each([
    ['RTMP with MP3', 'rtmp', [...h264, ...audioArgs('libmp3lame')], everywhere('h264', 'mp3')],
    ['SRT with Opus', 'srt', [...h264, ...audioArgs('libopus')], everywhere('h264', 'aac', { srt: 'opus' })],
  ] as const)('%s', async (_name, over, args, expected) => {
    await publish(args, over);
    await untilConverted(over === 'srt');
    await Promise.all(
      expected.map(async ([player, codecs]) => {
        const measured = await recordFrom(player);
        expect(measured.codecs.join(' '), player).toBe(codecs);
        expect(measured.decodeErrors, player).toBe('');
        expect(measured.maxVolumeDb, player).toBeGreaterThan(-30);
        for (const kind of ['video', 'audio'] as const) {
          expect(measured.times[kind].length, `${player} ${kind}`).toBeGreaterThan(60);
          expect(stepsOf(measured.times[kind]).min, `${player} ${kind}`).toBeGreaterThan(0);
          expect(stepsOf(measured.times[kind]).max, `${player} ${kind}`).toBeLessThan(60);
        }
      }),
    );
  });

  it('HEVC reaches FLV players as Enhanced RTMP', async () => {
    await publish([...h265, ...audioArgs('libopus')], 'srt');
    await untilConverted(true);
    const flv = new FlvReader();
    const response = await fetch(`${rig.http}/live/s.flv`);
    for await (const data of response.body!) {
      flv.push(Buffer.from(data));
      if ([8, 9].every((wanted) => flv.tags.filter(({ type }) => type === wanted).length > 50)) break;
    }
    const video = flv.tags.filter(({ type }) => type === 9);
    expect(video.every(({ body }) => body.toString('latin1', 1, 5) === 'hvc1')).toBe(true);
    const audio = flv.tags.filter(({ type }) => type === 8);
    expect(audio[0]?.body.toString('hex')).toBe('af001190');
    expect(flv.flags).toBe(5);
  });
});

describe('FFmpeg finds exactly the two tracks', () => {
  it.each(['flv', 'rtmp', 'ts'])('over %s', async (player) => {
    await publish([...h264, ...audioArgs('aac')], 'rtmp');
    await until(() => (rig.engine.streams()[0]?.frames ?? 0) > 30); // metadata must not get the time of a late start
    const address = player === 'rtmp' ? `${rig.rtmp}/s` : `${rig.http}/live/s.${player}`;
    const show = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', '-read_intervals', '%+2'];
    const { stdout, stderr } = await start('ffprobe', [...show, address]).done;
    expect(stdout.match(/video|audio|data|subtitle/g)?.slice(0, 2)).toEqual(['video', 'audio']);
    expect(stdout).not.toMatch(/data|subtitle/);
    expect(stderr).toBe('');
  });
});

describe('a conversion', () => {
  it('ends some seconds after the last viewer left', async () => {
    await rig.close();
    rig = await startBridgeRig({ hls: false });
    await publish([...h264, ...audioArgs('libopus')], 'srt');
    const conversions = () => rig.engine.streams()[0]?.audioConversions ?? [];
    await sleep(500);
    expect(conversions()).toEqual([]);
    const viewers = ['flv', 'rtmp', 'ts'].map((player) => recordFrom(player));
    await until(() => conversions()[0]?.state === 'running', 30_000);
    expect(conversions()).toEqual([{ from: 'opus', to: 'aac', state: 'running' }]);
    await Promise.all(viewers);
    await until(() => conversions().length === 0);
  });
});
