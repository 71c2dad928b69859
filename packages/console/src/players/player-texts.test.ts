import { supportedLocales } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { latencyText, playerTexts, problemText, viewerLocale } from './player-texts.ts';

describe('language of a viewer', () => {
  it.each([
    ['', ['zh-CN', 'en'], 'zh'],
    ['', ['zh-TW'], 'zh'],
    ['', ['de-DE', 'zh-CN'], 'zh'],
    ['', ['en-US'], 'en'],
    ['', ['fr-FR'], 'en'],
    ['', [], 'en'],
    ['lang=zh', ['en-US'], 'zh'],
    ['lang=en', ['zh-CN'], 'en'],
    ['lang=xx', ['zh-CN'], 'zh'],
    ['lang=constructor', ['en'], 'en'],
  ] as const)('"%s" in a browser of %s is %s', (query, browser, locale) => {
    expect(viewerLocale(new URLSearchParams(query), browser)).toBe(locale);
  });
});

describe('texts', () => {
  const en = playerTexts('en');

  it('names the codec a browser lacks', () => {
    expect(problemText(en, { kind: 'codec', codec: 'hvc1.1.6' }).title).toBe(
      'This browser cannot play the codec: HEVC',
    );
  });

  it('adds the detail of a failed connection when there is one', () => {
    expect(problemText(en, { kind: 'network', detail: 'HTTP 502' }).title).toBe('Cannot connect (HTTP 502)');
    expect(problemText(en, { kind: 'network', detail: '' }).title).toBe('Cannot connect');
  });

  it('explains what the latency badge measures', () => {
    expect(latencyText(en, { kind: 'buffer', seconds: 0.84 })).toEqual({
      text: 'Buffer 0.8 s',
      meaning: 'Media that is received but not displayed yet',
    });
  });

  it('has no empty text in either language', () => {
    const leaves = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
    for (const locale of supportedLocales) {
      expect(leaves(playerTexts(locale)).filter((text) => text === '')).toEqual([]);
    }
  });
});
