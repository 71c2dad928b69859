// The README of every package lists its entry, modules and rules. The test runs the examples, and finds modules that are new or have moved.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const packages = join(checkout, 'packages');
const readmeOf = (name: string) => readFileSync(join(packages, name, 'README.md'), 'utf8');

test.each(readdirSync(packages))('the README of %s lists all its modules, and only existing ones', (name) => {
  const text = readmeOf(name);
  const modules = readdirSync(join(packages, name, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map((entry) => entry.name);
  expect(modules.filter((module) => !text.includes(`src/${module}/`))).toEqual([]);
  const named = [...text.matchAll(/(?<![\w/])src\/[\w./-]*\w/g)].map(([path]) => path);
  expect(named.filter((path) => !existsSync(join(packages, name, path)))).toEqual([]);
});

// The examples of rtc and srt need a peer, so they are not run. scripts/pack-srt.test.ts compiles the example of srt.
test.each([
  ['process', ["{ host: '127.0.0.1', port: 1935 }", '0', 'undefined']],
  ['playback', ["'granted'", "'refused'"]],
  ['media', ['video h264', 'audio aac']],
])('the example in the README of %s prints the documented output', (name, expected) => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readmeOf(name)) ?? [];
  const clip = join(packages, 'media/src/containers/flv/fixtures/h264-aac.flv');
  const program = example
    .replace("'clip.flv'", JSON.stringify(clip))
    .replaceAll(/^(\w.*); \/\/ .*$/gm, 'console.dir($1);');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: checkout,
    input: program,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  for (const text of expected) expect(stdout).toContain(text);
});
