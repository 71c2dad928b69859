// Named stream keys, tested through the calls: what a key authorizes, and what ends a session that uses a key.
import { createHash } from 'node:crypto';
import { defaultVhost } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const create = async (draft: object = {}) =>
  (await platform.call('createStreamKey', { name: 'Studio', pattern: 'live/studio*', ...draft })).body.data;
const list = async () => (await platform.call('queryStreamKeys')).body.data.keys;
const publish = async (stream: string, secret: string, client = stream) => {
  const facts = { vhost: defaultVhost, app: 'live', stream, client_id: client, server_id: 's', ip: '203.0.113.7' };
  const body = { action: 'on_publish', ...facts, param: `?secret=${secret}` };
  const response = await platform.call('verifyStream', body, { 'x-callback-secret': testCallbackSecret });
  return response.status === 200 ? 'publishes' : response.body.data.message;
};
const live = async () =>
  (await platform.call('queryStreams')).body.data.streams.map(({ stream }: { stream: string }) => stream);

it('a key authorizes its streams in addition to the publish secret, and its last use is reported', async () => {
  const key = await create();
  expect(key).toMatchObject({ name: 'Studio', pattern: 'live/studio*', expiresAt: null, lastUse: null });
  expect(await publish('studio-1', key.secret)).toBe('publishes');
  expect(await publish('other', key.secret)).toContain('this stream key is for other streams');
  const { publish: secret } = (await platform.call('queryPublishSecret')).body.data;
  expect(await publish('other', secret)).toBe('publishes');
  const [shown] = await list();
  expect(shown).toMatchObject({ secret: key.secret, lastUse: { app: 'live', stream: 'studio-1', ip: '203.0.113.7' } });
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
/** A publisher that proves the secret with a digest, as RTSP clients do (RFC 2069). The secret itself is not sent. */
const prove = async (stream: string, secret: string) => {
  const rest = `a-nonce:${md5(`ANNOUNCE:rtsp://host/live/${stream}`)}`;
  const digest = {
    user: 'encoder',
    realm: 'SRS Stack',
    rest,
    response: md5(`${md5(`encoder:SRS Stack:${secret}`)}:${rest}`),
  };
  const facts = { vhost: defaultVhost, app: 'live', stream, client_id: stream, server_id: 's', ip: '203.0.113.7' };
  const body = { action: 'on_publish', ...facts, param: '', digest };
  const response = await platform.call('verifyStream', body, { 'x-callback-secret': testCallbackSecret });
  return response.status === 200 ? 'publishes' : response.body.data.message;
};

it('Digest authenticates with a key or the publish secret; the rules of the key apply, and revoking it ends the publisher', async () => {
  const key = await create();
  expect(await prove('studio-1', key.secret)).toBe('publishes');
  expect(await prove('other', key.secret)).toContain('missing or wrong');
  expect(await prove('studio-2', `${key.secret}0`)).toContain('missing or wrong');
  expect(await prove('studio-2', '')).toContain('missing or wrong');
  const { publish: secret } = (await platform.call('queryPublishSecret')).body.data;
  expect(await prove('other', secret)).toBe('publishes');
  expect((await list())[0].lastUse).toMatchObject({ stream: 'studio-1' });

  platform.mediaServer.clients = ['studio-1', 'other'].map((id) => ({ id }));
  expect((await platform.call('revokeStreamKey', { id: key.id })).body.data).toEqual({ ended: 1 });
  expect(await live()).toEqual(['other']);
  expect(await prove('studio-1', key.secret)).toContain('missing or wrong');
});

it('Digest authenticates with the secret of a live room; the publish secret is not sufficient there', async () => {
  const { stream, secret: ofRoom } = (await platform.call('createRoom', { title: 'A room' })).body.data;
  const { publish: secret } = (await platform.call('queryPublishSecret')).body.data;
  expect(await prove(stream, secret)).toContain('live room');
  expect(await prove(stream, ofRoom)).toBe('publishes');
});

it('wrong, truncated and invented keys are refused like a wrong secret', async () => {
  const { secret } = await create({ pattern: '*' });
  for (const wrong of [
    '',
    'x',
    secret.slice(0, -1),
    `${secret}0`,
    secret.toUpperCase(),
    'sk-00000000-'.padEnd(44, '0'),
  ])
    expect(await publish('studio', wrong), wrong).toBe('the publish secret is missing or wrong');
  const again = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
  expect(await publish('studio', again)).toBe('the publish secret is missing or wrong');
});

it('revoking a key ends only publishers that use it', async () => {
  const [one, other] = [await create(), await create({ name: 'Other', pattern: '*' })];
  await publish('studio-1', one.secret);
  await publish('studio-2', one.secret);
  await publish('elsewhere', other.secret);
  platform.mediaServer.clients = ['studio-1', 'studio-2', 'elsewhere'].map((id) => ({ id }));
  expect((await platform.call('revokeStreamKey', { id: one.id })).body.data).toEqual({ ended: 2 });
  expect(await live()).toEqual(['elsewhere']);
  const ended = platform.mediaServer.requests.filter((each) => each.startsWith('DELETE'));
  expect(ended.toSorted()).toEqual(['DELETE /api/v1/clients/studio-1', 'DELETE /api/v1/clients/studio-2']);
  expect(await publish('studio-1', one.secret)).toContain('missing or wrong');
  expect((await platform.call('revokeStreamKey', { id: one.id })).status).toBe(404);
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Other']);
});

it('an expired key ends its session and starts none', async () => {
  const expiresAt = new Date(platform.clock.nowMs + 60_000).toISOString();
  const key = await create({ expiresAt });
  await publish('studio', key.secret);
  await platform.modules.streams.streamKeys.endExpired();
  expect(await live()).toEqual(['studio']);
  platform.clock.nowMs += 60_000;
  await platform.modules.streams.streamKeys.endExpired();
  expect(await live()).toEqual([]);
  expect(await publish('studio', key.secret)).toContain('this stream key has expired');
});

it.each([
  { name: ' ' },
  { name: 'x'.repeat(200) },
  { pattern: 'no slash' },
  { expiresAt: 'tomorrow' },
  { expiresAt: '2020-01-01T00:00:00Z' },
])('%j is refused', async (draft) => {
  const response = await platform.call('createStreamKey', { name: 'n', pattern: 'live/x', ...draft });
  expect(response.body.data.name).toBe('invalidRequest');
  expect(await list()).toEqual([]);
});
