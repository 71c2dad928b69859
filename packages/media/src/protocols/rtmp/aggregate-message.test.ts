import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { splitAggregate } from './aggregate-message.ts';

const aggregate = (hex: string) => ({
  typeId: 22,
  streamId: 1,
  timestamp: 1000,
  payload: Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'),
});

const two = '08 000002 000064 00 000000 aabb 0000000d  09 000001 000078 00 000000 cc 0000000c';

describe('aggregate message', () => {
  it('is split, with times relative to its own', () => {
    expect([...splitAggregate(aggregate(two))]).toEqual([
      { typeId: 8, streamId: 1, timestamp: 1000, payload: Buffer.from('aabb', 'hex') },
      { typeId: 9, streamId: 1, timestamp: 1020, payload: Buffer.from('cc', 'hex') },
    ]);
  });

  it('reads the high byte of times and tolerates a missing last back pointer', () => {
    const [first, second] = splitAggregate(
      aggregate('08 000001 000000 01 000000 aa 0000000c 08 000001 000001 01 000000 bb'),
    );
    expect([first?.timestamp, second?.timestamp]).toEqual([1000, 1001]);
  });

  it('truncated inside a sub-message is refused', () => {
    const whole = aggregate(two).payload;
    const ends = [13, 14, 15, 16, 17]; // after the first message and within its back pointer
    for (let length = 1; length < whole.length - 4; length++) {
      const cut = { ...aggregate(''), payload: whole.subarray(0, length) };
      if (ends.includes(length)) expect([...splitAggregate(cut)]).toHaveLength(1);
      else expect(() => [...splitAggregate(cut)]).toThrow(ProtocolError);
    }
  });

  it('inside another aggregate is refused', () => {
    expect(() => [...splitAggregate(aggregate('16 000000 000000 00 000000 0000000b'))]).toThrow(ProtocolError);
  });
});
