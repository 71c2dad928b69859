// A real FFmpeg exceeds its limits; the reported reason must be correct.
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { expect, it, vi } from 'vitest';
import { failureOf } from './failure-reason.ts';
import { createLaunch, workerNiceness } from './launch.ts';

const mib = 1024 ** 2;
const encode = ['-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=1280x720', '-c:v', 'libx264', '-f', 'null', '-'];

it.each<[string, ProgramLimits]>([
  ['limit-memory', { memoryBytes: 56 * mib, fileBytes: 0 }],
  ['limit-cpu', { memoryBytes: 2_048 * mib, cpuSeconds: 1, fileBytes: 0 }],
])('a program that exceeds its %s is killed, with that reason', async (detail, limits) => {
  let words = '';
  const { exited } = createLaunch('test')({
    program: 'ffmpeg',
    args: encode,
    limits,
    onStdout: () => {},
    onStderr: (text) => {
      words += text;
    },
  });
  const failure = failureOf({ ...(await exited), lines: words.split(/[\r\n]+/) });
  expect(failure.reason).toBe('limit-reached');
  expect(failure.detail.text).toMatch(detail === 'limit-cpu' ? /processor time/ : /memory/);
});

it('a program gets the variables of its run and no secrets of the server', async () => {
  let words = '';
  const { exited } = createLaunch('me', { PATH: process.env.PATH, API_SECRET: 'secret', http_proxy: 'http://other' })({
    program: 'env',
    args: [],
    limits: { memoryBytes: 1_024 * mib, fileBytes: 0 },
    environment: { http_proxy: 'http://127.0.0.1:9' },
    onStdout: (text) => {
      words += text;
    },
    onStderr: () => {},
  });
  await exited;
  expect(words.split('\n').filter((line) => !line.startsWith('PATH='))).toEqual([
    'http_proxy=http://127.0.0.1:9',
    'SRS_STACK_WORKER=me',
    '',
  ]);
});

const groupFile = '/proc/self/autogroup';
const hasGroups = existsSync(groupFile) && /nice/.test(readFileSync(groupFile, 'utf8'));

it.skipIf(!hasGroups)(
  hasGroups ? 'yields to the servers, its session too' : 'yields to the servers (skipped: this kernel has no sessions)',
  async () => {
    const own = readFileSync(groupFile, 'utf8');
    const limits = { memoryBytes: 1_024 * mib, fileBytes: 0 };
    const idle = { program: 'sleep', args: ['60'], limits, onStdout: () => {}, onStderr: () => {} };
    const { pid, exited, signal } = createLaunch('test')(idle);
    const sessionOf = () => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim();
    await vi.waitFor(() => expect(sessionOf()).toMatch(new RegExp(`nice ${workerNiceness}$`)), { timeout: 20_000 });
    expect(getPriority(pid)).toBe(workerNiceness);
    expect(readFileSync(groupFile, 'utf8')).toBe(own);
    signal('SIGKILL');
    await exited;
  },
);
