import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type MediaServerDouble, startMediaServerDouble } from '../testing/media-server-double.ts';
import { fixedAddresses } from './media-server-address.ts';
import { ServerMember } from './server-member.ts';

let server: MediaServerDouble;
let member: ServerMember;
beforeEach(async () => {
  server = await startMediaServerDouble();
  member = new ServerMember((await fixedAddresses([{ host: '127.0.0.1', port: server.port }]).list())[0]!);
});
afterEach(async () => {
  member.api.close();
  await server.close();
});

const reloads = () => server.requests.filter((each) => each === 'GET /api/v1/raw?rpc=reload').length;
async function makeUnavailable(): Promise<void> {
  server.isAway = true;
  await member.api.listStreams().catch(() => undefined);
  server.requests.length = 0;
}

test('an available server is not polled, and is reloaded immediately or fails with the reason', async () => {
  member.pollUntilBack();
  expect(await member.reload()).toBe('done');
  server.reloadCode = 1061;
  expect(await member.reload()).toBeInstanceOf(Error);
  expect(server.requests.filter((each) => each.includes('streams'))).toEqual([]);
});

test('an unavailable server is reloaded once when it is back', async () => {
  await makeUnavailable();
  expect(await member.reload()).toBe('away');
  server.isAway = false;
  server.requests.length = 0;
  await vi.waitFor(() => {
    member.pollUntilBack();
    expect(reloads()).toBe(1);
  });
  await vi.waitFor(() => expect(member.api.isUnavailable).toBe(false));
  expect(member.streams.standIn()).toBeUndefined();
  for (let look = 0; look < 5; look++) member.pollUntilBack();
  await member.api.listStreams();
  expect(reloads()).toBe(1);
});

test('polls run one at a time', async () => {
  await makeUnavailable();
  for (let look = 0; look < 20; look++) member.pollUntilBack();
  await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(0));
  await member.api.identify();
  expect(server.requests.filter((each) => each.includes('streams'))).toHaveLength(1);
});
