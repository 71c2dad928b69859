// Takeovers from the API call to the order for gateways and back, and channels of other nodes. Uses a store on disk and a gateway with
// predefined reports.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelDraft } from '@srs-stack/contract/models/channel.ts';
import type { SrsChannelRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { channelOrdersFile, parseChannelOrders } from '@srs-stack/process/channel-orders.ts';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Actor } from '../../actor.ts';
import { openStoreFile } from '../../store/open-store.ts';
import { type ChannelsDeps, openChannels } from './channels.ts';

const actor: Actor = { ip: '127.0.0.1' };
const draft: ChannelDraft = {
  ...{ title: 'News', stream: 'news', zone: 'UTC', height: 360, fps: 25, kbps: 300 },
  ...{ playlist: [], weekly: [] },
};

async function open(change: Partial<ChannelsDeps> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'srs-channels-'));
  await mkdir(join(dataDir, 'config'), { recursive: true });
  const store = change.store ?? (await openStoreFile(await openDataFolder(dataDir), new Date())).store;
  const rows: SrsChannelRow[] = [];
  const deps: ChannelsDeps = {
    ...{ store, dataDir, canPlay: true, isShared: true, nodeId: 'n1:/data', log: pino({ level: 'silent' }) },
    audit: { record: async () => undefined, newest: async () => [] },
    folders: { pathOf: async () => undefined, mediaIn: async () => undefined },
    library: { keep: async (source) => source },
    nodes: { self: { id: 'n1', name: 'one' }, list: () => [], isGone: () => false },
    listChannels: async () => rows,
    publishSecret: { current: () => ({ publish: 'secret' }) },
    requireSpace: async () => undefined,
    recordingFile: async () => undefined,
    now: () => new Date(),
    ...change,
  };
  const isOwner = change.store === undefined;
  const channels = await openChannels(deps);
  const stop = new AbortController();
  const running = channels.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    if (isOwner) await store.close();
    await rm(dataDir, { recursive: true });
  });
  const orders = async () =>
    parseChannelOrders(
      await readFile(join(dataDir, 'config', channelOrdersFile), 'utf8').catch(() => '{"channels":[]}'),
    );
  return { channels, rows, orders, store };
}

const row = (id: string, change: Partial<SrsChannelRow>): SrsChannelRow => ({
  ...{ id, stream: 'live/news', state: 'on-air', reason: '', live: '', awaited: '', overTakeover: '', events: [] },
  ...change,
});
const patience = { timeout: 30_000, interval: 50 };

it('orders a takeover until the operator or its stream ends it', async () => {
  const { channels, rows, orders } = await open();
  const { id } = await channels.create(draft, actor);
  await expect(channels.takeOver(id, 'live/studio', actor)).rejects.toThrow(/is stopped: start it first/);
  await channels.switch(id, true, actor);
  expect(await channels.shownStreams()).not.toContain('live/studio');
  await channels.takeOver(id, 'live/studio', actor);
  expect(await channels.shownStreams()).toContain('live/studio');
  await vi.waitFor(async () => expect((await orders())[0]?.takeover?.live).toBe('live/studio'), patience);
  rows.push(row(id, { awaited: 'live/studio' }));
  await vi.waitFor(
    async () =>
      expect((await channels.list())[0]!.live).toEqual({ stream: 'live/studio', cause: 'takeover', isOnAir: false }),
    patience,
  );
  await channels.giveBack(id, actor);
  await vi.waitFor(async () => expect((await orders())[0]!.takeover).toBeUndefined(), patience);

  await channels.takeOver(id, 'live/studio', actor);
  await vi.waitFor(async () => expect((await orders())[0]!.takeover).toBeDefined(), patience);
  const { takeover } = (await orders())[0]!;
  rows[0] = row(id, { overTakeover: takeover!.id });
  await vi.waitFor(async () => expect((await orders())[0]!.takeover).toBeUndefined(), patience);
  expect((await channels.list())[0]!.live).toBeNull();
}, 60_000);

it('refuses to show a channel on itself, and invalid stream names', async () => {
  const { channels } = await open();
  const { id } = await channels.create(draft, actor);
  await channels.switch(id, true, actor);
  for (const name of ['studio', 'live/a/b', 'live/', 'live/..', '../x'])
    await expect(channels.takeOver(id, name, actor)).rejects.toThrow(/is not the name of a stream/);
  await expect(channels.takeOver(id, 'live/news', actor)).rejects.toThrow(/is the stream of the channel itself/);
  const item = { id: '', kind: 'live' as const, source: 'live/news', name: '', minutes: 5 };
  await expect(channels.update(id, { ...draft, playlist: [item] }, actor)).rejects.toThrow(/the channel itself/);
});

it('returns the server of a channel that plays elsewhere, and reports when that server is gone', async () => {
  const two = { self: { id: 'n2', name: 'two' }, list: () => [], isGone: () => false };
  const { channels: there, store } = await open({ nodeId: 'n2:/data', nodes: two });
  const { id } = await there.create(draft, actor);
  let isGone = false;
  const nodes = { self: { id: 'n1', name: 'one' }, list: () => [], isGone: (node: string) => isGone && node === 'n2' };
  const { channels, orders } = await open({ store, nodes });
  expect((await channels.list())[0]).toMatchObject({ state: 'off', server: 'two' });
  await there.switch(id, true, actor);
  expect((await there.list())[0]!.server).toBe('');
  expect((await channels.list())[0]).toMatchObject({ state: 'elsewhere', server: 'two' });
  isGone = true;
  expect((await channels.list())[0]).toMatchObject({ state: 'unreachable', server: 'two', live: null });
  expect(await orders()).toEqual([]);
});
