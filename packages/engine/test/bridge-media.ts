// Audio for tests of the audio bridge: packets that FFmpeg encodes. Also runs programs and collects their output.
import { spawn } from 'node:child_process';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { AudioPacket } from '@srs-stack/media/packet.ts';

const encoders = {
  aac: ['-c:a', 'aac', '-b:a', '128k'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  opus: ['-c:a', 'libopus', '-b:a', '64k'],
  mp2: ['-c:a', 'mp2', '-b:a', '192k'],
  ac3: ['-c:a', 'ac3', '-b:a', '192k'],
  eac3: ['-c:a', 'eac3', '-b:a', '192k'],
  latm: ['-c:a', 'aac', '-b:a', '128k', '-mpegts_flags', 'latm'],
} as const;

export type TestCodec = keyof typeof encoders;

/** Packets of a 440 Hz tone or of `source` (lavfi); timestamps start near 0. */
export async function audioPackets(
  codec: TestCodec,
  { seconds, sampleRate = 48_000, source }: { seconds: number; sampleRate?: number; source?: string },
): Promise<AudioPacket[]> {
  const input = source ?? `sine=frequency=440:sample_rate=${sampleRate}`;
  const args = ['-v', 'error', '-f', 'lavfi', '-i', input, '-t', `${seconds}`, '-ac', '2', '-ar', `${sampleRate}`];
  const ts = await collect('ffmpeg', [...args, ...encoders[codec], '-muxdelay', '0', '-f', 'mpegts', 'pipe:1']);
  const packets: AudioPacket[] = [];
  const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => packets.push(packet as AudioPacket) });
  demuxer.push(ts);
  demuxer.end();
  const startMs = packets[0]!.ptsMs;
  return packets.map((packet) => ({ ...packet, ptsMs: packet.ptsMs - startMs, dtsMs: packet.dtsMs - startMs }));
}

/** Runs a program on `input`. Resolves with the program's standard output, or rejects with its error output. */
export function collect(program: string, args: readonly string[], input?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args);
    const output: Buffer[] = [];
    let errorOutput = '';
    child.stdout.on('data', (data: Buffer) => output.push(data));
    child.stderr.on('data', (data: Buffer) => {
      errorOutput += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(Buffer.concat(output)) : reject(new Error(errorOutput))));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
