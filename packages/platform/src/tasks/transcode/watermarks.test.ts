// Watermarks with the real FFmpeg: accepted formats, conversion, refusals and cleanup.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxWatermarkBytes } from '@srs-stack/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { toPng } from '../../workers/uploaded-image.ts';
import { createWatermarks } from './watermarks.ts';

const root = mkdtempSync(join(tmpdir(), 'srs-watermarks-'));
afterAll(() => rmSync(root, { recursive: true }));

function pictureOf(source: string, codec: 'png' | 'mjpeg' | 'libwebp'): Buffer {
  const muxer = codec === 'libwebp' ? 'webp' : 'image2pipe';
  const args = ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1'];
  return execFileSync('ffmpeg', [...args, '-c:v', codec, '-f', muxer, 'pipe:1'], { maxBuffer: 64 * 1024 ** 2 });
}
const base64 = (bytes: Buffer) => bytes.toString('base64');
let folders = 0;
const openWatermarks = (folder = join(root, String(folders++))) => ({ folder, ...createWatermarks({ folder, toPng }) });

describe('a watermark', () => {
  it.each(['png', 'mjpeg', 'libwebp'] as const)('is accepted as %s and stored as PNG', async (codec) => {
    const { folder, receive, find, pathOf } = openWatermarks();
    const image = await receive(base64(pictureOf('color=red:s=120x60', codec)), undefined);
    expect(image).toMatchObject({ width: 120, height: 60 });
    const found = await find(image.id);
    expect(found).toMatchObject(image);
    expect(Buffer.from(found.picture.split(',')[1]!, 'base64').toString('latin1', 1, 4)).toBe('PNG');
    expect(await pathOf(image.id)).toBe(join(folder, `${image.id}.png`));
  });

  it('is scaled down when it is large, with its aspect ratio', async () => {
    const image = await openWatermarks().receive(base64(pictureOf('color=red:s=1000x2000', 'png')), undefined);
    expect(image).toMatchObject({ width: 480, height: 960 });
  });

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'the file is empty'],
    ['a text', Buffer.from('#EXTM3U file:///etc/passwd'), 'the image is not a PNG, JPEG or WebP file'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'the image is not a PNG, JPEG or WebP file'],
    ['a truncated PNG', pictureOf('testsrc2=s=320x240', 'png').subarray(0, 60), 'the image cannot be decoded'],
    ['a large file', Buffer.alloc(maxWatermarkBytes + 1, 0xff), 'the image is larger than 512 KiB'],
    ['a PNG that declares a huge size', hugePng(), 'the image has more than'],
  ])('is refused when it is %s, and nothing is stored', async (_name, file, words) => {
    const { folder, receive } = openWatermarks(join(root, `refused-${folders++}`));
    await expect(receive(base64(file), undefined)).rejects.toThrow(words);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  it.each(['', '..', '../config/.env', 'a'.repeat(32), 'A'.repeat(32), `${'a'.repeat(31)}/`])(
    'is not found by the id "%s"',
    async (id) => {
      const { find, pathOf } = openWatermarks();
      expect(await pathOf(id)).toBeUndefined();
      await expect(find(id)).rejects.toThrow('upload it again');
    },
  );
});

it('keeps the newest and the one in use, and removes partial files', async () => {
  const { folder, receive } = openWatermarks();
  const first = await receive(base64(pictureOf('color=red:s=16x16', 'png')), undefined);
  const long = new Date(Date.parse('2026-01-01T00:00:00Z'));
  utimesSync(join(folder, `${first.id}.png`), long, long);
  for (let index = 0; index < 12; index++) {
    const name = `${String(index).padStart(32, '0')}.png`;
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), long, new Date(long.getTime() + 1_000 * (index + 1)));
  }
  writeFileSync(join(folder, 'x.png.new-12'), '');
  const next = await receive(base64(pictureOf('color=blue:s=16x16', 'png')), first.id);
  const left = readdirSync(folder).sort();
  const newest = Array.from({ length: 8 }, (_, index) => `${String(index + 4).padStart(32, '0')}.png`);
  expect(left).toEqual([...newest, `${first.id}.png`, `${next.id}.png`].sort());
});

function hugePng(): Buffer {
  const png = Buffer.from(pictureOf('color=red:s=16x16', 'png'));
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  return png;
}
