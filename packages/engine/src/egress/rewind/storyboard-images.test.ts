import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { maxImageCpuShare, StoryboardImages } from './storyboard-images.ts';

let folder = '';
let nowMs = 0;
let runs = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  await writeFile(join(folder, 's.ts'), 'media');
  nowMs = 0;
  runs = 0;
});
afterEach(() => rm(folder, { recursive: true }));

function images(tookMs: number, makes = true): StoryboardImages {
  return new StoryboardImages({
    clock: () => nowMs,
    run: async (args) => {
      runs++;
      nowMs += tookMs;
      if (makes) await writeFile(args.at(-1)!, 'jpeg');
      return { isMade: makes, cpuMs: undefined };
    },
  });
}

const find = (from: StoryboardImages, number: number) => from.find(join(folder, 's.ts'), join(folder, `${number}.jpg`));

it('makes an image once for concurrent requests', async () => {
  const made = images(50);
  const results = await Promise.all([find(made, 1), find(made, 1), find(made, 1)]);
  expect(results).toEqual(Array(3).fill({ path: join(folder, '1.jpg') }));
  expect(await find(made, 1)).toEqual({ path: join(folder, '1.jpg') });
  expect(runs).toBe(1);
});

it('uses no more than its share of a CPU, for any number of requests', async () => {
  const made = images(100);
  let requested = 0;
  let busy = 0;
  while (nowMs < 100_000) {
    if ((await find(made, requested++)) === 'busy') {
      busy++;
      nowMs += 10;
    }
  }
  expect(busy).toBeGreaterThan(0);
  // The CPU time of the initial burst is added to the permitted share.
  expect(runs * 100).toBeLessThan(100_000 * maxImageCpuShare + 4_500);
  expect(runs * 100).toBeGreaterThan(100_000 * maxImageCpuShare);
});

it('a segment without video is tried once', async () => {
  const made = images(50, false);
  expect([await find(made, 1), await find(made, 2)]).toEqual(['none', 'none']);
  expect(runs).toBe(1);
});

it('FFmpeg is not started for a removed segment', async () => {
  expect(await images(50).find(join(folder, 'gone.ts'), join(folder, '1.jpg'))).toBe('none');
  expect(runs).toBe(0);
});
