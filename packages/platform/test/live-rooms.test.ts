// Live rooms through the calls of older and current consoles: who may publish to a room, and what ends a room.
import { defaultVhost, maxRooms } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const prefix = '/terraform/v1/live/room';
/** A call in the form of older consoles, whose credential is the session token or the API secret. */
const older = async (path: string, body: object = {}) => (await platform.callPath(`${prefix}/${path}`, body)).body.data;
const create = async (title = 'Talk') => older('create', { title });
const publish = async (stream: string, secret: string, client = stream) => {
  const facts = { vhost: defaultVhost, app: 'live', stream, client_id: client, server_id: 's', ip: '203.0.113.7' };
  const body = { action: 'on_publish', ...facts, param: `?secret=${secret}` };
  const response = await platform.call('verifyStream', body, { 'x-callback-secret': testCallbackSecret });
  return response.status === 200 ? 'publishes' : response.body.data.message;
};
const live = async () =>
  (await platform.call('queryStreams')).body.data.streams.map(({ stream }: { stream: string }) => stream);
const goLive = async (stream: string, secret: string) => {
  expect(await publish(stream, secret)).toBe('publishes');
  platform.mediaServer.clients = [...platform.mediaServer.clients, { id: stream }];
};
const invite = async (uuid: string, draft: object = {}) =>
  (await platform.call('createRoomInvitation', { uuid, name: 'Ada', ...draft })).body.data;
const invitation = async (value: string) =>
  (await platform.callPath(`${prefix}/invitation/query`, { invitation: value }, {})).body.data;

describe('calls of an older console', () => {
  it('creates, queries, lists, updates and removes a room', async () => {
    const room = await create();
    expect(room).toMatchObject({ title: 'Talk', assistant: true, aiPostEnabled: false, aiChatMaxWindow: 0 });
    expect(room.stream).toMatch(/^[0-9a-f]{12}$/);
    expect(room.secret).toMatch(/^[0-9A-F]{16}$/);
    expect(await older('query', { uuid: room.uuid })).toEqual(room);
    expect(await older('list')).toEqual({ rooms: [room] });
    const changed = { ...room, title: 'Other talk', aiName: 'Robot', assistant: false };
    expect(await older('update', { ...changed, unknownKey: 1 })).toEqual(changed);
    expect(await older('query', { uuid: room.uuid })).toEqual(changed);
    expect(await older('remove', { uuid: room.uuid })).toBeNull();
    expect(await older('list')).toEqual({ rooms: [] });
  });

  it.each(['query', 'update', 'remove'])('%s of an unknown room fails', async (call) => {
    const response = await platform.callPath(`${prefix}/${call}`, { uuid: 'nobody' });
    expect(response).toMatchObject({ status: 404, body: { data: { name: 'notFound' } } });
  });

  it.each(['create', 'query', 'update', 'remove', 'list', 'states', 'invitation/create', 'invitation/revoke'])(
    '%s needs a credential',
    async (call) => {
      expect((await platform.callPath(`${prefix}/${call}`, { uuid: 'x', id: 'x' }, {})).status).toBe(401);
    },
  );
});

