import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAacConfig, writeAacConfig } from './aac.ts';
import { aacConfigFromAdts, createAdtsTemplate, parseAdtsHeader } from './adts.ts';
import { parseMp3Header } from './mp3.ts';
import { opusPacketDurationUs, parseOpusConfig, writeOpusConfig } from './opus.ts';

/** First frame header of FFmpeg's ADTS for quadrophonic audio, with channel configuration 0 and a program config element. */
const quadAdts = Buffer.from('fff14c004a3ffca098808004220d4c61766335392e33372e313030de02004c6176', 'hex');
const quadConfig = Buffer.from('118004c4040021100d4c61766335392e33372e31303056e500', 'hex');

describe('ADTS', () => {
  it('is read as FFmpeg writes it', () => {
    expect(parseAdtsHeader(quadAdts)).toEqual({
      headerSize: 7,
      frameSize: 593,
      objectType: 2,
      rateIndex: 3,
      sampleRate: 48_000,
      channelConfiguration: 0,
    });
  });

  it('is written as FFmpeg writes it, with the program config element', () => {
    const template = createAdtsTemplate(parseAacConfig(quadConfig)!)!;
    const written = Buffer.alloc(64);
    const end = template.writeTo(written, 0, 593 - template.bytes.length);
    expect(written.subarray(0, end).toString('hex')).toBe(quadAdts.subarray(0, end).toString('hex'));
    expect(end).toBeGreaterThan(20);
  });

  it('returns the configuration it was made from', () => {
    const header = parseAdtsHeader(quadAdts)!;
    const config = parseAacConfig(aacConfigFromAdts(header, quadAdts.subarray(7)))!;
    expect(config).toMatchObject({ channels: 4, sampleRate: 48_000, objectType: 2 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(12),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 8000 }),
        (objectType, rateIndex, channelConfiguration, size) => {
          const original = writeAacConfig({ objectType, rateIndex, channelConfiguration });
          const frame = Buffer.alloc(7 + size);
          createAdtsTemplate(parseAacConfig(original)!)!.writeTo(frame, 0, size);
          const read = parseAdtsHeader(frame)!;
          expect(read.frameSize).toBe(frame.length);
          expect(aacConfigFromAdts(read, frame.subarray(7)).equals(original)).toBe(true);
        },
      ),
    );
  });

  it('refuses a rate that has no index', () => {
    const config = Buffer.from('1780' + '2ee0' + '10' + '00', 'hex');
    expect(createAdtsTemplate({ ...parseAacConfig(quadConfig)!, rateIndex: 15 })).toBeUndefined();
    expect(parseAdtsHeader(config)).toBeUndefined();
  });
});

describe('MP3 frame header', () => {
  it.each([
    ['fffb9064', { layer: 3, sampleRate: 44_100, channels: 2, frameSize: 417, frameSamples: 1152 }],
    ['fff37064', { layer: 3, sampleRate: 22_050, channels: 2, frameSize: 182, frameSamples: 576 }],
    ['fffb92c4', { layer: 3, sampleRate: 44_100, channels: 1, frameSize: 418, frameSamples: 1152 }],
  ])('%s', (hex, expected) => {
    expect(parseMp3Header(Buffer.from(hex, 'hex'))).toEqual(expected);
  });

  it.each(['fffbf064', 'fffb0064', 'fffb9c64', 'ffeb9064', 'fff99064'.replace('f9', 'e9'), 'fffb90', ''])(
    'refuses %s',
    (hex) => {
      expect(parseMp3Header(Buffer.from(hex, 'hex'))).toBeUndefined();
    },
  );
});

describe('Opus', () => {
  it('has an identification header', () => {
    const header = writeOpusConfig(2);
    expect(header.toString('hex')).toBe('4f707573486561640102380180bb0000000000');
    expect(parseOpusConfig(header)).toEqual({ channels: 2, preSkip: 312, mappingFamily: 0 });
    expect(parseOpusConfig(header.subarray(0, 18))).toBeUndefined();
  });

  it.each([
    ['fc', 20_000],
    ['fd', 40_000],
    ['ff03', 60_000],
    ['e0', 2_500],
    ['18', 60_000],
    ['68', 20_000],
    ['ff3f', 0],
    ['', 0],
  ])('packet %s has a duration of %i µs', (hex, expected) => {
    expect(opusPacketDurationUs(Buffer.from(hex, 'hex'))).toBe(expected);
  });
});
