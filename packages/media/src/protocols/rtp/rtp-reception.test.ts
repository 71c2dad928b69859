import { describe, expect, it } from 'vitest';
import { RtpReception } from './rtp-reception.ts';

const clockRate = 90_000;

function start(ssrc = 5) {
  const reception = new RtpReception(clockRate);
  /** Receives packets with these sequence numbers. Timestamp and arrival time increase by one millisecond per packet. */
  let now = 0;
  const take = (...sequences: number[]): void => {
    for (const sequence of sequences)
      reception.take({ ssrc, sequence: sequence & 0xffff, timestamp: (now * 90) >>> 0 }, now++);
  };
  const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  return { reception, take, range, report: () => reception.report(now) };
}

describe('a receiver report', () => {
  it('does not exist before the first packet', () => {
    expect(start().report()).toBeUndefined();
  });

  it('counts missing packets, since the last report and in total', () => {
    const { take, range, report } = start();
    take(...range(10, 60), ...range(90, 20));
    expect(report()).toMatchObject({ ssrc: 5, lostShare: 51, lostPackets: 20, highestSequence: 109 });
    take(...range(110, 100));
    expect(report()).toMatchObject({ lostShare: 0, lostPackets: 20, highestSequence: 209 });
    expect(report()).toMatchObject({ lostShare: 0, lostPackets: 20 });
  });

  it('no longer counts packets that arrived later, and ignores duplicates', () => {
    const { take, report } = start();
    take(1, 2, 4, 5);
    expect(report()).toMatchObject({ lostShare: 51, lostPackets: 1 });
    take(3, 6);
    expect(report()).toMatchObject({ lostShare: 0, lostPackets: 0, highestSequence: 6 });
    take(6);
    expect(report()).toMatchObject({ lostShare: 0, lostPackets: -1 });
  });

  it('counts the wraps of the sequence numbers', () => {
    const { take, range, report } = start();
    take(...range(65_500, 72));
    expect(report()).toMatchObject({ lostPackets: 0, highestSequence: 0x1_0000 + 35 });
  });

  it.each([
    ['far ahead', 40_000],
    ['far back', 60_000],
  ])('restarts where the sequence numbers jump %s', (_where, to) => {
    const { take, range, report } = start();
    take(...range(1, 10));
    report();
    take(...range(to, 10));
    expect(report()).toMatchObject({ lostShare: 0, lostPackets: 0, highestSequence: to + 9 });
  });

  it('restarts with another source', () => {
    const { reception, take, report } = start();
    take(1, 2, 5);
    reception.takeSenderReport(5, 77, 1);
    reception.take({ ssrc: 6, sequence: 900, timestamp: 0 }, 10);
    expect(report()).toMatchObject({ ssrc: 6, lostPackets: 0, lastReport: 0, delay: 0 });
  });

  it('has the jitter of the arrival times, 0 for exact ones', () => {
    const { reception, take, range, report } = start();
    take(...range(1, 50));
    expect(report()?.jitter).toBe(0);
    // The first packet is 16 ms (1,440 ticks) late, the second is on time. Each difference adds a sixteenth (90). The first 90 has decayed
    // to 84.
    reception.take({ ssrc: 5, sequence: 51, timestamp: 50 * 90 }, 66);
    reception.take({ ssrc: 5, sequence: 52, timestamp: 51 * 90 }, 51);
    expect(report()?.jitter).toBe(174);
  });

  it('returns the time of the last sender report, and its age', () => {
    const { reception, take } = start();
    take(1);
    reception.takeSenderReport(99, 1, 100);
    expect(reception.report(200)).toMatchObject({ lastReport: 0, delay: 0 });
    reception.takeSenderReport(5, 0x1234_5678, 1_000);
    expect(reception.report(1_500)).toMatchObject({ lastReport: 0x1234_5678, delay: 0x8000 });
  });
});
