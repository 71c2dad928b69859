import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultHlsConfig, parseHlsConfig } from './hls-config.ts';
import { parseSrsConfig, SrsConfigError } from './srs-config-parser.ts';

const defaults = defaultHlsConfig('/data/hls');
const hlsOf = (text: string) => parseHlsConfig(text, defaults);

test('parses directives, blocks, comments and quotes', () => {
  const text = `
    # a comment; with { marks }
    listen 1935;
    vhost "my host" { hls { enabled on; } # tail
      on_publish http://a/b?c=d 'http://e;f'; }
  `;
  expect(parseSrsConfig(text)).toEqual([
    { name: 'listen', args: ['1935'], children: [] },
    {
      name: 'vhost',
      args: ['my host'],
      children: [
        { name: 'hls', args: [], children: [{ name: 'enabled', args: ['on'], children: [] }] },
        { name: 'on_publish', args: ['http://a/b?c=d', 'http://e;f'], children: [] },
      ],
    },
  ]);
});

test('reads the settings of the generated file', () => {
  const { config, warnings } = hlsOf(`hls {
    enabled on; hls_fragment 10; hls_window 60; hls_aof_ratio 2.1; hls_path /data/x;
    hls_m3u8_file [app]/[stream].m3u8; hls_ts_file [app]/[stream]-[seq]-[timestamp].ts;
    hls_wait_keyframe on; hls_dispose 20; hls_ctx off; hls_ts_ctx off; hls_low_latency on;
  }`);
  expect(warnings).toEqual([]);
  expect(config).toEqual({
    enabled: true,
    path: '/data/x',
    fragmentSeconds: 10,
    windowSeconds: 60,
    aofRatio: 2.1,
    disposeSeconds: 20,
    lowLatency: true,
    sessionContexts: false,
  });
});

test('an empty file and one without the block give the defaults; a vhost block is used', () => {
  expect(hlsOf('').config).toEqual(defaults);
  expect(hlsOf('# only a comment').config).toEqual(defaults);
  expect(hlsOf('vhost __defaultVhost__ { hls { hls_fragment 4; } }').config.fragmentSeconds).toBe(4);
});

test('values out of bounds keep the default and are reported', () => {
  const { config, warnings } = hlsOf(
    'hls { hls_fragment 0; hls_window 1e9; hls_ctx maybe; hls_path rel; hls_dispose; }',
  );
  expect(config).toEqual(defaults);
  expect(warnings).toHaveLength(4);
  expect(warnings[0]).toContain('hls_path must be absolute');
});

test.each([
  ['hls { a 1', 'ends within'],
  ['hls }', 'line 1'],
  ['\n}', 'line 2: unexpected "}"'],
  ['\n\n;', 'line 3: unexpected ";"'],
  ['a "b', 'quote is not closed'],
  ['a {'.repeat(40), 'nested too deep'],
  ['a '.repeat(200_000), 'longer than'],
])('refuses %j with the line', (text, message) => {
  expect(() => parseSrsConfig(text)).toThrow(message);
});

test('garbage throws only SrsConfigError, and never hangs', () => {
  const pieces = fc.constantFrom('hls', '{', '}', ';', '"', "'", '#', '\n', ' ', 'hls_fragment', '5', 'on', 'é', '\0');
  const garbage = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(pieces).map((all) => all.join(' ')),
  );
  void fc.assert(
    fc.property(garbage, (text) => {
      try {
        expect(hlsOf(text).config.fragmentSeconds).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(SrsConfigError);
      }
    }),
  );
});
