// Two LATM elements from FFmpeg: 8 kHz, mono. The second element has no configuration.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Packet } from '../../packet.ts';
import { FramedAudioReceiver } from './audio-receiver.ts';
import { LatmSyntax } from './latm-syntax.ts';

const first = Buffer.from(
  '56e0f6200015881fe77ef01002630bb319a9c97199b9718981800011c52a969a37759fb47dbe24abb96891224489241b56d3b56d3b56d3b5719dab8c' +
    'ed5b4cf4ed8a76c561dab69dab8ced5c672aca72ada72ada6c589c76272aca4204204204224a32519546552992b4a6bae575776e606ec52812818181' +
    '81818d9b96596596594dcb2cb2cb2ca6e596596596596596596596596596596596596596596596596596596596596596596596596596596596596596' +
    '596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596596' +
    '5965965965965965e0',
  'hex',
);
const second = Buffer.from(
  '56e0e3f080804e6c9e8aa25d0ca25d8bb25f3edf3fff17fe7faf5c71ad5c8ffa7e9ffe1ff9fe3cf1e6f52eb3fe9f9ffd3ff9faeb8e2faad49ffa7e7f' +
    'f4ffeff5d6b8e34ba4cba314781974624e3974628f0d333618ae69a65ccb99e69a64b346cb2fc87ebc176081c25184eb39d1554631a83474511d06e8' +
    '1d4283741baa7a28ac295b3645bdb366c23be91708da25c5f64f611d9b36457e448e0acb99673b11e79ce73a94a8d4a54f3cf3cf3aa754ea9d53cf3c' +
    'ea13a94a9e79e79e751be8df4514bf3a97ad287639f1b5d837c4ee1f829cea879b9a754f3f34fcdf254e44841d1f2d8a1c00',
  'hex',
);

function unpack(...parts: readonly Buffer[]): Packet[] {
  const packets: Packet[] = [];
  const receiver = new FramedAudioReceiver(new LatmSyntax(), {
    onTrack: () => undefined,
    onPacket: (packet) => packets.push(packet),
  });
  for (const data of parts) receiver.receive({ ptsMs: 0, data });
  return packets;
}

describe('AAC in LATM', () => {
  it('is unpacked with its configuration, however the elements are split', () => {
    const whole = Buffer.concat([first, second]);
    for (let cut = 1; cut < whole.length; cut++) {
      const packets = unpack(whole.subarray(0, cut), whole.subarray(cut));
      expect(packets.map(({ track }) => track)).toMatchObject(
        [1, 2].map(() => ({ codec: 'aac', sampleRate: 8_000, channels: 1, profile: 'LC' })),
      );
    }
  });

  it('returns nothing before its configuration has arrived', () => {
    expect(unpack(second)).toEqual([]);
    expect(unpack(second, first)).toHaveLength(1);
  });

  it('never throws, and never exceeds the input', () => {
    fc.assert(
      fc.property(fc.nat(first.length - 1), fc.nat(255), fc.nat(first.length), (at, value, length) => {
        const damaged = Buffer.from(first.subarray(0, length));
        if (at < length) damaged[at] = value;
        for (const { payload } of unpack(damaged, second, first))
          expect(payload.length).toBeLessThanOrEqual(first.length + second.length);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
