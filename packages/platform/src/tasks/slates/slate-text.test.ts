import { describe, expect, it } from 'vitest';
import { breakLines, layOut, textFilters } from './slate-text.ts';

const frame = { width: 1280, height: 720 };

describe('lines of a slate', () => {
  it('break at words', () => {
    expect(breakLines('We are back at eight', 9)).toEqual(['We are back', 'at eight']);
  });

  it('break Chinese between words, without a mark at the beginning of a line', () => {
    expect(breakLines('直播即将开始,请稍候', 6)).toEqual(['直播即将开始,', '请稍候']);
    for (const line of breakLines('精彩内容马上回来，敬请期待。感谢您的耐心等待！', 5)) {
      expect(line).not.toMatch(/^[，。！]/);
    }
  });

  it('break inside a word that is longer than a line, and lose no character', () => {
    const long = 'x'.repeat(50);
    const lines = breakLines(long, 10);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('')).toBe(long);
  });

  it('are none for an empty text', () => {
    expect(breakLines('  ', 10)).toEqual([]);
    expect(layOut({ title: '', text: '' }, frame, true)).toBeUndefined();
  });
});

describe('layout of a slate', () => {
  const longest = { title: '字'.repeat(60), text: '字'.repeat(120) };

  it.each([
    ['16:9', frame],
    ['portrait', { width: 720, height: 1280 }],
    ['small', { width: 320, height: 180 }],
    ['square', { width: 1080, height: 1080 }],
  ])('keeps the longest texts inside a frame that is %s, with and without an image', (_name, size) => {
    for (const hasImage of [true, false]) {
      const { lines, strip } = layOut(longest, size, hasImage)!;
      const last = lines.at(-1)!;
      expect(lines[0]!.topPixels).toBeGreaterThanOrEqual(0);
      expect(last.topPixels + last.sizePixels * 1.3).toBeLessThanOrEqual(size.height);
      for (const { content, sizePixels } of lines) expect(content.length * sizePixels).toBeLessThanOrEqual(size.width);
      expect(strip === undefined).toBe(!hasImage);
    }
  });

  it('has the title in the middle of a black frame, and in the lower part of an image', () => {
    const [dark, image] = [false, true].map((hasImage) => layOut({ title: 'Soon', text: '' }, frame, hasImage)!);
    expect(Math.abs(dark!.lines[0]!.topPixels + 42 - 360)).toBeLessThanOrEqual(2);
    expect(image!.lines[0]!.topPixels).toBeGreaterThan(540);
  });

  it('has no text and no path in its filters', () => {
    const filters = textFilters(layOut({ title: `a':,;[x]%{pts}\\`, text: '' }, frame, true)!).join(',');
    expect(filters).toMatch(/textfile=line-0\.txt:expansion=none/);
    expect(filters).not.toMatch(/%\{|\[x\]/);
  });
});
