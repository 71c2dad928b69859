import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio } from '@srs-stack/media/testing/media.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { publisherSession, recordingLog } from '../testing/recorders.ts';
import { convertedTracks } from './audio-output.ts';
import type { ConverterProcess } from './converter-process.ts';
import { createFfmpegAudioBridge } from './ffmpeg-audio-bridge.ts';

const opusTrack = audioTrackFromConfig('opus', writeOpusConfig(2));
/** An Opus packet of 20 ms, CELT only. */
const opusPayload = Buffer.from([0xfc, 0xff, 0xfe]);
/** ADTS header of a 9-byte frame, 48 kHz stereo, and two bytes. */
const adtsFrame = Buffer.from('fff14c80013ffc2110', 'hex');

class FakeProcess extends EventEmitter implements ConverterProcess {
  readonly stdin = new PassThrough({ highWaterMark: 1 });
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly args: readonly string[];
  isKilled = false;

  constructor(args: readonly string[]) {
    super();
    this.args = args;
  }

  kill(): boolean {
    this.isKilled = true;
    return true;
  }
}

let processes: FakeProcess[];
let onDatagram: (datagram: Buffer) => void;
let now: number;
const log = recordingLog();

beforeEach(() => {
  vi.useFakeTimers();
  processes = [];
  now = 0;
  log.lines.length = 0;
});
afterEach(() => vi.useRealTimers());

const bridge = createFfmpegAudioBridge({
  log,
  clock: () => now,
  spawn: (args) => {
    const child = new FakeProcess(args);
    processes.push(child);
    return child;
  },
  openPort: async (listener) => {
    onDatagram = listener;
    return { port: 4000, close: () => {} };
  },
});

async function convert(target: 'aac' | 'opus') {
  const packets: AudioPacket[] = [];
  const source = target === 'aac' ? opusTrack : aacTrack;
  const conversion = bridge.convert({
    stream: publisherSession(),
    source,
    target,
    onPacket: (packet) => packets.push(packet),
  });
  await vi.advanceTimersByTimeAsync(0);
  return { conversion, packets, times: () => packets.map(({ ptsMs }) => ptsMs) };
}

const opusAt = (ptsMs: number): AudioPacket => ({ ...audio(ptsMs, { track: opusTrack }), payload: opusPayload });

function rtp(sequence: number, ssrc: number): Buffer {
  const packet = Buffer.from('806f00000000000000000000fcfffe', 'hex');
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

const ssrcOf = ({ args }: FakeProcess): number => Number(args[args.indexOf('-ssrc') + 1]);

describe('the bridge', () => {
  it('converts AAC, MP3 and G.711 to Opus, Opus to AAC, and reports other codecs as unsupported', () => {
    expect(bridge.targetOf('aac', ['opus'])).toBe('opus');
    expect(bridge.targetOf('opus', ['mp3', 'aac'])).toBe('aac');
    expect(bridge.targetOf('pcma', ['aac', 'mp3'])).toBe('aac');
    expect(bridge.targetOf('opus', ['mp3'])).toBeUndefined();
    expect(bridge.targetOf('flac', ['aac'])).toBeUndefined();
  });
});

describe('towards AAC', () => {
  it('parses standard output however it is split, and subtracts the encoder’s first frame from the time', async () => {
    const { conversion, packets, times } = await convert('aac');
    conversion.push(opusAt(1000));
    const output = Buffer.concat([adtsFrame, adtsFrame, adtsFrame]);
    for (const byte of output) processes[0]!.stdout.write(Buffer.from([byte]));
    await vi.advanceTimersByTimeAsync(0);
    expect(packets[0]).toMatchObject({ track: convertedTracks.aac, payload: Buffer.from([0x21, 0x10]) });
    const frameMs = 1024 / 48;
    for (const [i, time] of [1000 - frameMs, 1000, 1000 + frameMs].entries()) expect(times()[i]).toBeCloseTo(time, 6);
  });

  it('never outputs decreasing times when the publisher’s clock goes back', async () => {
    const { conversion, times } = await convert('aac');
    conversion.push(opusAt(5000));
    conversion.push(opusAt(1000));
    processes[0]!.stdout.write(Buffer.concat(Array(5).fill(adtsFrame)));
    await vi.advanceTimersByTimeAsync(0);
    expect(times()).toEqual([...times()].sort((a, b) => a - b));
    expect(times().length).toBeGreaterThan(0);
  });
});

describe('towards Opus', () => {
  it('times frames by their number, despite lost and unrelated datagrams', async () => {
    const { conversion, times } = await convert('opus');
    conversion.push(audio(1000));
    const ssrc = ssrcOf(processes[0]!);
    for (const datagram of [rtp(0, ssrc), rtp(1, ssrc + 1), Buffer.from('junk'), rtp(2, ssrc), rtp(3, ssrc)])
      onDatagram(datagram);
    expect(times()).toEqual([997.5, 1037.5, 1057.5]);
  });

  it('continues when the 16-bit number wraps', async () => {
    const { conversion, times } = await convert('opus');
    conversion.push(audio(0));
    for (let sequence = 0; sequence <= 65_537; sequence += 16_384) onDatagram(rtp(sequence, ssrcOf(processes[0]!)));
    expect(times().at(-1)).toBe(65_536 * 20 - 2.5);
  });
});

describe('a converter', () => {
  it('that fails is restarted with growing delays, and its error output is logged', async () => {
    const { conversion } = await convert('aac');
    const pauses: number[] = [];
    for (let i = 0; i < 7; i++) {
      processes.at(-1)!.stderr.write('Unknown encoder');
      await vi.advanceTimersByTimeAsync(0);
      processes.at(-1)!.emit('close', 1, null);
      expect(conversion.state).toBe('waiting');
      const count = processes.length;
      let pauseMs = 0;
      for (; processes.length === count; pauseMs += 100) await vi.advanceTimersByTimeAsync(100);
      pauses.push(pauseMs);
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(log.lines).toContain('warn the audio converter exited and is restarted');
  });

  it('that ran for a while is restarted almost immediately', async () => {
    await convert('aac');
    processes[0]!.emit('close', 1, null);
    await vi.advanceTimersByTimeAsync(500);
    now += 10_000;
    processes[1]!.emit('close', null, 'SIGKILL');
    await vi.advanceTimersByTimeAsync(500);
    expect(processes).toHaveLength(3);
  });

  it('that is not installed is logged once, and looked up again', async () => {
    const { conversion } = await convert('aac');
    await convert('aac');
    for (const child of processes) child.emit('error', Object.assign(new Error('spawn ffmpeg'), { code: 'ENOENT' }));
    expect(conversion.state).toBe('missing');
    const complaints = log.lines.filter((line) => line.startsWith('error FFmpeg is missing'));
    expect(complaints).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(processes).toHaveLength(4);
  });

  it('that reads nothing gets at most 128 KiB', async () => {
    const { conversion } = await convert('aac');
    for (let i = 0; i < 20_000; i++) conversion.push(opusAt(i * 20));
    const { stdin } = processes[0]!;
    expect(stdin.writableLength + stdin.readableLength).toBeLessThanOrEqual(128 * 1024 + 100);
  });

  it('that is closed is killed and not restarted', async () => {
    const { conversion } = await convert('opus');
    conversion.close();
    conversion.close();
    expect(processes[0]!.isKilled).toBe(true);
    processes[0]!.emit('close', null, 'SIGKILL');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(processes).toHaveLength(1);
  });
});
