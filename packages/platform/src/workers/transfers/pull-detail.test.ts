import { pullFaults } from '@srs-stack/contract/values/pulls.ts';
import { expect, test } from 'vitest';
import type { TransferRow } from './engine-transfers.ts';
import { pullDetail } from './pull-detail.ts';

const row = (change: Partial<TransferRow>): TransferRow => ({
  ...{ id: 'a', stream: 'live/door', state: 'retrying', reason: 'failed', detail: '', retryInMs: 0, reconnects: 0 },
  ...{ sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0, queuedBytes: 0, queuedMs: 0, isPull: true },
  ...change,
});

test.each(pullFaults.filter((fault) => fault !== 'none'))('the fault %s has a text of its own', (fault) => {
  const { key, text } = pullDetail(row({ fault, subject: 'JPEG', detail: 'text of the gateway' }));
  expect(key).toBe(`camera-${fault}`);
  expect(text).not.toMatch(/[{}]|text of the gateway/);
});

test('the codecs of the camera are named', () => {
  expect(pullDetail(row({ fault: 'video-unsupported', subject: 'JPEG' })).text).toContain('JPEG video');
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate', 'camera-certificate-untrusted'],
  ['CERT_HAS_EXPIRED: certificate has expired', 'camera-certificate-expired'],
  ['ERR_SSL_OTHER: unusual', 'verbatim'],
])('the reason of a certificate fault: %s', (detail, key) => {
  expect(pullDetail(row({ reason: 'tls-failed', detail })).key).toBe(key);
});

test.each([
  ['timeout', 'source-silent'],
  ['stalled', 'source-stalled'],
  ['connection-closed', 'source-closed'],
] as const)('the reason of %s without a detail', (reason, key) => {
  expect(pullDetail(row({ reason })).key).toBe(key);
});

test('the text of a camera is unchanged', () => {
  expect(pullDetail(row({ detail: 'PLAY: 455 Method Not Valid in This State' })).text).toBe(
    'PLAY: 455 Method Not Valid in This State',
  );
});
