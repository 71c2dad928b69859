// Small clips made by FFmpeg, and their packets as ffprobe reports them. Tests compare output with input.
import { start } from './rtmp-server.ts';

export interface ClipPacket {
  readonly kind: 'video' | 'audio';
  readonly ptsMs: number;
  readonly dtsMs: number;
  readonly size: number;
  readonly keyframe: boolean;
  readonly hash: string;
}

const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'];

export const videoArgs = { input: videoInput, output: [...h264, '-bf', '2'] };

export function audioArgs(layout: 'mono' | 'stereo' | '5.1', sampleRate: number): typeof videoArgs {
  const input = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${sampleRate}`];
  return { input, output: ['-af', `aformat=channel_layouts=${layout}`, '-c:a', 'aac'] };
}

export async function makeClip(file: string, parts: (typeof videoArgs)[], seconds: number): Promise<void> {
  const inputs = parts.flatMap(({ input }) => input);
  const outputs = parts.flatMap(({ output }) => output);
  const args = ['-v', 'error', '-y', ...inputs, '-t', String(seconds), ...outputs, '-f', 'flv', file];
  const { code, stderr } = await start('ffmpeg', args).done;
  if (code !== 0) throw new Error(stderr);
}

/** Packets of a file or URL in file order. `extra` contains options of ffprobe. */
export async function packetsOf(source: string, ...extra: string[]): Promise<ClipPacket[]> {
  const entries = 'packet=codec_type,pts,dts,size,flags,data_hash';
  const args = ['-v', 'error', '-show_data_hash', 'CRC32', '-show_entries', entries, '-of', 'json', ...extra, source];
  const { code, stdout, stderr } = await start('ffprobe', args).done;
  if (code !== 0) throw new Error(stderr);
  const { packets } = JSON.parse(stdout) as { packets: Record<string, string>[] };
  return packets.map(({ codec_type, pts, dts, size, flags, data_hash }) => ({
    kind: codec_type as ClipPacket['kind'],
    ptsMs: Number(pts),
    dtsMs: Number(dts),
    size: Number(size),
    keyframe: flags!.startsWith('K'),
    hash: data_hash!,
  }));
}
