import { programWords, toWirePhrase, workerDetail } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { createMask, maskedDetail } from './mask.ts';

const mask = createMask(['key-1234?token=abcdef']);

test('a secret is neither in the text of a detail nor in its wire form', () => {
  for (const detail of [
    programWords('rtmp://h/live/key-1234?token=abcdef: I/O error'),
    programWords('bad token abcdef'),
    workerDetail('ffmpeg-not-started', { error: 'abcdef' }),
  ]) {
    const masked = maskedDetail(detail, mask);
    expect(JSON.stringify([masked, toWirePhrase(masked)])).not.toMatch(/abcdef|key-1234/);
    expect(toWirePhrase(masked).key).toBe(detail.key);
  }
});

test('numbers and words without a secret stay', () => {
  const detail = workerDetail('target-silent', { seconds: 10 });
  expect(maskedDetail(detail, mask)).toEqual(detail);
});
