import { describe, expect, it } from 'vitest';
import { audioCodecName, codecInMessage, codecName } from './codec-name.ts';

describe('codec names', () => {
  it.each([
    ['avc1.64001f', 'H.264 High'],
    ['avc1.42c01e', 'H.264 Baseline'],
    ['avc1.4d401f', 'H.264 Main'],
    ['H264', 'H.264'],
    ['hvc1.1.6.L93.B0', 'HEVC'],
    ['hev1', 'HEVC'],
    ['HEVC', 'HEVC'],
    ['av01.0.04M.08', 'AV1'],
    ['AV1', 'AV1'],
    ['vp09.00.10.08', 'VP9'],
    ['mp4a.40.2', 'AAC-LC'],
    ['mp4a.40.5', 'HE-AAC'],
    ['mp4a.40.34', 'MP3'],
    ['mp3', 'MP3'],
    ['AAC', 'AAC'],
    ['opus', 'Opus'],
    ['ec-3', 'E-AC-3'],
    ['speex', 'speex'],
  ])('%s is %s', (codec, name) => {
    expect(codecName(codec)).toBe(name);
  });

  it.each([
    ['AAC', 'LC', 'AAC-LC'],
    ['aac', 'HE-AAC', 'HE-AAC'],
    ['AAC', '', 'AAC'],
    ['mp4a.40.2', 'LC', 'AAC-LC'],
    ['opus', 'LC', 'Opus'],
  ])('%s with the profile "%s" is %s', (codec, profile, name) => {
    expect(audioCodecName({ codec, profile })).toBe(name);
  });

  it.each([
    ["The type provided ('video/mp4;codecs=hvc1.1.6.L93.B0') is unsupported.", 'hvc1.1.6.L93.B0'],
    ['unsupported: audio/mp4; codecs="opus"', 'opus'],
    ['network error', undefined],
  ])('finds the codec in "%s"', (message, codec) => {
    expect(codecInMessage(message)).toBe(codec);
  });
});
