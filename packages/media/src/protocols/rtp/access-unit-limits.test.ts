import { expect, it } from 'vitest';
import { maxAccessUnitParts } from './access-unit-builder.ts';
import { H264Depacketizer } from './h264-depacketizer.ts';
import { H265Depacketizer } from './h265-depacketizer.ts';

const packetOf = (payload: readonly number[], marker = false) =>
  ({ payloadType: 96, sequenceNumber: 0, timestamp: 0, ssrc: 1, marker, payload: Buffer.from(payload) }) as never;

it.each([
  ['H.264 fragments of one byte', () => new H264Depacketizer(), [0x7c, 0x85, 1], [0x7c, 0x05, 1], [0x7c, 0x45, 1]],
  ['H.264 units of one byte', () => new H264Depacketizer(), [0x41], [0x41], [0x41]],
  [
    'H.265 fragments of one byte',
    () => new H265Depacketizer(),
    [0x62, 1, 0x93, 1],
    [0x62, 1, 0x13, 1],
    [0x62, 1, 0x53, 1],
  ],
])('too many %s end as a damaged frame', (_name, create, first, middle, last) => {
  const few = create();
  few.push(packetOf(first));
  few.push(packetOf(middle));
  expect(few.push(packetOf(last, true))?.units.length).toBeGreaterThan(0);
  const many = create();
  many.push(packetOf(first));
  for (let count = 0; count < maxAccessUnitParts; count++) many.push(packetOf(middle));
  expect(many.push(packetOf(last, true))).toBeUndefined();
  expect(many.damagedFrames).toBe(1);
});

it.each([
  ['H.264', () => new H264Depacketizer(), [[0x7c], [0x7c, 0x85], [0x7c, 0x45], []]],
  ['H.265', () => new H265Depacketizer(), [[0x62, 1], [0x62, 1, 0x93], [0x62, 1, 0x53], []]],
])('empty fragments of %s produce no frame', (_name, create, payloads) => {
  const depacketizer = create();
  for (const payload of payloads) expect(depacketizer.push(packetOf(payload))).toBeUndefined();
  const frame = depacketizer.push(packetOf([], true));
  expect(frame?.units.every(({ length }) => length > 0) ?? true).toBe(true);
});
