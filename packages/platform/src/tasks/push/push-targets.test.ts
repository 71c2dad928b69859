import { workerDetails } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { pushSchemes } from '../../network/address-rule.ts';
import { refusedHost } from './push-targets.ts';

test.each([
  ['rtmp://h/li ve', 'address.spaces', {}],
  ['http://h/live', 'address.scheme', { schemes: 'rtmp://, rtmps://, srt://' }],
  ['rtmp://169.254.169.254/live', 'address.never-contacted', { host: '169.254.169.254' }],
  ['srt://h:9?mode=listener', 'address.srt-listens', {}],
  ['rtmp://2852039166/live', 'host-forbidden', { host: '2852039166' }],
  ['rtmp://no-such-host.invalid/live', 'host-unknown', { host: 'no-such-host.invalid' }],
] as const)('the refusal of %s for a worker has its message key', async (address, key, values) => {
  const refused = await refusedHost(address, pushSchemes);
  const words = workerDetails[key].replace(
    /\{(\w+)\}/g,
    (_, name: string) => Object.entries(values).find(([each]) => each === name)![1],
  );
  expect(refused).toMatchObject({ kind: 'fail', detail: { of: 'worker', key, values, text: words } });
});
