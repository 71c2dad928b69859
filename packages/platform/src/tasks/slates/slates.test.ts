// Orders for slates follow the setting while FFmpeg encodes and while the media server does not respond.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slates as declared } from '@srs-stack/contract/endpoints/settings/slates.ts';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { parseSlateOrders } from '@srs-stack/process/slate-orders.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { thisServer } from '../../actor.ts';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { createAuditTrail } from '../../store/audit-trail.ts';
import { openStore } from '../../store/open-store.ts';
import { absent, type ChangeListener, type Store } from '../../store/store.ts';
import type { SlateOrderedFile } from './encode-slate.ts';
import { openSlates, type Slates } from './slates.ts';

const log = pino({ level: 'silent' });
const now = () => new Date('2026-01-02T03:04:05Z');
const by = { actor: thisServer };

let dataDir: string;
let store: Store;
let slates: Slates;
let stop: AbortController;
let running: Promise<void>;
let listStreams: () => Promise<MediaServerStream[]>;
let encode: (wanted: SlateOrderedFile, onProgress: (done: number) => void) => Promise<void>;
let clockMs: number;
let listeners: ChangeListener[];
let failImages: boolean;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-slates-'));
  mkdirSync(join(dataDir, 'config'));
  const folder = await openDataFolder(dataDir);
  ({ store } = await openStore({ folder, cluster: undefined, now: now(), log }));
  clockMs = 0;
  listeners = [];
  failImages = false;
  listStreams = async () => [streamNamed('a')];
  encode = async ({ file }) => writeFileSync(file, 'slate');
  slates = await openIn(dataDir);
  stop = new AbortController();
  running = slates.run(stop.signal);
});
afterEach(async () => {
  stop.abort();
  await running;
  await store.close();
  rmSync(dataDir, { recursive: true });
});

function openIn(folder: string): Promise<Slates> {
  return openSlates({
    ...{ store: sharedStore(), log, dataDir: folder },
    ...{ clock: () => clockMs, audit: createAuditTrail({ store, log, now }) },
    ...{ mediaServer: { listStreams: () => listStreams() }, toImage: async (file) => file },
    encode: (wanted, _signal, onProgress) => encode(wanted, onProgress),
  });
}

/** The store of a node in a cluster: other nodes change rows, and it may fail. */
function sharedStore(): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'subscribe') {
        return (listener: ChangeListener) => {
          listeners.push(listener);
          return target.subscribe(listener);
        };
      }
      if (name === 'collection' && failImages) {
        return () => {
          throw new Error('the store does not respond');
        };
      }
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function notifyOfRow(id: string): Promise<void> {
  const change = { kind: 'row', collection: 'slate-images', id, revision: absent } as const;
  for (const listener of listeners) await listener(change);
}

function streamNamed(stream: string, width = 1280): MediaServerStream {
  const details = {
    ...{ protocol: 'rtmp', ip: '127.0.0.1', hasMedia: true, fps: 30, keyframeIntervalMs: 2000 },
    ...{ bitrateHistoryKbps: [], publishedForMs: 1 },
  };
  const video = { codec: 'H264', profile: 'Main', level: '3.1', width, height: 720 };
  return {
    ...{ id: 'vid-1', vhost: '__defaultVhost__', app: 'live', stream, isPublished: true, publisherClientId: 'a' },
    ...{ clients: 1, receivedBytes: 1, sentBytes: 1, receivedKbps: 1, video, audio: null, details },
  } as MediaServerStream;
}

const ordered = () => {
  const orders = parseSlateOrders(readFileSync(join(dataDir, 'config/slates.json'), 'utf8'));
  return orders.map(({ stream, afterSeconds }) => `${stream} after ${afterSeconds} s`);
};
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const onceOrdered = (...orders: string[]) => eventually(() => expect(ordered()).toEqual(orders));

it('orders what is encoded, and follows changed times while the media server does not answer', async () => {
  await slates.change({ enabled: true, afterSeconds: 3 }, by);
  await onceOrdered('a after 3 s');
  listStreams = () => Promise.reject(new Error('no response'));
  await slates.change({ afterSeconds: 9 }, by);
  await onceOrdered('a after 9 s');
  await slates.change({ patterns: ['live/b'] }, by);
  await onceOrdered();
});

