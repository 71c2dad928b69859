// Slate files and previews by the real FFmpeg: legible texts, clips with a whole number of frames, blurred frames.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPreview } from './draw-preview.ts';
import { encodeSlate, type SlateOrderedFile } from './encode-slate.ts';
import { findFont } from './find-font.ts';
import { startShape } from './slate-shape.ts';

const run = promisify(execFile);
const shape = startShape({ width: 640, height: 360, fps: 30, sampleRate: 44_100 });
const never = new AbortController().signal;
const noText = { title: '', text: '' };

let folder: string;
let photo: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-encode-slate-'));
  photo = join(folder, 'photo.jpg');
  await run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360', '-frames:v', '1', photo]);
});
afterAll(() => rmSync(folder, { recursive: true }));

let number = 0;
async function encoded(wanted: Partial<SlateOrderedFile>): Promise<string> {
  const file = join(folder, `${number++}.ts`);
  await encodeSlate({ shape, image: undefined, ...noText, ...wanted, file }, never, () => undefined);
  return file;
}

async function makeClip(name: string, ...options: string[]): Promise<string> {
  const path = join(folder, name);
  await run('ffmpeg', ['-loglevel', 'error', '-y', ...options, path]);
  return path;
}

interface Track {
  readonly codec_type: string;
  readonly nb_read_packets: string;
  readonly width?: number;
}
async function tracksOf(file: string): Promise<Track[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-count_packets', '-show_streams', '-of', 'json', file]);
  return (JSON.parse(stdout) as { streams: Track[] }).streams;
}
const packetsOf = async (file: string, kind: string) =>
  Number((await tracksOf(file)).find(({ codec_type }) => codec_type === kind)?.nb_read_packets ?? 0);

async function lumaOf(file: string, size = '640x360'): Promise<Buffer> {
  const scale = ['-vf', `scale=${size.replace('x', ':')}`];
  const output = ['-frames:v', '1', ...scale, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run('ffmpeg', ['-loglevel', 'error', '-i', file, ...output], { encoding: 'buffer' });
  return stdout;
}
const brightPixels = (luma: Buffer) => luma.filter((value) => value > 180).length;

describe('texts', () => {
  it.each([
    ['Latin', { title: 'Back at 20:00', text: "100% live: it's [here], {soon} \\ %{pts}" }],
    ['Chinese', { title: '直播即将开始', text: '精彩内容马上回来，请稍候' }],
    ['Russian', { title: 'Скоро начнём', text: 'Ждите' }],
  ])('in %s are drawn into every frame of the stream', async (_name, text) => {
    const blank = brightPixels(await lumaOf(await encoded({})));
    const drawn = await encoded(text);
    expect(blank).toBe(0);
    expect(brightPixels(await lumaOf(drawn))).toBeGreaterThan(500);
    expect(await packetsOf(drawn, 'video')).toBe(60);
  });

  it('are drawn differently for different characters: none is an empty box', async () => {
    const one = await lumaOf(await encoded({ title: '开始', text: '' }));
    const other = await lumaOf(await encoded({ title: '结束', text: '' }));
    expect(one.equals(other)).toBe(false);
  });

  it('are the same in the preview as in the stream', async () => {
    const text = { title: '稍后回来', text: 'Back soon' };
    const preview = join(folder, 'preview.jpg');
    writeFileSync(preview, await drawPreview({ image: undefined, clip: undefined, text }));
    const [shown, sent] = await Promise.all([lumaOf(preview), encoded(text).then((file) => lumaOf(file))]);
    const different = shown.filter((value, index) => Math.abs(value - sent[index]!) > 90).length;
    expect(brightPixels(shown)).toBeGreaterThan(500);
    expect(different / shown.length).toBeLessThan(0.01);
  });

  it('need a font with all their characters, and name the package that has one', async () => {
    const noFonts = join(folder, 'no-fonts');
    writeFileSync(noFonts, `#!/bin/sh\nprintf '/a.ttf\\t20-7e\\n'\n`, { mode: 0o755 });
    await expect(findFont('abc', noFonts)).resolves.toBe('/a.ttf');
    const missing = findFont('直播 ok', noFonts);
    await expect(missing).rejects.toMatchObject({
      errorName: 'slateUnusable',
      message: expect.stringMatching(/直 播.*fonts-noto-cjk/),
    });
    await expect(findFont('Ж', join(folder, 'missing'))).rejects.toMatchObject({
      message: expect.stringContaining('fontconfig'),
    });
  });

  it('leave no file behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('srs-stack-slate-'));
    await encoded({ title: 'x', text: 'y' });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('srs-stack-slate-'))).toEqual(before);
  });
});

describe('clips', () => {
  const test = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];

  it('have whole frames in the format of the stream, and audio for the whole duration', async () => {
    const path = await makeClip('clip.mp4', ...test, '-t', '3.33', '-c:v', 'libx264', '-c:a', 'aac');
    const file = await encoded({ clip: { path, version: '1' } });
    expect((await tracksOf(file)).find(({ codec_type }) => codec_type === 'video')?.width).toBe(640);
    expect(await packetsOf(file, 'video')).toBe(100);
    expect(await packetsOf(file, 'audio')).toBeGreaterThan((100 / 30 / 1024) * 44_100);
  });

  it('are cut after a minute and stay below the largest file, with progress', async () => {
    const path = await makeClip(
      'long.mp4',
      ...test,
      '-t',
      '70',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-c:a',
      'aac',
    );
    const progress: number[] = [];
    const file = join(folder, 'long.ts');
    const clip = { path, version: '1' };
    await encodeSlate({ shape, image: undefined, ...noText, clip, file }, never, (done) => progress.push(done));
    expect(await packetsOf(file, 'video')).toBe(1800);
    expect(statSync(file).size).toBeLessThan(16 * 1024 ** 2);
    expect(progress.some((done) => done > 0 && done < 1)).toBe(true);
  }, 120_000);

  it('may have no audio, or no video', async () => {
    const silent = await makeClip('silent.mp4', ...test, '-map', '0:v', '-t', '1', '-c:v', 'libx264');
    const silentSlate = await encoded({ clip: { path: silent, version: '1' } });
    expect(await packetsOf(silentSlate, 'video')).toBe(30);
    expect(await packetsOf(silentSlate, 'audio')).toBeGreaterThan(40);
    const music = await makeClip('music.mp3', ...test, '-map', '1:a', '-t', '4');
    const musicSlate = await encoded({ image: photo, clip: { path: music, version: '1' }, title: 'Music' });
    expect(await packetsOf(musicSlate, 'video')).toBeGreaterThanOrEqual(120);
    expect(brightPixels(await lumaOf(musicSlate))).toBeGreaterThan(1_000);
  });

  it('that contain no media are refused, and leave no file behind', async () => {
    const path = join(folder, 'text.mp4');
    writeFileSync(path, '#EXTM3U\nfile:///etc/passwd\n');
    await expect(encoded({ clip: { path, version: '1' } })).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

it('the last frame is shown unchanged or blurred', async () => {
  const { stdout: jpeg } = await run('cat', [photo], { encoding: 'buffer' });
  const frame = { jpeg, version: '1' };
  const plain = await lumaOf(await encoded({ frame: { ...frame, isBlurred: false } }));
  const blurred = await lumaOf(await encoded({ frame: { ...frame, isBlurred: true } }));
  const edges = (luma: Buffer) =>
    luma.reduce((sum, value, index) => sum + (index > 0 ? Math.abs(value - luma[index - 1]!) : 0), 0);
  expect(edges(plain)).toBeGreaterThan(1.5 * edges(blurred));
});
