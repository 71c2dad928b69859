import { DatabaseSync } from 'node:sqlite';
import { tutorialVideos } from '@srs-stack/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { createTutorialVideos, factsLastMs, siteRestMs, type TutorialVideos } from './tutorial-videos.ts';

const responded = { title: 'T', desc: 'D', stat: { view: 7, like: 2, share: 1, coin: 3 }, owner: { name: 'o' } };
const unknownVideo = 'BV0000000000';
let nowMs: number;
let querySite: ReturnType<typeof vi.fn<(bvid: string) => Promise<unknown>>>;
let videos: TutorialVideos;
beforeEach(() => {
  nowMs = Date.parse('2026-01-02T03:04:05Z');
  querySite = vi.fn(async () => responded);
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  videos = createTutorialVideos({ store, log: { info: vi.fn() } as never, now: () => new Date(nowMs), querySite });
});
const away = () => querySite.mockRejectedValue(new Error('no route to host'));

it('returns the response of the site, and caches it for a day', async () => {
  expect(await videos.facts(unknownVideo)).toEqual(responded);
  nowMs += factsLastMs - 1;
  expect(await videos.facts(unknownVideo)).toEqual(responded);
  expect(querySite).toHaveBeenCalledTimes(1);
  nowMs += 1;
  await videos.facts(unknownVideo);
  expect(querySite).toHaveBeenCalledTimes(2);
});

it('without the internet, returns cached and built-in data', async () => {
  await videos.facts(unknownVideo);
  away();
  nowMs += factsLastMs;
  expect(await videos.facts(unknownVideo)).toEqual(responded);
  const known = await videos.facts(tutorialVideos.start);
  expect(known.title).not.toBe('');
  expect(known.stat).toEqual({ view: 0, like: 0, share: 0 });
});

it('refuses an unknown video, and pauses requests to an unavailable site', async () => {
  away();
  await expect(videos.facts(unknownVideo)).rejects.toMatchObject({ errorName: 'videoSiteUnreachable' });
  await expect(videos.facts(unknownVideo)).rejects.toMatchObject({ errorName: 'videoSiteUnreachable' });
  expect(querySite).toHaveBeenCalledTimes(1);
  querySite.mockResolvedValue(responded);
  nowMs += siteRestMs;
  expect(await videos.facts(unknownVideo)).toEqual(responded);
});

it('does not wait for a hung site if it has data', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    querySite.mockReturnValue(new Promise(() => {}));
    const facts = videos.facts(tutorialVideos.https);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 0 });
    vi.runAllTimers();
    expect((await facts).title).toContain('HTTPS');
  } finally {
    vi.useRealTimers();
  }
});

it('sends one request for simultaneous calls; an invalid response counts as none', async () => {
  await Promise.all([videos.facts(unknownVideo), videos.facts(unknownVideo)]);
  expect(querySite).toHaveBeenCalledTimes(1);
  querySite.mockResolvedValue({ title: 1 });
  await expect(videos.facts('BV1111111111')).rejects.toMatchObject({ errorName: 'videoSiteUnreachable' });
});
