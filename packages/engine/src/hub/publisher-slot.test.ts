import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, it, test } from 'vitest';
import { publisherSession } from '../testing/recorders.ts';
import { Publication } from './publication.ts';
import { PublisherSlot } from './publisher-slot.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason } from './stream-reader.ts';

const limits = { takeoverSilenceMs: 3_000, firstPacketTimeoutMs: 20_000, publisherTimeoutMs: 30_000 };
const sentAtMs = 1_000;

let slot: PublisherSlot;
beforeEach(() => {
  slot = new PublisherSlot(limits);
});

function take({ isCopy = false, hasMedia = true, isUnread = false } = {}): Publication {
  const publication = new Publication({
    session: publisherSession({ type: isCopy ? 'copy-publish' : 'fmle-publish' }),
    stream: { stats: { hasMedia } } as Stream,
    owner: { close: () => undefined, readNow: () => isUnread },
    clock: () => sentAtMs,
    onEnd: () => undefined,
  });
  slot.take(publication);
  return publication;
}
function decided(waiting: readonly Promise<void>[]): Promise<boolean[]> {
  return Promise.all(waiting.map((each) => Promise.race([each.then(() => true), nextTurn(false)])));
}

test('is free until a publisher takes it, and a copied stream does not block a publisher', async () => {
  expect([slot.publication, slot.own, slot.isSending(sentAtMs)]).toEqual([undefined, undefined, false]);
  const copy = take({ isCopy: true });
  expect([slot.publication, slot.own, slot.isSending(sentAtMs)]).toEqual([copy, undefined, false]);
  expect(await decided([slot.whenDecided(sentAtMs + 1_000)])).toEqual([true]);
});

it.each([
  [499, true, true],
  [500, false, true],
  [2_999, false, true],
  [3_000, true, false],
])('after %s ms of silence the result is known: %s, the publisher sends: %s', async (silentMs, isDecided, isHeld) => {
  take();
  const now = sentAtMs + silentMs;
  expect([await decided([slot.whenDecided(now)]), slot.isSending(now)]).toEqual([[isDecided], isHeld]);
});

test('waiting callers get one result: when the publisher sends again, leaves, or was silent for too long', async () => {
  const publication = take();
  const waiting = [slot.whenDecided(sentAtMs + 600), slot.whenDecided(sentAtMs + 700)];
  slot.releaseWaiting(sentAtMs + 2_999);
  expect(await decided(waiting)).toEqual([false, false]);
  publication.lastPacketAtMs = sentAtMs + 2_999;
  slot.releaseWaiting(sentAtMs + 3_000);
  expect(await decided(waiting)).toEqual([true, true]);

  const later = slot.whenDecided(sentAtMs + 4_000);
  slot.leave('error', sentAtMs + 4_100);
  slot.releaseWaiting(sentAtMs + 4_100);
  expect(await decided([later])).toEqual([true]);

  take();
  const last = slot.whenDecided(sentAtMs + 600);
  slot.releaseWaiting(sentAtMs + 3_000);
  expect(await decided([last])).toEqual([true]);
});

test('unread data of a publisher is processed before another one is refused', async () => {
  take({ isUnread: true });
  const leaves = slot.whenDecided(sentAtMs);
  expect(await decided([leaves])).toEqual([false]);
  slot.leave('unpublished', sentAtMs + 20);
  slot.releaseWaiting(sentAtMs + 20);
  expect(await decided([leaves])).toEqual([true]);

  take({ isUnread: true });
  const stays = slot.whenDecided(sentAtMs);
  // After a stall of the event loop, the first tick runs before the read of the pending data.
  slot.tick(sentAtMs + 400);
  expect(await decided([stays])).toEqual([false]);
  slot.tick(sentAtMs + 410);
  expect(await decided([stays])).toEqual([true]);
});

it.each([
  ['before its first packet', false, 20_000],
  ['after its first packet', true, 30_000],
])('the silence of a publisher is limited %s', (_name, hasMedia, limitMs) => {
  expect(slot.reachedLimitMs(1e9)).toBeUndefined();
  take({ hasMedia });
  expect(slot.reachedLimitMs(sentAtMs + limitMs - 1)).toBeUndefined();
  expect(slot.reachedLimitMs(sentAtMs + limitMs)).toBe(limitMs);
});

it.each<[StreamEndReason, number]>([
  ['unpublished', 10_000],
  ['kicked', 10_000],
  ['error', 30_000],
  ['timeout', 30_000],
])('after %s readers wait %s ms, and get the reason once', (reason, graceMs) => {
  take();
  slot.leave(reason, 5_000);
  expect([slot.publication, slot.takeEndOfGrace(5_000 + graceMs - 1)]).toEqual([undefined, undefined]);
  expect([slot.takeEndOfGrace(5_000 + graceMs), slot.takeEndOfGrace(1e9)]).toEqual([reason, undefined]);
});

test('readers are not ended when the next publisher connects in time', () => {
  take();
  slot.leave('error', 5_000);
  take();
  expect(slot.takeEndOfGrace(1e9)).toBeUndefined();
});
