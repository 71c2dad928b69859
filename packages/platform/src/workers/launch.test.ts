// A real FFmpeg that meets the limits it was started with, and what the operator is told of it.
import type { ProgramLimits } from '@srs-stack/programs';
import { expect, it } from 'vitest';
import { failureOf } from './failure-reason.ts';
import { createLaunch } from './launch.ts';

const mib = 1024 ** 2;
/** An endless picture that is encoded as fast as the machine can. */
const encode = ['-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=1280x720', '-c:v', 'libx264', '-f', 'null', '-'];

it.each<[string, ProgramLimits]>([
  ['limit-memory', { memoryBytes: 56 * mib, fileBytes: 0 }],
  ['limit-cpu', { memoryBytes: 2_048 * mib, cpuSeconds: 1, fileBytes: 0 }],
])('one that meets its %s is ended, and the reason says so', async (detail, limits) => {
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

it('gets the variables of its run and none of our secrets', async () => {
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