it('orders backup sources without a slate too, and tells which are on the air', async () => {
  const backups = [{ stream: 'live/a', backup: 'live/b' }];
  await slates.change({ backups }, by);
  const read = () => parseSlateOrders(readFileSync(join(dataDir, 'config/slates.json'), 'utf8'));
  const bare = { app: 'live', stream: 'a', afterSeconds: 3, longestMinutes: 10, backup: { app: 'live', stream: 'b' } };
  await eventually(() => expect(read()).toEqual([bare]));
  await slates.change({ enabled: true }, by);
  await eventually(() => expect(read()).toEqual([{ ...bare, file: expect.any(String) }]));
  const live = streamNamed('a');
  listStreams = async () => [{ ...live, details: { ...live.details!, backupForMs: 5_000 } }];
  await eventually(() => expect(slates.query().backupsOnAir).toEqual([{ stream: 'live/a', onAirMs: 5_000 }]));
  await slates.change({ enabled: false, backups: [] }, by);
  await eventually(() => expect(read()).toEqual([]));
});

it('orders nothing that was switched off while FFmpeg encoded it', async () => {
  let finish: () => void = () => undefined;
  let begun = false;
  encode = ({ file }) =>
    new Promise((resolve) => {
      begun = true;
      finish = () => {
        writeFileSync(file, 'slate');
        resolve();
      };
    });
  await slates.change({ enabled: true }, by);
  await eventually(() => expect(begun).toBe(true));
  await slates.change({ enabled: false }, by);
  finish();
  await eventually(() => expect(slates.query().streams).toEqual([]));
  expect(ordered()).toEqual([]);
});

it('tries a failed file again after a minute, and meanwhile prepares the other streams', async () => {
  listStreams = async () => [streamNamed('a'), streamNamed('b', 640)];
  let failures = 0;
  encode = async ({ shape, file }) => {
    if (shape.video?.width === 640) return writeFileSync(file, 'slate');
    failures++;
    throw new Error('planted');
  };
  await slates.change({ enabled: true }, by);
  await onceOrdered('b after 3 s');
  await eventually(() => expect(slates.query().streams.map(({ state }) => state)).toEqual(['failed', 'ready']));
  expect(failures).toBe(1);
  encode = async ({ file }) => writeFileSync(file, 'slate');
  clockMs = 60_000;
  await onceOrdered('a after 3 s', 'b after 3 s');
});

it('deletes an image that was replaced before any stream was live', async () => {
  listStreams = async () => [];
  const images = () => readdirSync(join(dataDir, 'slates')).length;
  await slates.change({ enabled: true, image: Buffer.from('first').toString('base64') }, by);
  await eventually(() => expect(images()).toBe(1));
  const [first] = readdirSync(join(dataDir, 'slates'));
  await slates.change({ image: Buffer.from('second').toString('base64') }, by);
  await eventually(() => expect(readdirSync(join(dataDir, 'slates'))).not.toContain(first));
  expect(images()).toBe(1);
});

it('tells how far a slate is, and why it failed', async () => {
  let finish: (error?: Error) => void = () => undefined;
  encode = ({ file }, onProgress) =>
    new Promise((resolve, reject) => {
      onProgress(0.4);
      finish = (error) => {
        if (error) return reject(error);
        writeFileSync(file, 'slate');
        resolve();
      };
    });
  await slates.change({ enabled: true }, by);
  const row = () => slates.query().streams[0];
  await eventually(() => expect(row()).toMatchObject({ state: 'preparing', progress: 0.4 }));
  finish(new Error('width not divisible by 2'));
  await eventually(() => expect(row()).toMatchObject({ state: 'failed', failure: 'width not divisible by 2' }));
  clockMs = 60_000;
  await eventually(() => expect(row()?.state).toBe('preparing'));
  finish();
  await eventually(() => expect(row()).toEqual({ app: 'live', stream: 'a', state: 'ready' }));
});

it('follows the streams while a slate is being encoded', async () => {
  encode = () => new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('stopped'))));
  await slates.change({ enabled: true }, by);
  await eventually(() => expect(slates.query().streams).toHaveLength(1));
  listStreams = async () => [streamNamed('a'), streamNamed('b', 640)];
  await eventually(() => expect(slates.query().streams).toHaveLength(2));
});

