import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { expect, it } from 'vitest';
import { createVhostConfig } from './vhost-config.ts';

it.each([
  [false, 'hls_aof_ratio 15;'],
  [true, 'hls_aof_ratio 30;'],
])('lets an SRS cut segments at keyframes up to 30 s apart, with low latency %s', async (hlsLowLatency, line) => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-vhost-'));
  const path = join(folder, 'srs.vhost.conf');
  await createVhostConfig(path, '/data/hls', 'srs').write({ noHlsCtx: false, hlsLowLatency });
  const text = await readFile(path, 'utf8');
  expect(text).toContain(line);
  expect(text).not.toContain('hls_low_latency');
  await rm(folder, { recursive: true });
});

it('writes the hls block of SRS, once per change, and quotes odd folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-vhost-'));
  const path = join(folder, 'srs.vhost.conf');
  try {
    const config = createVhostConfig(path, '/data/my hls');
    expect(await config.write({ noHlsCtx: false, hlsLowLatency: false })).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(
      [
        '# Written by SRS Stack when a setting changes; edits are lost.',
        'hls {',
        '    enabled on;',
        '    hls_fragment 2;',
        '    hls_window 30;',
        '    hls_aof_ratio 2.1;',
        '    hls_path "/data/my hls";',
        '    hls_m3u8_file [app]/[stream].m3u8;',
        '    hls_ts_file [app]/[stream]-[seq]-[timestamp].ts;',
        '    hls_wait_keyframe on;',
        '    hls_dispose 15;',
        '}',
        '',
      ].join('\n'),
    );
    const { mtimeMs } = await stat(path);
    expect(await config.write({ noHlsCtx: false, hlsLowLatency: false })).toBe(false);
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
    expect(await config.write({ noHlsCtx: true, hlsLowLatency: true })).toBe(true);
    expect(await readFile(path, 'utf8')).toMatch(
      /hls_fragment 1;[\s\S]*hls_ctx off;\n {4}hls_ts_ctx off;\n {4}hls_low_latency on;\n}\n$/,
    );
    expect(await readdir(folder)).toEqual(['srs.vhost.conf']);
    for (const odd of ['/data/a"b', "/data/a'b", '/data/a\nb'])
      expect(() => createVhostConfig(path, odd)).toThrow(StartRefusal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
