// A live room as its users see it: FFmpeg as encoder over RTMP and SRT, a guest in Chromium with a fake camera.
// The control plane is killed during a broadcast.
import { endpoints } from '@srs-stack/contract';
import type { LiveRoom } from '@srs-stack/contract/models/live-room.ts';
import { guestPage } from '@srs-stack/contract/values/live-rooms.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { type FfmpegRun, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { keepSecret } from './support/secrets.ts';
import { until } from './support/until.ts';

const source = { video: {}, audio: {} };
let product: Product;
let admin: Admin;
let browser: Browser;
let guest: Page;
const errors: string[] = [];

const createRoom = async (title: string) => {
  const room = await admin.call(endpoints.createRoom, { title });
  keepSecret(room.secret);
  return room;
};
const invite = async ({ uuid }: LiveRoom, name: string) => {
  const invitation = await admin.call(endpoints.createRoomInvitation, { uuid, name });
  keepSecret(invitation.value);
  return invitation;
};
const open = (value: string) => guest.goto(`${product.url}${guestPage}?lang=en#${value}`);
const stateOf = async ({ uuid }: LiveRoom) => {
  const { rooms } = await admin.call(endpoints.queryRoomStates, {});
  return rooms.find(({ room }) => room.uuid === uuid);
};
const publisherOf = (room: LiveRoom) =>
  until('the room is on the air', async () => (await stateOf(room))?.publisher ?? undefined);
const isSilent = (room: LiveRoom) =>
  until('nobody publishes the room', async () => (await stateOf(room))?.publisher === null);
const flvUrl = ({ stream }: LiveRoom) => `${product.url}/live/${stream}.flv`;
const refusedDetails = async ({ stream }: LiveRoom) =>
  (await admin.call(endpoints.queryLive, { stream })).refusals.map(({ detail }) => detail);

beforeAll(async () => {
  product = await startProduct(await portsToReturnTo());
  admin = await setUp(product, 'a long first password');
  browser = await launchChromium();
  ({ page: guest } = await openPage(browser, 'en-US'));
  guest.on('pageerror', (error) => errors.push(error.message));
});
afterEach(async () => {
  await stopAllFfmpeg();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
});

describe.each(['RTMP', 'SRT'])('an encoder over %s', (protocol) => {
  const publish = (room: LiveRoom, query: string): FfmpegRun =>
    publishTestSource(
      protocol === 'RTMP' ? product.rtmpUrl(`${room.stream}?${query}`) : product.srtUrl(`live/${room.stream}`, query),
      source,
    );

  test('publishes with the secret of the room until the room is removed', async () => {
    const room = await createRoom(`Room over ${protocol}`);
    const encoder = publish(room, `secret=${room.secret}`);
    expect(await publisherOf(room)).toMatchObject({ protocol: protocol.toLowerCase(), guest: null });
    await until('the stream plays', async () => (await fetch(flvUrl(room), { method: 'HEAD' })).ok);
    await admin.call(endpoints.removeRoom, { uuid: room.uuid });
    await encoder.exited;
    expect(await publish(room, `secret=${room.secret}`).exited).not.toBe(0);
  });

  test("is refused with the server's publish secret and with a general stream key, with the reason", async () => {
    const room = await createRoom(`Closed to ${protocol}`);
    const key = await admin.call(endpoints.createStreamKey, { name: 'All', pattern: '*' });
    keepSecret(key.secret);
    for (const query of [admin.publishQuery, `secret=${key.secret}`])
      expect(await publish(room, query).exited).not.toBe(0);
    const details = await until('both refusals are listed', async () => {
      const listed = await refusedDetails(room);
      return listed.length >= 2 ? listed : undefined;
    });
    for (const detail of details) expect(detail).toContain('this is the stream of a live room');
  });
});

describe('a guest with an invitation', () => {
  test("sees the preview, goes live, mutes, stops; the host sees the guest's name", async () => {
    const room = await createRoom('Friday interview');
    const { value } = await invite(room, 'Ada');
    await open(value);
    await guest.getByRole('heading', { name: 'Friday interview' }).waitFor();
    await guest.getByRole('button', { name: 'Preview' }).click();
    await movingTestVideo(guest);
    await guest.getByRole('button', { name: 'Go live' }).click();
    await guest.getByText('You are on the air.', { exact: true }).waitFor();
    expect(await publisherOf(room)).toMatchObject({ protocol: 'rtc', guest: 'Ada' });
    await until('the stream plays', async () => (await fetch(flvUrl(room), { method: 'HEAD' })).ok);
    await guest.getByRole('button', { name: 'Mute microphone' }).click();
    await guest.getByText('You are on the air, and your microphone is muted.').waitFor();
    await guest.getByRole('button', { name: 'Turn camera off' }).click();
    await guest.getByText(/viewers cannot see or hear you/).waitFor();
    await guest.getByRole('button', { name: 'Stop' }).click();
    await isSilent(room);
  });

  test('is disconnected when the invitation is revoked, with the remedy', async () => {
    const room = await createRoom('Revoked');
    const { id, value } = await invite(room, 'Eve');
    await open(value);
    await guest.getByRole('button', { name: 'Go live' }).click();
    await publisherOf(room);
    await admin.call(endpoints.revokeRoomInvitation, { uuid: room.uuid, id });
    await guest.getByText('This invitation is not valid').waitFor();
    await isSilent(room);
    expect(await guest.getByRole('button', { name: 'Go live' }).isDisabled()).toBe(true);
  });

  test('sees that the invitation has expired', async () => {
    const room = await createRoom('Over');
    /** A tenth of a second, in hours. */
    const hours = 0.1 / 3_600;
    const { value } = await admin.call(endpoints.createRoomInvitation, { uuid: room.uuid, hours });
    const ask = () => admin.call(endpoints.queryInvitation, { invitation: value });
    await until('the invitation expires', async () => (await ask()).state === 'expired');
    await open(value);
    await guest.getByText('This invitation has expired').waitFor();
  });

  test('sees that the room is not open yet, and can use the preview', async () => {
    const startsAt = new Date(Date.now() + 3_600_000).toISOString();
    const room = await admin.call(endpoints.createRoom, { title: 'Tomorrow', startsAt });
    const { value } = await invite(room, 'Ada');
    await open(value);
    await guest.getByText('The room is not open yet').waitFor();
    expect(await guest.getByRole('button', { name: 'Go live' }).isDisabled()).toBe(true);
    await guest.getByRole('button', { name: 'Preview' }).click();
    await movingTestVideo(guest);
  });

  test('with a truncated link sees that it is invalid', async () => {
    await open('inv-0123');
    await guest.getByText('The link is incomplete').waitFor();
  });
});

test('when the control plane is killed during a broadcast, the room stays and its rules apply again', async () => {
  const room = await createRoom('Kept');
  const { value } = await invite(room, 'Ada');
  const encoder = publishTestSource(product.rtmpUrl(`${room.stream}?secret=${room.secret}`), source);
  const before = await publisherOf(room);
  await product.kill('platform');
  await answersAgain(product);
  const after = await publisherOf(room);
  expect(after.uptimeMs).toBeGreaterThan(before.uptimeMs);
  await encoder.stop();
  await isSilent(room);
  const refused = publishTestSource(product.rtmpUrl(`${room.stream}?${admin.publishQuery}`), source);
  expect(await refused.exited).not.toBe(0);
  await open(value);
  await guest.getByRole('button', { name: 'Go live' }).click();
  expect(await publisherOf(room)).toMatchObject({ guest: 'Ada' });
});