describe('the stream of a room', () => {
  it('accepts its own secret, but neither the publish secret nor a general stream key', async () => {
    const room = await create();
    const { publish: secret } = (await platform.call('queryPublishSecret')).body.data;
    const key = (await platform.call('createStreamKey', { name: 'All', pattern: '*' })).body.data;
    for (const wrong of [secret, key.secret, ''])
      expect(await publish(room.stream, wrong)).toContain('this is the stream of a live room');
    expect(await publish('livestream', room.secret)).toContain('missing or wrong');
    expect(await publish(room.stream, room.secret)).toBe('publishes');
  });

  it('stays closed while publishing needs no secret', async () => {
    const room = await create();
    await platform.call('disablePublishSecret', { pubNoAuth: true });
    expect(await publish('livestream', '')).toBe('publishes');
    expect(await publish(room.stream, '')).toContain('this is the stream of a live room');
  });

  it('keeps its rule over a restart', async () => {
    const room = await create();
    platform = await platform.reopen();
    expect(await publish(room.stream, 'wrong')).toContain('this is the stream of a live room');
    expect(await publish(room.stream, room.secret)).toBe('publishes');
  });

  it('loses its publisher when the room is removed, and no other stream does', async () => {
    const [room, other] = [await create(), await create('Other')];
    await goLive(room.stream, room.secret);
    await goLive(other.stream, other.secret);
    await older('remove', { uuid: room.uuid });
    expect(await live()).toEqual([other.stream]);
    expect(platform.mediaServer.requests).toContain(`DELETE /api/v1/clients/${room.stream}`);
    expect(await publish(room.stream, room.secret)).toContain('missing or wrong');
  });

  it('loses its publisher when the secret changes, not when the title does', async () => {
    const room = await create();
    await goLive(room.stream, room.secret);
    await older('update', { ...room, title: 'Renamed' });
    expect(await live()).toEqual([room.stream]);
    await older('update', { ...room, secret: 'A-NEW-SECRET' });
    expect(await live()).toEqual([]);
    expect(await publish(room.stream, room.secret)).toContain('this is the stream of a live room');
    expect(await publish(room.stream, 'A-NEW-SECRET')).toBe('publishes');
  });

  it.each([{ secret: '' }, { stream: '../x' }, { stream: '' }])('%j is refused', async (change) => {
    const room = await create();
    const response = await platform.callPath(`${prefix}/update`, { ...room, ...change });
    expect(response.body.data.name).toBe('invalidRequest');
    expect(await older('query', { uuid: room.uuid })).toEqual(room);
  });

  it('belongs to one room, and the number of rooms is limited', async () => {
    const [room, other] = [await create(), await create('Other')];
    const taken = await platform.callPath(`${prefix}/update`, { ...room, stream: other.stream });
    expect(taken.body.data.reason.key).toBe('room.stream-taken');
    for (let count = 2; count < maxRooms; count++) await create(String(count));
    const full = await platform.callPath(`${prefix}/create`, { title: 'One more' });
    expect(full.body.data.reason.key).toBe('room.full');
  });
});

describe('an invitation', () => {
  it('admits a guest to the room until it is revoked, which disconnects the guest', async () => {
    const room = await create();
    const [ada, eve] = [await invite(room.uuid), await invite(room.uuid, { name: 'Eve' })];
    expect(await invitation(ada.value)).toMatchObject({ state: 'open', title: 'Talk', stream: room.stream });
    await goLive(room.stream, ada.value);
    await platform.call('revokeRoomInvitation', { uuid: room.uuid, id: eve.id });
    expect(await live()).toEqual([room.stream]);
    await platform.call('revokeRoomInvitation', { uuid: room.uuid, id: ada.id });
    expect(await live()).toEqual([]);
    expect(await publish(room.stream, ada.value)).toContain('this invitation was revoked');
    expect(await invitation(ada.value)).toEqual({
      ...{ state: 'closed', title: '', app: '', stream: '', startsAt: null, expiresAt: null },
    });
  });

  it('expires; a guest who is live is not interrupted', async () => {
    const room = await create();
    const { value } = await invite(room.uuid, { hours: 1 });
    await goLive(room.stream, value);
    platform.clock.nowMs += 3_600_000;
    await invite(room.uuid);
    expect(await live()).toEqual([room.stream]);
    expect(await publish(room.stream, value)).toContain('this invitation has expired');
    expect((await invitation(value)).state).toBe('expired');
  });

  it('is valid from the start of the room until a new secret', async () => {
    const startsAt = new Date(platform.clock.nowMs + 60_000).toISOString();
    const room = (await platform.call('createRoom', { title: 'Later', startsAt })).body.data;
    const { value } = await invite(room.uuid);
    expect(await invitation(value)).toMatchObject({ state: 'not-begun', startsAt });
    expect(await publish(room.stream, value)).toContain('has not started yet');
    platform.clock.nowMs += 60_000;
    expect((await invitation(value)).state).toBe('open');
    await older('update', { ...room, secret: 'A-NEW-SECRET' });
    expect((await invitation(value)).state).toBe('closed');
  });

  it.each(['', 'x', 'inv-', `inv-${'0'.repeat(32)}-${'0'.repeat(16)}-${'0'.repeat(32)}`])(
    'invented as %j opens nothing',
    async (value) => {
      await create();
      expect((await invitation(value)).state).toBe('closed');
    },
  );
});

it('the audit trail contains the changes and no secret', async () => {
  const room = await create();
  const { id, value } = await invite(room.uuid);
  await platform.call('revokeRoomInvitation', { uuid: room.uuid, id });
  await older('remove', { uuid: room.uuid });
  const { entries } = (await platform.call('queryAudit')).body.data;
  const text = JSON.stringify(entries);
  for (const word of ['live room Talk created', 'invitation for Ada created', 'for Ada revoked', 'Talk removed'])
    expect(text).toContain(word);
  for (const secret of [room.secret, value, id]) expect(text).not.toContain(secret);
});
