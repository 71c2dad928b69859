// Health, readiness and draining: responses, refusals while draining, and what survives a restart.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { notReadyReason } from '../src/not-ready.ts';
import { srsStream } from '../src/testing/media-server-double.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const page = async (url: string) => {
  const { statusCode, body, headers } = await platform.app.inject({ method: 'GET', url });
  return { status: statusCode, body: JSON.parse(body), cache: headers['cache-control'] };
};
const publish = async (secret = platform.modules.streams.publishSecret.current().publish) => {
  const event = { action: 'on_publish', app: 'live', stream: 'a', client_id: 'c', param: `?secret=${secret}` };
  const headers = { 'x-callback-secret': testCallbackSecret };
  return (await platform.callPath(endpoints.verifyStream.path, event, headers)).body;
};
const fileOf = ({ dataDir }: TestPlatform) => join(dataDir, 'run', 'draining.json');

it('the server is healthy immediately, and ready once it has started', async () => {
  expect(await page('/healthz')).toEqual({ status: 200, body: { status: 'ok' }, cache: 'no-store' });
  expect(await page('/readyz')).toMatchObject({ status: 503, body: { status: 'not-ready', reason: 'starting' } });
  platform.start();
  expect(await page('/readyz')).toEqual({ status: 200, body: { status: 'ready' }, cache: 'no-store' });
});

it('while draining, refuses valid publishers and reports connected clients; afterwards it admits them again', async () => {
  platform.start();
  platform.mediaServer.streams = [srsStream('a', 'c', { clients: 3 })];
  expect((await platform.call('queryDrain')).body.data).toMatchObject({ draining: false, since: '' });
  const { status, body } = await platform.call('updateDrain', { draining: true });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ draining: true, since: '2026-01-02T03:04:05.000Z', tasksRunning: 0 });
  expect(body.data.connected).toEqual({ publishers: 1, viewers: 2 });
  expect(await page('/readyz')).toMatchObject({ status: 503, body: { reason: 'draining' } });
  expect(await page('/healthz')).toMatchObject({ status: 200 });
  expect(await publish()).toMatchObject({ code: 4025, data: { name: 'serverDraining' } });
  expect(await publish('wrong')).toMatchObject({ data: { name: 'publishSecretWrong' } });
  await vi.waitFor(
    async () =>
      expect(await platform.modules.monitor.snapshot()).toMatchObject({ drainingSince: '2026-01-02T03:04:05.000Z' }),
    5_000,
  );
  platform.clock.nowMs += 60_000;
  expect((await platform.call('updateDrain', { draining: true })).body.data.since).toBe('2026-01-02T03:04:05.000Z');
  expect((await platform.call('updateDrain', { draining: false })).body.data).toMatchObject({ draining: false });
  expect(await page('/readyz')).toMatchObject({ status: 200 });
  expect(await publish()).toMatchObject({ code: 0 });
  const details = (await platform.call('queryAudit')).body.data.entries.map(({ detail }: { detail: string }) => detail);
  expect(details.filter((detail: string) => detail.startsWith('draining'))).toEqual(['draining off', 'draining on']);
});

it('draining survives the end of the control plane; an invalid file refuses no publisher', async () => {
  await platform.call('updateDrain', { draining: true });
  expect(JSON.parse(await readFile(fileOf(platform), 'utf8'))).toEqual({ since: '2026-01-02T03:04:05.000Z' });
  platform = await platform.reopen();
  platform.start();
  expect(await page('/readyz')).toMatchObject({ status: 503, body: { reason: 'draining' } });
  await writeFile(fileOf(platform), '{"since":1}');
  platform = await platform.reopen();
  platform.start();
  expect(await page('/readyz')).toMatchObject({ status: 200 });
});

it('reports the number of connected clients only when the media server responds', async () => {
  await platform.mediaServer.close();
  expect((await platform.call('updateDrain', { draining: true })).body.data).toMatchObject({
    draining: true,
    connected: null,
  });
});

it('readiness reports the first reason that applies', () => {
  const ready = {
    isStopping: false,
    isStarted: true,
    isDraining: false,
    isStoreAwayTooLong: false,
    isMediaServerAway: false,
  };
  expect(notReadyReason(ready)).toBeUndefined();
  expect(notReadyReason({ ...ready, isMediaServerAway: true })).toBe('mediaServerAway');
  expect(notReadyReason({ ...ready, isMediaServerAway: true, isStoreAwayTooLong: true })).toBe('storeAway');
  expect(notReadyReason({ ...ready, isStarted: false, isDraining: true })).toBe('starting');
  expect(notReadyReason({ ...ready, isStopping: true, isStarted: false })).toBe('stopping');
});
