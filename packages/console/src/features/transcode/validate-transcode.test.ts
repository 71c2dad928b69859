import { expect, test } from 'vitest';
import { type TranscodeFields, toTranscodeConfig, transcodeFields, validateTranscode } from './validate-transcode.ts';

const never = {
  all: false,
  vcodec: '',
  acodec: '',
  vbitrate: 0,
  abitrate: 0,
  achannels: 0,
  vprofile: '',
  vpreset: '',
  server: '',
  secret: '',
};
const own = { server: 'rtmp://host/live/', secret: 'livestream-trans?secret=x' };
const good = transcodeFields(never, own);

test('the defaults are valid and complete', () => {
  expect(good).toEqual({
    vbitrate: 1200,
    abitrate: 64,
    vcodec: 'libx264',
    vprofile: 'baseline',
    vpreset: 'faster',
    acodec: 'aac',
    achannels: 0,
    ...own,
  });
  expect(validateTranscode(good)).toBeUndefined();
});

test.each([-5, 1.5, 99, '' as const])('a video bitrate of %s is refused, not converted', (vbitrate) => {
  expect(validateTranscode({ ...good, vbitrate })).toBe('vbitrate');
  expect(validateTranscode({ ...good, vbitrate: 100.5 })).toBe('vbitrate');
});

test('saved values are shown unchanged', () => {
  const saved = { ...toTranscodeConfig(good, true), vbitrate: 800, server: 'rtmp://other/app' };
  expect(transcodeFields(saved, own)).toMatchObject({ vbitrate: 800, server: 'rtmp://other/app' });
  expect('all' in transcodeFields(saved, own)).toBe(false);
});

test('default video settings are not sent, changed ones are', () => {
  const usual = { height: 0, fps: 25, keyframeSeconds: 2, watermark: null };
  expect('picture' in toTranscodeConfig(good, true)).toBe(false);
  expect('picture' in toTranscodeConfig({ ...good, picture: usual }, true)).toBe(false);
  for (const change of [{ height: 720 }, { fps: 0 }, { keyframeSeconds: 4 }]) {
    const picture = { ...usual, ...change };
    const saved = toTranscodeConfig({ ...good, picture }, true);
    expect(saved.picture).toEqual(picture);
    expect(transcodeFields(saved, own).picture).toEqual(picture);
  }
});

test.each<[Partial<Record<keyof TranscodeFields, unknown>>, string | undefined]>([
  [{ vbitrate: 99 }, 'vbitrate'],
  [{ vbitrate: 100 }, undefined],
  [{ vbitrate: 100_000 }, undefined],
  [{ vbitrate: 100_001 }, 'vbitrate'],
  [{ vbitrate: '' }, 'vbitrate'],
  [{ vbitrate: Number.NaN }, 'vbitrate'],
  [{ abitrate: 9 }, 'abitrate'],
  [{ abitrate: 10 }, undefined],
  [{ abitrate: 1_000 }, undefined],
  [{ abitrate: 1_001 }, 'abitrate'],
  [{ vcodec: 'libx265' }, 'vcodec'],
  [{ vprofile: 'main' }, undefined],
  [{ vprofile: 'high' }, undefined],
  [{ vprofile: 'high10' }, 'vprofile'],
  ...(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'] as const).map(
    (vpreset): [Partial<TranscodeFields>, undefined] => [{ vpreset }, undefined],
  ),
  [{ vpreset: 'placebo' }, 'vpreset'],
  [{ acodec: 'mp3' }, 'acodec'],
  [{ achannels: '' }, 'achannels'],
  [{ achannels: 1 }, undefined],
  [{ achannels: 2 }, undefined],
  [{ achannels: 3 }, 'achannels'],
  [{ server: ' ' }, 'server'],
  [{ secret: '' }, 'secret'],
  [{ secret: '', server: '', achannels: 3, vbitrate: 1 }, 'vbitrate'],
  [{ secret: '', server: '', achannels: 3 }, 'achannels'],
  [{ secret: '', server: '' }, 'server'],
])('%j: %s', (change, field) => {
  expect(validateTranscode({ ...good, ...change } as TranscodeFields)).toBe(field);
});
