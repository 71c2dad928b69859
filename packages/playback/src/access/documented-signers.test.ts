// Checks that the sample programs of docs/how-to/sign-links.md make valid links, in every installed language.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WatchRights } from './watch-rights.ts';

const secret = 'Zm9v-_bar+baz $x';
const page = readFileSync(new URL('../../../../docs/how-to/sign-links.md', import.meta.url), 'utf8');
const rights = new WatchRights({
  rules: [{ pattern: '*', mode: 'signed', passwordVersion: '' }],
  keys: [{ id: 'k1', secret }],
  serverSecret: 's',
});

function codeOf(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/how-to/sign-links.md has no ${language}`);
  return code;
}

test.for([
  ['python', 'python3', ['-c']],
  ['js', process.execPath, ['--input-type=commonjs', '-e']],
  ['sh', 'sh', ['-c']],
  ['php', 'php', ['-r']],
] as const)('%s', ([language, program, flags], context) => {
  // Arguments before those of the sample: `sh -c` needs a program name; Node and PHP need `--`.
  const before = { sh: ['sh'], python: [], js: ['--', 'watch.js'], php: ['--'] }[language];
  const args = [...flags, codeOf(language), ...before, secret, 'k1', 'live/流', '60'];
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return context.skip();
  expect(stderr).toBe('');
  const judged = rights.judge({ app: 'live', stream: '流', ip: '', param: stdout.trim() }, Date.now());
  expect(judged).toMatchObject({ kind: 'granted' });
});
