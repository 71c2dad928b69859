import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hlsSegmentEvent } from '@srs-stack/contract/wire/callback-bodies.ts';
import { expect, it } from 'vitest';
import { createHlsSegments } from './hls-segments.ts';

it('passes on all segments of a call, those of a playlist in order, and reports errors that a retry may fix', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-hls-'));
  try {
    const eventOf = async (stream: string, sequence: number, isThere = true) => {
      const file = join(folder, `${stream}-${sequence}.ts`);
      if (isThere) await writeFile(file, 'x');
      return hlsSegmentEvent.parse({
        action: 'on_hls',
        file,
        duration: 1,
        stream,
        m3u8_url: `${stream}.m3u8`,
        seq_no: sequence,
      });
    };
    const segments = createHlsSegments(folder);
    const seen: string[] = [];
    let failing = '';
    segments.subscribe(async ({ stream, sequenceNumber }) => {
      // The first segment takes longest, to provoke a wrong order.
      await new Promise((resolve) => setTimeout(resolve, 10 / (1 + sequenceNumber)));
      if (stream === failing) throw new Error('disk full');
      seen.push(`${stream}${sequenceNumber}`);
    });
    const events = [await eventOf('a', 0), await eventOf('b', 1), await eventOf('a', 1), await eventOf('c', 0, false)];
    await expect(segments.handleAll(events)).rejects.toThrow('not in the HLS folder');
    expect(seen.toSorted()).toEqual(['a0', 'a1', 'b1']);
    expect(seen.indexOf('a0')).toBeLessThan(seen.indexOf('a1'));
    failing = 'b';
    await expect(segments.handleAll(events.toReversed())).rejects.toThrow('disk full');
    await segments.handleAll(events.slice(0, 1));
    expect(seen).toHaveLength(6);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('resolves only when every subscriber has the segment, and rejects when one fails', async () => {
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
