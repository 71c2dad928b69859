import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToSequence, maxSequenceNumber, sequenceDistance } from '../sequence-number.ts';
import { ReceiveBuffer } from './receive-buffer.ts';
import { SendBuffer } from './send-buffer.ts';
import { TimestampBase } from './timestamp-base.ts';

const packet = (sequence: number) => ({ sequence, dueUs: 0, payload: Buffer.from(String(sequence)) });

describe('sequence numbers', () => {
  it('wrap after 2^31 - 1', () => {
    expect(addToSequence(maxSequenceNumber, 1)).toBe(0);
    expect(addToSequence(0, -1)).toBe(maxSequenceNumber);
    expect(sequenceDistance(2, maxSequenceNumber)).toBe(3);
    expect(sequenceDistance(maxSequenceNumber, 2)).toBe(-3);
  });
});

describe('the receive buffer', () => {
  it('returns packets in order across the wrap, whatever the order of arrival', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...Array(20).keys()], { minLength: 20 }), (order) => {
        const first = addToSequence(maxSequenceNumber, -9);
        const buffer = new ReceiveBuffer(first, 64);
        for (const step of order) buffer.store(packet(addToSequence(first, step)));
        const out: number[] = [];
        for (let next = buffer.take(); next; next = buffer.take()) out.push(next.sequence);
        expect(out).toEqual([...Array(20).keys()].map((step) => addToSequence(first, step)));
      }),
      { seed: 3 },
    );
  });

  it('reports what is missing and what can be acknowledged', () => {
    const buffer = new ReceiveBuffer(10, 64);
    for (const sequence of [10, 11, 14, 17, 18]) buffer.store(packet(sequence));
    expect(buffer.acknowledgedUpTo()).toBe(12);
    expect(buffer.missingRanges(10)).toEqual([
      { first: 12, last: 13 },
      { first: 15, last: 16 },
    ]);
    expect(buffer.missingRanges(1)).toEqual([{ first: 12, last: 13 }]);
  });

  it('distinguishes duplicates, late packets and packets beyond the window', () => {
    const buffer = new ReceiveBuffer(10, 64);
    expect(buffer.store(packet(10))).toBe('stored');
    expect(buffer.store(packet(10))).toBe('duplicate');
    expect(buffer.store(packet(9))).toBe('too-late');
    expect(buffer.store(packet(74))).toBe('beyond-window');
    expect(buffer.storedPackets).toBe(1);
  });

  it('skips a gap and counts only missing packets', () => {
    const buffer = new ReceiveBuffer(10, 64);
    for (const sequence of [11, 13]) buffer.store(packet(sequence));
    expect(buffer.skipTo(13)).toBe(2);
    expect(buffer.peek()?.sequence).toBe(13);
  });
});

describe('the send buffer', () => {
  function filled(count: number): SendBuffer {
    const buffer = new SendBuffer(addToSequence(maxSequenceNumber, -1), 64);
    for (let index = 0; index < count; index++) buffer.push(Buffer.from([index]), index, 0);
    return buffer;
  }

  it('sends new packets within the window, and retransmits lost ones first', () => {
    const buffer = filled(5);
    const sent = [buffer.take(3), buffer.take(3), buffer.take(3), buffer.take(3)];
    expect(sent.map((item) => item?.payload[0])).toEqual([0, 1, 2, undefined]);
    buffer.markLost([{ first: maxSequenceNumber, last: maxSequenceNumber }], 1000, 0);
    expect(buffer.take(3)?.payload[0]).toBe(1);
    expect(buffer.acknowledge(0)).toBe(true);
    expect(buffer.take(3)?.payload[0]).toBe(3);
  });

  it('discards everything, and reuses the sequence numbers of packets that were never sent', () => {
    const buffer = filled(5);
    for (let sent = 0; sent < 2; sent++) buffer.take(8);
    buffer.markLost([{ first: maxSequenceNumber, last: maxSequenceNumber }], 1000, 0);
    expect(buffer.discardAll()).toEqual({ first: addToSequence(maxSequenceNumber, -1), last: maxSequenceNumber });
    expect([buffer.waiting, buffer.inFlight, buffer.hasLost, buffer.take(8)]).toEqual([0, 0, false, undefined]);
    expect(buffer.discardAll()).toBeUndefined();
    const { nextSequence } = buffer;
    expect(nextSequence).toBe(0);
    buffer.push(Buffer.from([9]), 9, 0);
    expect(buffer.take(8)).toMatchObject({ sequence: nextSequence, payload: Buffer.from([9]) });
    expect([buffer.acknowledge(addToSequence(nextSequence, 1)), buffer.acknowledged]).toEqual([true, 1]);
  });

  it('reports which part of a loss report is no longer buffered', () => {
    const buffer = filled(5);
    for (let index = 0; index < 5; index++) buffer.take(64);
    buffer.acknowledge(1);
    const gone = buffer.markLost([{ first: addToSequence(maxSequenceNumber, -1), last: 1 }], 1000, 0);
    expect(gone).toEqual([{ first: addToSequence(maxSequenceNumber, -1), last: 0 }]);
    expect(buffer.hasLost).toBe(true);
  });

  it('ignores a loss report of packets far ahead, also when its range crosses half of the circle', () => {
    const buffer = filled(5);
    const first = buffer.take(64)!.sequence;
    const range = { first: addToSequence(first, 2 ** 29), last: addToSequence(first, 2 ** 30 + 9) };
    expect(buffer.markLost([range], 1000, 0)).toEqual([]);
    expect(buffer.hasLost).toBe(false);
  });

  it('examines each packet once for a report that names all packets many times', () => {
    const buffer = filled(5);
    for (let index = 0; index < 5; index++) buffer.take(64);
    const first = addToSequence(maxSequenceNumber, -1);
    const all = { first, last: 2 };
    expect(buffer.markLost([{ first, last: first }, ...Array<typeof all>(200).fill(all)], 1000, 0)).toEqual([]);
    expect(
      [buffer.take(64), buffer.take(64), buffer.take(64), buffer.take(64)].map((sent) => sent?.payload[0]),
    ).toEqual([0, 1, 2, 3]);
    expect(buffer.take(64)).toBeUndefined();
  });

  it('refuses packets beyond its capacity, and acknowledgements of packets that were never sent', () => {
    const buffer = filled(64);
    expect(buffer.push(Buffer.from('x'), 0, 0)).toBe(false);
    expect(buffer.acknowledge(5)).toBe(false);
  });

  it('drops old packets', () => {
    const buffer = filled(5);
    expect(buffer.dropOlderThan(3)).toEqual({ first: addToSequence(maxSequenceNumber, -1), last: 0 });
    expect(buffer.take(64)?.payload[0]).toBe(3);
  });
});

describe('the time base', () => {
  it('continues across the wrap of the 32-bit clock', () => {
    const base = new TimestampBase(0xffff_ff00, 5_000);
    expect(base.toReceiverTimeUs(0xffff_ff00)).toBe(5_000);
    expect(base.toReceiverTimeUs(0x100)).toBe(5_000 + 0x200);
    expect(base.toReceiverTimeUs(0xffff_fff0)).toBe(5_000 + 0xf0);
  });

  it('follows a drifting sender clock', () => {
    const base = new TimestampBase(0, 0);
    for (let sample = 1; sample <= 1000; sample++)
      base.addDriftSample(sample * 10_000, sample * 10_000 + 3_000, 60_000, 60_000);
    expect(base.toReceiverTimeUs(10_000_000)).toBe(10_003_000);
  });
});
