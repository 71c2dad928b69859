import { expect, test } from 'vitest';
import { emptyForward, validateForward } from './validate-forward.ts';

const good = { ...emptyForward('wx', 'rtmp://a/live/', false), secret: 'key' };

test.each([
  ['a valid target', {}, undefined],
  ['an empty key is valid', { secret: '' }, undefined],
  ['no server', { server: '' }, 'server'],
  ['blank server', { server: '  ' }, 'server'],
  ['custom without a name', { custom: true }, 'label'],
  ['custom with a blank name', { custom: true, label: ' ' }, 'label'],
  ['custom with a name', { custom: true, label: 'Church' }, undefined],
  ['a missing server before a missing name', { server: '', custom: true }, 'server'],
  ['a source stream', { stream: 'livestream' }, undefined],
  ['an invalid source stream', { stream: 'a/b?c' }, 'stream'],
  ['a delay', { delaySeconds: 60 }, undefined],
  ['a missing delay, as older servers send', { delaySeconds: undefined }, undefined],
  ['too long a delay', { delaySeconds: 61 }, 'delay'],
  ['a bitrate', { encodeKbps: 3_000 }, undefined],
  ['too low a bitrate', { encodeKbps: 100 }, 'encode'],
  ['a bitrate that is not a number', { encodeKbps: Number.NaN }, 'encode'],
  ['a bitrate and a delay', { encodeKbps: 3_000, delaySeconds: 5 }, 'encodeDelay'],
  ['a delay that is not a number', { delaySeconds: Number.NaN }, 'delay'],
  ['a missing name before the stream', { custom: true, stream: 'a/b' }, 'label'],
] as const)('%s', (_name, change, problem) => {
  expect(validateForward({ ...good, ...change })).toBe(problem);
});
