import { spawnSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { limitReached } from './limit-reached.ts';
import { areLimitsApplied, limitedCommand } from './limited-command.ts';
import type { ProgramLimits } from './program-limits.ts';

const limits: ProgramLimits = { memoryBytes: 64 * 1024 ** 2, cpuSeconds: 1, fileBytes: 4_096 };

afterEach(() => vi.unstubAllEnvs());

function shell(script: string, may = limits) {
  const { program, args } = limitedCommand('sh', ['-c', script, 'sh', 'a b', '$HOME'], may);
  const { stdout, stderr, status, signal } = spawnSync(program, args, { encoding: 'utf8' });
  return { stdout, stderr, status, signal };
}

it('runs a program with exactly these limits and its own arguments', () => {
  expect(areLimitsApplied()).toBe(true);
  expect(shell('ulimit -d; ulimit -t; ulimit -f; ulimit -c; echo "$@"').stdout).toBe('65536\n1\n8\n0\na b $HOME\n');
  expect(shell('ulimit -t', { memoryBytes: 1e9, fileBytes: 0 }).stdout).toBe('unlimited\n');
});

it('determines from the exit which limit was exceeded', () => {
  const written = shell(`exec dd if=/dev/zero of=$(mktemp) bs=8192 count=2`);
  expect(limitReached(written.signal, written.stderr.split('\n'))).toBe('file');
  const grown = spawnLimited(['-e', 'Buffer.alloc(1e9)'], { memoryBytes: 1e9, fileBytes: 0 });
  expect(grown).not.toBe(0);
  expect(limitReached('SIGTERM', ['Conversion failed!'])).toBeUndefined();
});

function spawnLimited(args: readonly string[], may: ProgramLimits): number | null {
  const command = limitedCommand(process.execPath, args, may);
  return spawnSync(command.program, command.args, { stdio: 'ignore' }).status;
}

it('the kernel ends a program that exceeds its CPU time', () => {
  const busy = shell('while :; do :; done');
  expect(limitReached(busy.signal, [])).toBe('cpu');
});

it('a program that is not installed fails as it does without limits', () => {
  const { program, args } = limitedCommand('no-such-program', ['-v'], limits);
  expect(spawnSync(program, args).error).toMatchObject({ code: 'ENOENT' });
});

it('without prlimit the program runs without limits, and areLimitsApplied returns false', () => {
  vi.stubEnv('PATH', '/nowhere');
  expect(areLimitsApplied()).toBe(false);
  expect(limitedCommand('/bin/sh', ['-c', ':'], limits)).toEqual({ program: '/bin/sh', args: ['-c', ':'] });
});
