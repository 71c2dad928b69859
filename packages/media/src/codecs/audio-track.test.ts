import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AudioCodec } from '../track.ts';
import { audioTrackFromConfig } from './audio-track.ts';

const configs: { name: string; codec: AudioCodec; hex: string; facts: object }[] = [
  { name: 'AAC mono', codec: 'aac', hex: '120856e500', facts: { sampleRate: 44_100, channels: 1, profile: 'LC' } },
  { name: 'AAC 5.1', codec: 'aac', hex: '123056e500', facts: { sampleRate: 44_100, channels: 6, profile: 'LC' } },
  {
    name: 'AAC 7.0 by program config element',
    codec: 'aac',
    hex: '118004c844002008c80d4c61766335392e33372e31303056e500',
    facts: { sampleRate: 48_000, channels: 7, profile: 'LC' },
  },
  {
    name: 'HE-AAC, explicit',
    codec: 'aac',
    hex: '2b920800',
    facts: { sampleRate: 44_100, channels: 2, profile: 'HE' },
  },
  {
    name: 'HE-AAC, backward compatible',
    codec: 'aac',
    hex: '139056e5a0',
    facts: { sampleRate: 44_100, channels: 2, profile: 'HE' },
  },
  {
    name: 'HE-AAC v2: mono core, stereo output',
    codec: 'aac',
    hex: '138856e5a54880',
    facts: { sampleRate: 44_100, channels: 2, profile: 'HEv2' },
  },
  {
    name: 'Opus',
    codec: 'opus',
    hex: '4f707573486561640102380180bb0000000000',
    facts: { sampleRate: 48_000, channels: 2, profile: '' },
  },
];

describe('audioTrackFromConfig', () => {
  it.each(configs)('reads $name', ({ codec, hex, facts }) => {
    const config = Buffer.from(hex, 'hex');
    expect(audioTrackFromConfig(codec, config)).toEqual({ kind: 'audio', codec, config, ...facts });
  });

  it("uses the container's values where the configuration has none", () => {
    const track = audioTrackFromConfig('mp3', Buffer.alloc(0), { sampleRate: 22_050, channels: 1 });
    expect(track).toMatchObject({ sampleRate: 22_050, channels: 1, profile: '' });
    expect(audioTrackFromConfig('aac', Buffer.alloc(0))).toMatchObject({ sampleRate: 0, channels: 0 });
  });

  it('never throws on garbage', () => {
    fc.assert(
      fc.property(fc.constantFrom('aac', 'opus', 'mp3'), fc.uint8Array({ maxLength: 40 }), (codec, bytes) => {
        const { sampleRate, channels } = audioTrackFromConfig(codec as AudioCodec, Buffer.from(bytes));
        expect(sampleRate).toBeGreaterThanOrEqual(0);
        expect(channels).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
