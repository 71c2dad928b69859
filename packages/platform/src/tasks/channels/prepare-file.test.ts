// The real FFmpeg prepares files of different formats. ffprobe counts the packets of each result.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { darkScreenMs, preparedMs } from './preparation-args.ts';
import { prepareFile } from './prepare-file.ts';

const requireSpace = async () => undefined;
const profile = { height: 360, fps: 25, kbps: 800 };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-channels-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function make(name: string, ...args: string[]): string {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args, path]);
  return path;
}

const sources: Record<string, () => string | undefined> = {
  'a wide film at 23.976 frames per second with 5.1 audio': () =>
    make(
      'film.mkv',
      ...['-f', 'lavfi', '-i', 'testsrc2=s=640x272:r=24000/1001:d=3.3', '-f', 'lavfi', '-i', 'sine=d=3.1:r=44100'],
      ...['-c:v', 'libx264', '-bf', '3', '-colorspace', 'smpte170m', '-c:a', 'aac', '-ac', '6'],
    ),
  'an upright clip without audio': () =>
    make('upright.mp4', '-f', 'lavfi', '-i', 'testsrc=s=270x480:r=30:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'),
  'music without video': () => make('music.mp3', '-f', 'lavfi', '-i', 'sine=d=2.5:r=22050'),
  'a stream that does not start at zero': () =>
    make(
      'late.ts',
      ...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=50:d=2', '-f', 'lavfi', '-i', 'sine=d=2'],
      ...['-c:v', 'libx264', '-c:a', 'aac', '-output_ts_offset', '100'],
    ),
  'the dark screen': () => undefined,
};

interface Counted {
  readonly codec_type: string;
  readonly nb_read_packets: string;
}

function countPackets(file: string): { video: number; audio: number } {
  const show = ['-count_packets', '-show_entries', 'stream=codec_type,nb_read_packets', '-of', 'json', file];
  const text = execFileSync('ffprobe', ['-loglevel', 'error', ...show]).toString();
  const { streams } = JSON.parse(text) as { streams: Counted[] };
  const of = (kind: string) => Number(streams.find(({ codec_type }) => codec_type === kind)?.nb_read_packets);
  return { video: of('video'), audio: of('audio') };
}

describe('prepared files', () => {
  it.each(Object.keys(sources))(
    '%s gets whole frames of both tracks and the configuration of all others',
    async (name) => {
      const output = join(folder, `${name.replaceAll(' ', '-')}.flv`);
      const done: number[] = [];
      const durationMs = await prepareFile(
        { source: sources[name]!(), profile, output, requireSpace },
        AbortSignal.timeout(60_000),
        (part) => done.push(part),
      );
      expect(durationMs % 320).toBe(0);
      const { video, audio } = countPackets(output);
      expect(video).toBe(durationMs / 40);
      // The encoder adds one priming frame.
      expect(audio).toBe((durationMs * 48) / 1024 + 1);
      expect(done.every((part) => part > 0 && part <= 1)).toBe(true);
      const index = JSON.parse(readFileSync(indexNameOf(output), 'utf8'));
      expect(index.durationMs).toBe(durationMs);
      expect(index.keyframes.map(([timeMs]: [number]) => timeMs)).toEqual(
        Array.from({ length: Math.ceil(durationMs / 2000) }, (_, gop) => gop * 2000),
      );
      const other = join(folder, 'reference.flv');
      if (!existsSync(other))
        await prepareFile(
          { source: undefined, profile, output: other, requireSpace },
          AbortSignal.timeout(60_000),
          () => undefined,
        );
      expect(index.configs).toEqual(JSON.parse(readFileSync(indexNameOf(other), 'utf8')).configs);
    },
  );

  it('are not created from a source without media, and no partial file is left behind', async () => {
    const source = join(folder, 'text.mp4');
    writeFileSync(source, 'no media');
    const output = join(folder, 'text.flv');
    await expect(
      prepareFile({ source, profile, output, requireSpace }, AbortSignal.timeout(60_000), () => undefined),
    ).rejects.toThrow();
    expect([existsSync(output), existsSync(`${output}.part`), existsSync(indexNameOf(output))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('have a length of whole frames and whole milliseconds at every rate', () => {
    expect([25, 30, 50, 60].map((fps) => preparedMs(1, { ...profile, fps }))).toEqual([320, 1600, 320, 1600]);
    expect([25, 30, 50, 60].map((fps) => preparedMs(darkScreenMs, { ...profile, fps }))).toEqual([
      8000, 8000, 8000, 8000,
    ]);
    expect(preparedMs(320.2, profile)).toBe(320);
  });
});