it('shows the stored image', async () => {
  expect(await slates.picture()).toBeNull();
  const image = Buffer.from('first').toString('base64');
  await slates.change({ image }, by);
  expect(await slates.picture()).toBe(`data:image/jpeg;base64,${image}`);
  await slates.change({ image: '' }, by);
  expect(await slates.picture()).toBeNull();
});

describe('another node of the cluster', () => {
  let otherDir: string;
  beforeEach(() => {
    otherDir = mkdtempSync(join(tmpdir(), 'srs-stack-slates-'));
    mkdirSync(join(otherDir, 'config'));
  });
  afterEach(() => rmSync(otherDir, { recursive: true }));
  const text = (value: string) => Buffer.from(value).toString('base64');

  it('encodes and shows the image that this node received', async () => {
    await slates.change({ enabled: true, image: text('first') }, by);
    await slates.change({ image: text('second') }, by);
    const seen: string[] = [];
    encode = async ({ image, file }) => {
      if (file.startsWith(otherDir)) seen.push(readFileSync(image ?? '', 'utf8'));
      writeFileSync(file, 'slate');
    };
    const other = await openIn(otherDir);
    expect(await other.picture()).toBe(`data:image/jpeg;base64,${text('second')}`);
    rmSync(join(otherDir, 'slates'), { recursive: true });
    mkdirSync(join(otherDir, 'slates'));
    const otherStop = new AbortController();
    const otherRuns = other.run(otherStop.signal);
    await eventually(() => expect(seen).toEqual(['second']));
    otherStop.abort();
    await otherRuns;
  });

  it('gets an image that an older release stored on the disk of this node only', async () => {
    await slates.change({ enabled: true, image: text('old') }, by);
    const images = store.collection({ name: 'slate-images', schema: z.object({ data: z.string() }) });
    for (const id of (await images.entries()).keys()) await images.remove(id);
    stop.abort();
    await running;
    const again = await openIn(dataDir);
    stop = new AbortController();
    running = again.run(stop.signal);
    await eventually(async () => expect((await images.entries()).size).toBe(1));
    const other = await openIn(otherDir);
    expect(await other.picture()).toBe(`data:image/jpeg;base64,${text('old')}`);
  });

  const imagesOf = (of: Store) => of.collection({ name: 'slate-images', schema: z.object({ data: z.string() }) });
  const storedImages = async () => [...(await imagesOf(store).entries()).values()].map(({ data }) => data);

  it('keeps no image in the store when the setting has none', async () => {
    await slates.change({ image: text('first') }, by);
    expect(await storedImages()).toEqual([text('first')]);
    await slates.change({ image: '' }, by);
    expect(await storedImages()).toEqual([]);
  });

  it('keeps no image of a refused change in the store', async () => {
    await slates.change({ image: text('first') }, by);
    const refused = slates.change({ image: text('second') }, { ...by, revision: 'of other values' });
    await expect(refused).rejects.toMatchObject({ errorName: 'settingsChanged' });
    expect(await storedImages()).toEqual([text('first')]);
  });

  it('stores an image again that another node has removed or damaged', async () => {
    await slates.change({ image: text('first') }, by);
    const { image } = slates.query();
    for (const spoil of [
      () => imagesOf(store).remove(image),
      () => imagesOf(store).put(image, { data: text('damaged') }),
    ]) {
      await spoil();
      await notifyOfRow(image);
      await eventually(async () => expect(await storedImages()).toEqual([text('first')]));
    }
  });

  it('takes no file from the store whose content is not that of its name', async () => {
    const image = '../stolen';
    await imagesOf(store).put(image, { data: text('anything') });
    await store.set(declared.document, { ...declared.document.empty, image });
    const other = await openIn(otherDir);
    expect(await other.picture()).toBeNull();
    expect(readdirSync(otherDir)).not.toContain('stolen.jpg');
  });

  it('gets its slates while the store fails', async () => {
    await slates.change({ enabled: true, image: text('first') }, by);
    await onceOrdered('a after 3 s');
    await slates.change({ enabled: false }, by);
    await onceOrdered();
    failImages = true;
    await notifyOfRow(slates.query().image);
    await slates.change({ enabled: true }, by);
    await onceOrdered('a after 3 s');
  });
});
