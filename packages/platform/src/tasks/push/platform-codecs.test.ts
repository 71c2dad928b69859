import { expect, test } from 'vitest';
import { codecStepOf } from './platform-codecs.ts';

const twitch = 'rtmp://live.twitch.tv/app';
const other = 'rtmp://target.example/live';

test.each([
  ['no source', other, '', undefined, 'skipped'],
  ['H.264 where nothing else is announced', other, 'H264', [], 'passed'],
  ['HEVC to a target that announces nothing', other, 'HEVC', undefined, 'passed'],
  ['HEVC to a target that announces it', other, 'HEVC', ['avc1', 'hvc1'], 'passed'],
  ['HEVC to a target that announces everything', other, 'HEVC', ['*'], 'passed'],
  ['HEVC to a target that announces other codecs', other, 'HEVC', ['avc1', 'av01'], 'failed'],
  ['HEVC to a platform that accepts only H.264', twitch, 'HEVC', undefined, 'failed'],
  ['H.264 to a platform that accepts only H.264', twitch, 'H264', undefined, 'passed'],
] as const)('%s', (_name, address, codec, fourCcs, state) => {
  const step = codecStepOf(address, codec, fourCcs);
  expect(step.state).toBe(state);
  expect(step.reason).toBe(state === 'failed' ? 'codec-unsupported' : undefined);
});
