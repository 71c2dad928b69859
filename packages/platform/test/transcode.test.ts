// The calls of the live transcoder: rules of every field, what is kept, the task while nothing runs.
import { transcodeDefaults } from '@srs-stack/contract';
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
    [{ server: 'http://h/' }, 'it must begin with'],
    [{ vbitrate: '1200' }, 'vbitrate'],
  ])('refuses %j', async (fields, words) => {
    const { status, body } = await platform.call('applyTranscode', { ...valid, ...fields });
    expect(status).toBe(400);
    expect(body.data.message).toContain(words);
    expect(await query()).toEqual(nothing);
  });

  it('keeps what was sent, takes zero values back, and survives a restart', async () => {
    expect((await platform.call('applyTranscode', { ...valid, extra: true })).body.data).toBeNull();
    expect(await query()).toEqual(valid);
    platform = await platform.reopen();
    expect(await query()).toEqual(valid);
    expect((await platform.call('queryTranscodeTask')).body.data.enabled).toBe(true);
    expect((await platform.call('applyTranscode', nothing)).status).toBe(200);
    expect(await query()).toEqual(nothing);
  });
});
