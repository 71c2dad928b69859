import { describe, expect, it } from 'vitest';
import { cleanStatusLine, createLineSplitter, createProgressReader, statusTimeOf } from './ffmpeg-progress.ts';

const status = 'frame=  198 fps= 32 q=-1.0 size=     894kB time=00:00:07.92 bitrate= 924.5kbits/s speed=1.29x    ';

describe('status lines', () => {
  it('are normalized as clients expect', () => {
    expect(cleanStatusLine(status)).toBe(
      'frame=198 fps=32 q=-1.0 size=894kB time=00:00:07.92 bitrate=924.5kbits/s speed=1.29x',
    );
    expect(cleanStatusLine(' a =  b\r\nc ')).toBe('a =b  c');
  });

  it.each([
    [status, '00:00:07.92'],
    ['size=    1024kB time=100:00:00.00 bitrate= 1.0kbits/s speed=   1x', '100:00:00.00'],
    ['size=N/A time=00:00:01.00 bitrate=N/A speed=0.999x', '00:00:01.00'],
    ['size=1kB time=00:00:01.00 speed=1e+03x', '00:00:01.00'],
    ['frame=    1 size=       0kB time=00:00:00.00 bitrate=2920.0kbits/s speed=N/A', undefined],
    ['frame=    1 size=       0kB time=N/A bitrate=N/A speed=1x', undefined],
    ['size=0kB time=-577014:32:22.77 bitrate=-0.0kbits/s speed=N/A', undefined],
    ['Input #0, flv, from x', undefined],
    ['time=00:00:01.00', undefined],
    ['', undefined],
  ])('%s shows progress at %s', (line, time) => {
    expect(statusTimeOf(line)).toBe(time);
  });
});

describe('lines', () => {
  it('end with CR or LF, at any chunk boundary', () => {
    const text = 'one\r\ntwo\rthree\n\n  \nfour';
    for (let cut = 0; cut <= text.length; cut++) {
      const splitter = createLineSplitter();
      const lines = [...splitter.push(text.slice(0, cut)), ...splitter.push(text.slice(cut))];
      expect([...lines, splitter.rest()]).toEqual(['one', 'two', 'three', 'four']);
    }
  });

  it('without an end are limited', () => {
    const splitter = createLineSplitter();
    expect(splitter.push('x'.repeat(70_000))).toHaveLength(1);
    expect(splitter.rest()).toBe('');
  });
});

describe('progress blocks', () => {
  const read = (text: string) => {
    const reader = createProgressReader();
    return text.split('\n').flatMap((line) => reader.push(line) ?? []);
  };
  it.each([
    ['out_time_us=40000\ntotal_size=100\nprogress=continue', [{ outTimeUs: 40_000, totalBytes: 100, frames: 0 }]],
    ['out_time_us=1\ntotal_size=N/A\nprogress=end\n', [{ outTimeUs: 1, totalBytes: 0, frames: 0 }]],
    ['out_time_us=N/A\nprogress=continue', []],
    ['out_time_us=-5\nprogress=continue', []],
    ['progress=continue', []],
    ['no equals sign\n=\nprogress', []],
    ['out_time_us=1\nprogress=continue\nprogress=continue', [{ outTimeUs: 1, totalBytes: 0, frames: 0 }]],
  ])('%j is %j', (text, blocks) => {
    expect(read(text)).toEqual(blocks);
  });
});
