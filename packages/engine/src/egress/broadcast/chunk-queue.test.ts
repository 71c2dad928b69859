import { describe, expect, it } from 'vitest';
import { ChunkQueue } from './chunk-queue.ts';
import { SharedChunk } from './shared-chunk.ts';

function chunk(dtsMs: number, isStart = false, bytes = 100): SharedChunk {
  return SharedChunk.of(Buffer.alloc(bytes), { isStart, dtsMs, frames: 1 });
}

describe('ChunkQueue', () => {
  it('starts viewers at the newest keyframe and keeps later chunks', () => {
    const queue = new ChunkQueue({ maxBytes: 1e6, maxDurationMs: 1e5 });
    for (const [dtsMs, isStart] of [
      [0, true],
      [40, false],
      [80, true],
      [120, false],
    ] as const)
      queue.append(chunk(dtsMs, isStart), true);
    queue.trim(queue.end);
    expect(queue.start).toBe(2);
    expect([queue.at(1), queue.at(2)?.facts.dtsMs, queue.heldBytes]).toEqual([undefined, 80, 200]);
  });

  it('keeps the chunks that the slowest viewer needs, and reports its lag', () => {
    const queue = new ChunkQueue({ maxBytes: 1e6, maxDurationMs: 1e5 });
    for (let i = 0; i < 10; i++) queue.append(chunk(i * 40, i % 5 === 0), true);
    queue.trim(3);
    expect([queue.bytesFrom(3), queue.durationFrom(3), queue.framesBetween(3, queue.end)]).toEqual([700, 240, 7]);
    queue.trim(8);
    expect(queue.at(4)).toBeUndefined();
    expect(queue.at(5)).toBeDefined();
  });

  it.each([
    ['bytes', { maxBytes: 250, maxDurationMs: 1e5 }],
    ['duration', { maxBytes: 1e6, maxDurationMs: 100 }],
  ])('has no start keyframe while the GOP is beyond its %s, and then starts new viewers live', (_what, limits) => {
    const queue = new ChunkQueue(limits);
    queue.append(chunk(0, true), true);
    for (let i = 1; i < 5; i++) queue.append(chunk(i * 40), true);
    expect([queue.start, queue.joinStart]).toEqual([undefined, queue.end - 1]);
    queue.trim(queue.end);
    expect([queue.heldBytes, queue.joinStart]).toEqual([0, undefined]);
    queue.append(chunk(190), true);
    expect(queue.at(queue.joinStart!)?.facts.dtsMs).toBe(190);
    queue.append(chunk(200, true), true);
    expect(queue.at(queue.start!)?.facts.dtsMs).toBe(200);
    expect(queue.joinStart).toBe(queue.start);
    queue.forgetStart();
    expect(queue.joinStart).toBeUndefined();
  });

  it('starts audio-only viewers a second back', () => {
    const queue = new ChunkQueue({ maxBytes: 1e6, maxDurationMs: 1e5 });
    for (let t = 0; t <= 5000; t += 50) queue.append(chunk(t), false);
    expect(queue.at(queue.start!)?.facts.dtsMs).toBe(4000);
  });
});

describe('SharedChunk', () => {
  it.each([
    [0, '8200'],
    [125, '827d'],
    [126, '827e007e'],
    [65_535, '827effff'],
    [65_536, '827f0000000000010000'],
  ])('of %i bytes has the WebSocket header of RFC 6455', (bytes, header) => {
    const shared = SharedChunk.of(Buffer.alloc(bytes, 7), { isStart: true, dtsMs: 0, frames: 0 });
    expect(shared.framed.toString('hex', 0, shared.framed.length - bytes)).toBe(header);
    expect(shared.plain).toEqual(Buffer.alloc(bytes, 7));
    expect(shared.plain.buffer).toBe(shared.framed.buffer);
  });
});
