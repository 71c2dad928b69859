import { expect, test } from 'vitest';
import { RewindBar } from './rewind-bar.ts';
import { watchTexts } from './watch-texts.ts';

test('the bar spans the rewind window, and grows with it', () => {
  const bar = new RewindBar({
    ...{ t: watchTexts('en'), locale: 'en', onSeek: () => undefined, query: () => new URLSearchParams() },
  });
  const rewind = { playlist: '/live/x.rewind.m3u8', windowSeconds: 600 };
  bar.offer(rewind, 31);
  const slider = bar.root.querySelector('input')!;
  expect([slider.min, slider.max]).toEqual(['-31', '0']);
  bar.step(-40);
  expect(bar.behindSeconds).toBe(31);
  bar.offer(rewind, 46);
  expect(slider.min).toBe('-46');
  expect(bar.behindSeconds).toBe(31);
});
