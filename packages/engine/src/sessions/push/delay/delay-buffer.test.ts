import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publisherSession } from '../../../testing/recorders.ts';
import { DelayBuffer, type DelayedEvent, DelayMemory } from './delay-buffer.ts';

const megabyte = 1024 * 1024;
const begin: DelayedEvent = { kind: 'begin', session: publisherSession({ clientId: 'pub00001' }) };
const packet = (each: ReturnType<typeof video> | ReturnType<typeof audio>): DelayedEvent => ({
  kind: 'packet',
  packet: each,
});
const timeOf = (event: DelayedEvent | undefined) => event?.kind === 'packet' && event.packet.dtsMs;

function takeAll(buffer: DelayBuffer, now: number): DelayedEvent[] {
  const taken: DelayedEvent[] = [];
  for (let event = buffer.take(now); event; event = buffer.take(now)) taken.push(event);
  return taken;
}

describe('the buffer of a delayed stream', () => {
  it('releases each event after the delay, and not a millisecond earlier', () => {
    const buffer = new DelayBuffer(5_000, new DelayMemory());
    buffer.add(begin, 100);
    buffer.add(packet(keyframe(0)), 100);
    buffer.add(packet(audio(20)), 140);
    expect(buffer.dueInMs(100)).toBe(5_000);
    expect(takeAll(buffer, 5_099)).toEqual([]);
    expect(takeAll(buffer, 5_100).map(({ kind }) => kind)).toEqual(['begin', 'packet']);
    expect(takeAll(buffer, 5_139)).toEqual([]);
    expect(timeOf(buffer.take(5_140))).toBe(20);
    expect([buffer.isEmpty, buffer.bytes, buffer.dueInMs(6_000)]).toEqual([true, 0, undefined]);
  });

  it('keeps the delay when it is full, and drops whole GOPs', () => {
    const memory = new DelayMemory();
    const buffer = new DelayBuffer(60_000, memory);
    buffer.add(begin, 0);
    const [large, small] = [Buffer.alloc(3 * megabyte), Buffer.alloc(megabyte)];
    // One keyframe of 3 MB and nine frames of 1 MB per second exceed 128 MB within the eleventh second.
    for (let n = 0; n < 200; n++) {
      const isKey = n % 10 === 0;
      buffer.add(packet({ ...video(n * 100, { keyframe: isKey }), payload: isKey ? large : small }), n * 100);
      buffer.add(packet(audio(n * 100)), n * 100);
    }
    expect(buffer.bytes).toBeLessThanOrEqual(128 * megabyte);
    expect(memory.usedBytes).toBe(buffer.bytes);
    const first = takeAll(buffer, 60_000 + 20_000);
    const frames = first.flatMap((event) =>
      event.kind === 'packet' && event.packet.track.kind === 'video' ? [event.packet] : [],
    );
    expect(frames.every(({ dtsMs }, index) => dtsMs === index * 100)).toBe(true);
    expect(buffer.droppedFrames).toBe(200 - frames.length);
    buffer.add(packet(video(20_000)), 90_000);
    buffer.add(packet(audio(20_000)), 90_000);
    buffer.add(packet(keyframe(20_040)), 90_040);
    buffer.add(packet(audio(20_050)), 90_050);
    expect(takeAll(buffer, 200_000).map(timeOf)).toEqual([20_040, 20_050]);
    expect(memory.usedBytes).toBe(0);
  });

  it('continues immediately with audio alone when there is space again', () => {
    const memory = new DelayMemory();
    memory.usedBytes = Number.POSITIVE_INFINITY;
    const buffer = new DelayBuffer(1_000, memory);
    buffer.add(packet(audio(0)), 0);
    memory.usedBytes = 0;
    buffer.add(packet(audio(20)), 20);
    expect(takeAll(buffer, 2_000).map(timeOf)).toEqual([20]);
  });

  it('releases all memory, in whatever order events are added and removed', () => {
    const step = fc.record({ bytes: fc.integer({ min: 5, max: 1_000 }), waitMs: fc.integer({ min: 0, max: 900 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isCleared) => {
        const memory = new DelayMemory();
        const buffer = new DelayBuffer(1_000, memory);
        const released: unknown[] = [];
        let now = 0;
        for (const [n, { bytes, waitMs }] of steps.entries()) {
          buffer.add(packet(video(n, { keyframe: n === 0, bytes })), now);
          now += waitMs;
          released.push(...takeAll(buffer, now).map(timeOf));
        }
        if (isCleared) buffer.clear();
        else released.push(...takeAll(buffer, now + 1_000).map(timeOf));
        if (!isCleared) expect(released).toEqual(steps.map((_, n) => n));
        expect([buffer.isEmpty, buffer.bytes, memory.usedBytes]).toEqual([true, 0, 0]);
      }),
    );
  });
});
