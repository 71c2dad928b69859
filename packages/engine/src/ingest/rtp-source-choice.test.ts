import type { RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { describe, expect, it } from 'vitest';
import { RtpSourceChoice } from './rtp-source-choice.ts';

const rtp = (ssrc: number, sequence: number, bytes = 100): RtpPacket => ({
  ...{ marker: false, payloadType: 96, sequence, timestamp: 0, ssrc },
  payload: Buffer.alloc(bytes),
});
const used = (arrived: readonly { packet: RtpPacket }[]) =>
  arrived.map(({ packet }) => `${packet.ssrc}/${packet.sequence}`);

describe('of the sources of one track', () => {
  it('the first one is used immediately if none were announced', () => {
    const choice = new RtpSourceChoice(false);
    expect(used(choice.take(rtp(1, 1), 0))).toEqual(['1/1']);
    expect(used(choice.take(rtp(2, 1, 1_000), 1))).toEqual([]);
    expect(used(choice.take(rtp(1, 2), 2))).toEqual(['1/2']);
  });

  it('the largest is used from its first packet on if several were announced', () => {
    const choice = new RtpSourceChoice(true);
    expect(used(choice.take(rtp(1, 1), 0))).toEqual([]);
    expect(used(choice.take(rtp(2, 65_535, 900), 5))).toEqual([]);
    expect(used(choice.tick(499))).toEqual([]);
    expect(used(choice.take(rtp(2, 0, 900), 500))).toEqual(['2/65535', '2/0']);
    expect(used(choice.take(rtp(1, 2), 501))).toEqual([]);
  });

  it('one with losses is replaced by a smaller complete one', () => {
    const choice = new RtpSourceChoice(true);
    for (const sequence of [1, 3, 5]) choice.take(rtp(3, sequence, 1_000), 0);
    for (const sequence of [1, 2, 3]) choice.take(rtp(2, sequence, 500), 0);
    choice.take(rtp(1, 1), 0);
    expect(used(choice.tick(500))).toEqual(['2/1', '2/2', '2/3']);
  });

  it('another one follows when the chosen one is silent, and not before', () => {
    const choice = new RtpSourceChoice(false);
    choice.take(rtp(1, 1), 0);
    expect(used(choice.take(rtp(2, 1), 1_499))).toEqual([]);
    expect(used(choice.take(rtp(2, 2), 1_500))).toEqual(['2/2']);
    expect(used(choice.take(rtp(1, 2), 1_501))).toEqual([]);
  });

  it('at most eight are compared, and at most some thousand packets held', () => {
    const choice = new RtpSourceChoice(true);
    for (let ssrc = 1; ssrc <= 8; ssrc++) choice.take(rtp(ssrc, 1), 0);
    expect(used(choice.take(rtp(9, 1, 10_000), 0))).toEqual([]);
    let ready: readonly unknown[] = [];
    for (let sequence = 2; ready.length === 0; sequence++) ready = choice.take(rtp(8, sequence), 1);
    expect(ready.length).toBeLessThanOrEqual(2_048);
    expect(used(choice.take(rtp(9, 2), 2))).toEqual([]);
  });
});
