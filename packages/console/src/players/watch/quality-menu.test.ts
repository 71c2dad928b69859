import { expect, test, vi } from 'vitest';
import { createQualityMenu, parseRenditions } from './quality-menu.ts';
import { watchTexts } from './watch-texts.ts';

const playlist = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=700000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"
x~360p.m3u8
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2100000,BANDWIDTH=2500000,RESOLUTION=1280x720
x.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
x~audio.m3u8`;

test('renditions are listed from best to worst, audio only last', () => {
  expect(parseRenditions(playlist)).toEqual([
    { height: 720, bandwidth: 2_500_000 },
    { height: 360, bandwidth: 800_000 },
    { height: 0, bandwidth: 64_000 },
  ]);
  expect(parseRenditions('<html>')).toEqual([]);
});

test('a playlist that failed to load is requested again when the menu opens again', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('no network'));
  fetched.mockResolvedValueOnce(new Response(playlist));
  const menu = createQualityMenu(watchTexts('en'), () => undefined);
  menu.offer('/live/x/master.m3u8');
  const select = menu.root.querySelector('select')!;
  await vi.waitFor(() => {
    select.dispatchEvent(new Event('focus'));
    expect([...select.options].map(({ value }) => value)).toEqual(['', '720', '360', '0']);
  });
  expect(fetched).toHaveBeenCalledTimes(2);
  fetched.mockRestore();
});
