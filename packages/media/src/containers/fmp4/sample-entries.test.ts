import { describe, expect, it } from 'vitest';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { writeOpusConfig } from '../../codecs/opus.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import { aacTrack, h264Config, h264Track } from '../../testing/media.ts';
import { readBoxes } from '../../testing/mp4-boxes.ts';
import type { Track } from '../../track.ts';
import { sampleEntry } from './sample-entries.ts';

/** Size of the fixed fields of VisualSampleEntry and AudioSampleEntry, bytes (ISO/IEC 14496-12 §12.1.3, §12.2.3). */
const videoFieldBytes = 78;
const audioFieldBytes = 28;

function read(track: Track) {
  const [entry] = readBoxes(sampleEntry(track)!);
  const fields = entry!.payload.subarray(0, track.kind === 'video' ? videoFieldBytes : audioFieldBytes);
  const [config, ...more] = readBoxes(entry!.payload.subarray(fields.length));
  expect(more).toEqual([]);
  return { type: entry!.type, fields, config: config! };
}

const av1Config = Buffer.from('81040c000a0b00000024c6a7df36be4010', 'hex');
const hevcConfig = Buffer.from('0101600000009000000000005df000fcfdf8f800000f03', 'hex');

describe('sample entries of video', () => {
  it.each([
    ['avc1', 'avcC', h264Track, h264Config],
    ['hvc1', 'hvcC', videoTrackFromConfig('h265', hevcConfig), hevcConfig],
    ['av01', 'av1C', videoTrackFromConfig('av1', av1Config), av1Config],
  ])('%s contains the record in %s', (type, box, track, record) => {
    const entry = read(track);
    expect([entry.type, entry.config.type]).toEqual([type, box]);
    expect(entry.config.payload.equals(record)).toBe(true);
    expect([entry.fields.readUInt16BE(24), entry.fields.readUInt16BE(26)]).toEqual([track.width, track.height]);
    expect(entry.fields.readUInt16BE(6)).toBe(1);
  });

  it.each([
    ['a codec without an entry', videoTrackFromConfig('vp8', Buffer.alloc(0))],
    ['a track without configuration', { ...h264Track, config: Buffer.alloc(0) }],
  ])('do not exist for %s', (_name, track) => {
    expect(sampleEntry(track)).toBeUndefined();
  });
});

describe('sample entries of audio', () => {
  it('put the AudioSpecificConfig of AAC into an ES descriptor', () => {
    const { type, fields, config } = read(aacTrack);
    expect([type, config.type]).toEqual(['mp4a', 'esds']);
    expect([fields.readUInt16BE(16), fields.readUInt32BE(24) >>> 16]).toEqual([2, 48_000]);
    // Tags of ISO/IEC 14496-1 §7.2.6: ES (3), decoder configuration (4), decoder specific information (5), sync layer (6).
    expect(config.payload.toString('hex')).toBe(
      ['00000000', '0319000000', '0411', '4015000000', '0000000000000000', '05021190', '060102'].join(''),
    );
  });

  it('write the length of a long configuration in two groups', () => {
    const long = Buffer.alloc(300, 1);
    const { payload } = read({ ...aacTrack, config: long }).config;
    const at = payload.indexOf(Buffer.from([0x05, 0x82, 0x2c]));
    expect(payload.subarray(at + 3, at + 303).equals(long)).toBe(true);
    expect(payload.subarray(4, 7).toString('hex')).toBe('038245');
    expect(payload.length).toBe(4 + 3 + 0x145);
  });

  it('omit a sample rate above 16 bits', () => {
    expect(read({ ...aacTrack, sampleRate: 96_000 }).fields.readUInt32BE(24)).toBe(0);
  });

  it('convert OpusHead to dOps, whose numbers are big-endian', () => {
    const { type, config } = read(audioTrackFromConfig('opus', writeOpusConfig(2)));
    expect([type, config.type]).toEqual(['Opus', 'dOps']);
    expect(config.payload.toString('hex')).toBe('00' + '02' + '0138' + '0000bb80' + '0000' + '00');
  });

  it('keep the channel mapping of Opus in surround', () => {
    const mapping = Buffer.from('0402000401020305', 'hex');
    const head = Buffer.concat([writeOpusConfig(6).subarray(0, 18), Buffer.from([1]), mapping]);
    const { payload } = read(audioTrackFromConfig('opus', head)).config;
    expect(payload.subarray(10).toString('hex')).toBe(`01${mapping.toString('hex')}`);
    expect(sampleEntry(audioTrackFromConfig('opus', head.subarray(0, head.length - 1)))).toBeUndefined();
  });

  it.each([
    ['AAC with one byte of configuration', { ...aacTrack, config: Buffer.from([0x11]) }],
    ['AAC with a configuration that no encoder writes', { ...aacTrack, config: Buffer.alloc(1025) }],
    ['Opus without OpusHead', { ...aacTrack, codec: 'opus' as const, config: Buffer.alloc(19) }],
    ['MP3', { ...aacTrack, codec: 'mp3' as const }],
  ])('do not exist for %s', (_name, track) => {
    expect(sampleEntry(track)).toBeUndefined();
  });
});
