// The calls of the live transcoder: rules of every field, stored values, and the task without a process.
import { transcodeDefaults, transcodePicture, transcodePictureDefaults } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.dispose());

const valid = { ...transcodeDefaults, all: true, server: 'rtmp://127.0.0.1/live/', secret: 'livestream-trans' };
const nothing = {
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
const mark = { image: 'f'.repeat(32), corner: 'top-left', marginPercent: 2, widthPercent: 15, opacityPercent: 85 };
const query = async () => (await platform.call('queryTranscode')).body.data;

describe('transcode', () => {
  it('is all zero values at first', async () => {
    expect(await query()).toEqual(nothing);
    const { data } = (await platform.call('queryTranscodeTask')).body;
    expect(data).toMatchObject({
      enabled: false,
      input: '',
      output: '',
      frame: { log: '', update: '' },
      state: 'idle',
    });
    expect(data.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect((await platform.call('queryTranscodeTask')).body.data.uuid).toBe(data.uuid);
  });

  it.each([
    [{ vbitrate: 99 }, 'Invalid vbitrate 99, should be 100 to 100000 Kbps'],
    [{ vbitrate: 100_001 }, 'Invalid vbitrate 100001, should be 100 to 100000 Kbps'],
    [{ vbitrate: 1.5 }, 'Invalid vbitrate 1.5, should be'],
    [{ abitrate: 9 }, 'Invalid abitrate 9, should be 10 to 1000 Kbps'],
    [{ abitrate: 1_001 }, 'Invalid abitrate 1001, should be'],
    [{ vcodec: 'libx265' }, 'Invalid vcodec libx265, should be libx264'],
    [{ vcodec: '' }, 'Invalid vcodec , should be libx264'],
    [{ vprofile: 'high10' }, 'Invalid vprofile high10, should be baseline, main, high'],
    [
      { vpreset: 'placebo' },
      'Invalid vpreset placebo, should be ultrafast, superfast, veryfast, faster, fast, medium, slow',
    ],
    [{ acodec: 'mp3' }, 'Invalid acodec mp3, should be aac'],
    [{ achannels: 3 }, 'Invalid achannels 3, should be 0, 1, 2'],
    [{ server: '' }, 'Invalid server, should be'],
    [{ secret: '' }, 'Invalid key, should be'],
    [{ server: 'http://h/' }, 'the address must begin with'],
    [{ vbitrate: '1200' }, 'vbitrate'],
    [{ picture: { height: 721 } }, 'Invalid height 721, should be an even number'],
    [{ picture: { height: 142 } }, 'Invalid height 142, should be 144 to 2160 rows'],
    [{ picture: { height: 720.5 } }, 'Invalid height 720.5, should be'],
    [{ picture: { fps: 4 } }, 'Invalid fps 4, should be 5 to 60 frames per second'],
    [{ picture: { keyframeSeconds: 0 } }, 'Invalid keyframeSeconds 0, should be 1 to 10 seconds'],
    [{ picture: { watermark: { ...mark, widthPercent: 51 } } }, 'Invalid widthPercent 51, should be 2 to 50 percent'],
    [{ picture: { watermark: { ...mark, marginPercent: -1 } } }, 'Invalid marginPercent -1, should be'],
    [{ picture: { watermark: { ...mark, opacityPercent: 0 } } }, 'Invalid opacityPercent 0, should be'],
    [{ picture: { watermark: { ...mark, corner: 'middle' } } }, 'corner'],
  ])('refuses %j', async (fields, words) => {
    const { status, body } = await platform.call('applyTranscode', { ...valid, ...fields });
    expect(status).toBe(400);
    expect(body.data.message).toContain(words);
    expect(await query()).toEqual(nothing);
  });

  it.each([
    [{ vbitrate: 1e300 }, 'Invalid vbitrate 1e+300, should be 0 to 100000 Kbps'],
    [{ vbitrate: -1 }, 'Invalid vbitrate -1, should be'],
    [{ abitrate: 1e300 }, 'Invalid abitrate 1e+300, should be 0 to 1000 Kbps'],
    [{ achannels: 1e300 }, 'Invalid achannels 1e+300, should be 0, 1, 2'],
    [{ picture: { ...transcodePictureDefaults, height: 1e300 } }, 'Invalid height 1e+300, should be'],
    [{ picture: { ...transcodePictureDefaults, fps: 1e300 } }, 'Invalid fps 1e+300, should be'],
    [{ picture: { ...transcodePictureDefaults, keyframeSeconds: 1e300 } }, 'Invalid keyframeSeconds 1e+300, should be'],
    [
      { picture: { ...transcodePictureDefaults, watermark: { ...mark, marginPercent: 1e300 } } },
      'Invalid marginPercent',
    ],
  ])('refuses %j also while it is switched off', async (change, message) => {
    const response = await platform.call('applyTranscode', { ...nothing, ...change });
    expect(response.status).toBe(400);
    expect(response.body.data.message).toContain(message);
    expect(await query()).toEqual(nothing);
  });

  it('stores what was sent, accepts zero values again, and survives a restart', async () => {
    expect((await platform.call('applyTranscode', { ...valid, extra: true })).body.data).toBeNull();
    expect(await query()).toEqual(valid);
    platform = await platform.reopen();
    expect(await query()).toEqual(valid);
    expect((await platform.call('queryTranscodeTask')).body.data.enabled).toBe(true);
    expect((await platform.call('applyTranscode', nothing)).status).toBe(200);
    expect(await query()).toEqual(nothing);
  });

  it('treats an empty video setting like a missing one', () => {
    expect(transcodePicture.parse({})).toEqual(transcodePictureDefaults);
  });

  it('accepts a watermark, returns it, and keeps settings that reference it', async () => {
    const refused = await platform.call('applyTranscode', { ...valid, picture: { watermark: mark } });
    expect([refused.status, refused.body.code]).toEqual([404, 4054]);
    expect(await query()).toEqual(nothing);
    const noPicture = await platform.call('uploadWatermark', { data: Buffer.from('GIF89a').toString('base64') });
    expect([noPicture.status, noPicture.body.code]).toEqual([422, 4061]);
    const image = (await platform.call('uploadWatermark', { data: dot })).body.data;
    expect(image).toMatchObject({ width: 1, height: 1 });
    const shown = (await platform.call('queryWatermark', { id: image.id })).body.data;
    expect(shown).toEqual({ ...image, picture: expect.stringMatching(/^data:image\/png;base64,iVBOR/) });
    const picture = { height: 720, fps: 0, keyframeSeconds: 4, watermark: { ...mark, image: image.id } };
    expect((await platform.call('applyTranscode', { ...valid, picture })).status).toBe(200);
    expect(await query()).toEqual({ ...valid, picture });
    // An old client posts only the fields it knows. Fields that are not posted are reset to their defaults.
    expect((await platform.call('applyTranscode', nothing)).status).toBe(200);
    expect(await query()).toEqual(nothing);
  });
});

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
