import { builtInPlatforms, supportedLocales } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { allPresets, platformPresets, presetOfServer } from './platform-presets.ts';

test('the built-in keys mean different platforms in each language', () => {
  const names = (locale: 'zh' | 'en') => builtInPlatforms.map((key) => platformPresets(locale)[key].name);
  expect(names('zh')).toEqual(['视频号', '哔哩哔哩', '快手']);
  expect(names('en')).toEqual(['YouTube', 'Twitch', 'Facebook']);
});

test('only Twitch and Facebook have a default server', () => {
  const prefilled = supportedLocales.flatMap((locale) =>
    Object.values(platformPresets(locale)).filter(({ isPrefilled }) => isPrefilled),
  );
  expect(prefilled.map(({ name }) => name)).toEqual(['Twitch', 'Facebook']);
  expect(prefilled.every(({ servers }) => servers.length > 0)).toBe(true);
});

test('every address of a preset is a push address and is recognised as its own', () => {
  for (const locale of supportedLocales) {
    for (const preset of allPresets(locale)) {
      expect(preset.keyPage).toMatch(/^https:\/\//);
      expect(preset.keySteps.length).toBeGreaterThan(1);
      for (const { url } of preset.servers) {
        expect(url).toMatch(/^(rtmps?|srt):\/\/[^/]+\//);
        expect(presetOfServer(url, locale)).toBe(preset);
      }
    }
  }
});

test('thirty platforms per language, each name once', () => {
  for (const locale of supportedLocales) {
    const names = allPresets(locale).map(({ name }) => name);
    expect(names).toHaveLength(30);
    expect(new Set(names).size).toBe(30);
  }
});

test('a test publishes only to platforms that document that nothing goes on air', () => {
  const harmless = supportedLocales.flatMap((locale) => allPresets(locale).filter((preset) => preset.harmlessTest));
  expect(harmless.map(({ name }) => name)).toEqual(['Twitch']);
});

test.each([
  ['rtmp://live.twitch.tv/app/', 'zh', 'Twitch'],
  ['RTMP://A.RTMP.YouTube.com/live2', 'en', 'YouTube'],
  ['rtmp://nottwitch.tv/app/', 'en', undefined],
  ['rtmp://example.com/twitch.tv', 'en', undefined],
  ['rtmps://abc.global-contribute.live-video.net:443/app/', 'en', 'Twitch'],
  ['rtmp://live-upload.instagram.com/rtmp/', 'zh', 'Instagram'],
  ['twitch.tv', 'en', undefined],
  ['', 'zh', undefined],
] as const)('%s in %s is %s', (server, locale, name) => {
  expect(presetOfServer(server, locale)?.name).toBe(name);
});
