import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hlsSegmentEvent } from '@srs-stack/contract/wire/callback-bodies.ts';
import { expect, it } from 'vitest';
import { createHlsSegments } from './hls-segments.ts';

it('answers only when every subscriber has the segment, and fails when one cannot take it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-hls-'));
  try {
    await mkdir(join(folder, 'live'));
    const file = join(folder, 'live', 'a.ts');
    await writeFile(file, 'x');
    const event = hlsSegmentEvent.parse({ action: 'on_hls', file, duration: 1 });
    const segments = createHlsSegments(folder);
    const order: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stop = segments.subscribe(async () => {
      await released;
      order.push('copied');
    });
    const handled = segments.handle(event).then(() => order.push('answered'));
    release();
    await handled;
    expect(order).toEqual(['copied', 'answered']);
    stop();
    segments.subscribe(() => Promise.reject(new Error('disk full')));
    await expect(segments.handle(event)).rejects.toThrow('disk full');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
