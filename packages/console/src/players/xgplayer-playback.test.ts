import { expect, test } from 'vitest';
import { codecName } from './codec-name.ts';
import { signalledAudio } from './xgplayer-playback.ts';

test.each([
  ['mp4a.40.5', 'AAC'],
  ['mp4a.40.2', 'AAC-LC'],
  ['opus', 'Opus'],
])('audio that the plug-in signals as %s is called %s', (codec, name) => {
  expect(codecName(signalledAudio(codec)!)).toBe(name);
});

test('audio that is not signalled yet has no name', () => {
  expect(signalledAudio('')).toBeUndefined();
});
