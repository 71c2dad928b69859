// The orders for slates must match the setting while FFmpeg encodes, and while the media server is down.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AppError, because } from '@srs-stack/contract';
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
let files: Map<string, string>;
let lastKeyframe: Buffer | undefined;
let wallMs: number;
let isLoading: boolean;

let release: () => void;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-slates-'));
  mkdirSync(join(dataDir, 'config'));
  const folder = await openDataFolder(dataDir);
  ({ store } = await openStore({ folder, cluster: undefined, now: now(), log }));
  clockMs = 0;
  listeners = [];
  failImages = false;
  isLoading = false;
  files = new Map();
  lastKeyframe = undefined;
  release = () => undefined;
  wallMs = now().getTime();
  listStreams = async () => [streamNamed('a')];
  encode = async ({ file }) => writeFileSync(file, 'slate');
  slates = await openIn(dataDir);
  stop = new AbortController();
  running = slates.run(stop.signal);
});
afterEach(async () => {
  release();
  stop.abort();
  await running;
  await store.close();
  rmSync(dataDir, { recursive: true });
});

function openIn(folder: string): Promise<Slates> {
  return openSlates({
    ...{ store: sharedStore(), log, dataDir: folder },
    ...{ clock: () => clockMs, audit: createAuditTrail({ store, log, now }) },
    mediaServer: { listStreams: () => listStreams(), readKeyframe: async () => lastKeyframe },
    ...{ toImage: async (file) => file, takeScreenshot: async (keyframe) => keyframe, canShow: true },
    ...{ folders: { pathOf: async (target) => files.get(target) }, library: { keep: async (target) => target } },
    drawPreview: async ({ image, text: { title } }) => Buffer.from(`${image ?? 'dark'} ${title}`),
    ...{ publishSecret: { current: () => ({ publish: 'a&b' }) }, now: () => new Date(wallMs) },
    encode: (wanted, _signal, onProgress) => encode(wanted, onProgress),
  });
}

/** The store of a cluster node: other nodes change rows, and calls may fail. */
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
  const file =
    isLoading || !existsSync(join(dataDir, 'config/slates.json'))
      ? undefined
      : orders().find((order) => order.stream === stream)?.file;
  const details = {
    ...(file && { slateFile: basename(file) }),
    ...{ protocol: 'rtmp', ip: '127.0.0.1', hasMedia: true, fps: 30, keyframeIntervalMs: 2000 },
    ...{ bitrateHistoryKbps: [], publishedForMs: 1 },
  };
  const video = { codec: 'H264', profile: 'Main', level: '3.1', width, height: 720 };
  return {
    ...{ id: 'vid-1', vhost: '__defaultVhost__', app: 'live', stream, isPublished: true, publisherClientId: 'a' },
    ...{ clients: 1, receivedBytes: 1, sentBytes: 1, receivedKbps: 1, video, audio: null, details },
  } as MediaServerStream;
}

const orders = () => parseSlateOrders(readFileSync(join(dataDir, 'config/slates.json'), 'utf8'));
const ordered = () => {
  return orders().map(({ stream, afterSeconds }) => `${stream} after ${afterSeconds} s`);
};
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const onceOrdered = (...orders: string[]) => eventually(() => expect(ordered()).toEqual(orders));

it('orders encoded slates, and applies changed times while the media server does not respond', async () => {
  await slates.change({ enabled: true, afterSeconds: 3 }, by);
  await onceOrdered('a after 3 s');
  listStreams = () => Promise.reject(new Error('no response'));
  await slates.change({ afterSeconds: 9 }, by);
  await onceOrdered('a after 9 s');
  await slates.change({ patterns: ['live/b'] }, by);
  await onceOrdered();
});

it('orders backup sources even without a slate, and reports active ones', async () => {
  const backups = [{ stream: 'live/a', backup: 'live/b' }];
  await slates.change({ backups }, by);
  const read = () => parseSlateOrders(readFileSync(join(dataDir, 'config/slates.json'), 'utf8'));
  const bare = { app: 'live', stream: 'a', afterSeconds: 3, longestMinutes: 10, backup: { app: 'live', stream: 'b' } };
  await eventually(() => expect(read()).toEqual([bare]));
  expect(['a', 'b'].map((stream) => slates.isBackup({ app: 'live', stream }))).toEqual([false, true]);
  await slates.change({ enabled: true }, by);
  await eventually(() => expect(read()).toEqual([{ ...bare, file: expect.any(String) }]));
  const live = streamNamed('a');
  listStreams = async () => [{ ...live, details: { ...live.details!, backupForMs: 5_000 } }];
  await eventually(() => expect(slates.query().backupsOnAir).toEqual([{ stream: 'live/a', onAirMs: 5_000 }]));
  await slates.change({ enabled: false, backups: [] }, by);
  await eventually(() => expect(read()).toEqual([]));
});

it('orders no slate that was switched off while FFmpeg encoded it', async () => {
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

it('retries a failed file after a minute, and prepares the other streams meanwhile', async () => {
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

it('reports the progress of a slate, and why it failed', async () => {
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

it('a slate is ready only when the media server has read the file', async () => {
  isLoading = true;
  await slates.change({ enabled: true }, by);
  await onceOrdered('a after 3 s');
  const states = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const list = listStreams;
    listStreams = () => {
      resolve();
      return list();
    };
    await promise;
    return slates.query().streams.map(({ state, progress }) => ({ state, progress }));
  };
  await states();
  expect(await states()).toEqual([{ state: 'preparing', progress: 1 }]);
  isLoading = false;
  await eventually(() => expect(slates.query().streams).toEqual([{ app: 'live', stream: 'a', state: 'ready' }]));
});

it('follows the streams while a slate is being encoded', async () => {
  encode = () => new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('stopped'))));
  await slates.change({ enabled: true }, by);
  await eventually(() => expect(slates.query().streams).toHaveLength(1));
  listStreams = async () => [streamNamed('a'), streamNamed('b', 640)];
  await eventually(() => expect(slates.query().streams).toHaveLength(2));
});

it('encodes again when the texts change, and refuses a text without a font', async () => {
  const texts: string[] = [];
  encode = async ({ title, text, file }) => {
    texts.push(`${title}|${text}`);
    writeFileSync(file, 'slate');
  };
  await slates.change({ enabled: true }, by);
  await onceOrdered('a after 3 s');
  const [before] = orders();
  await slates.change({ title: 'Back soon', text: 'at eight' }, by);
  await eventually(() => expect(orders()[0]?.file).not.toBe(before?.file));
  expect(texts).toEqual(['|', 'Back soon|at eight']);
  await slates.change({ title: '' }, by);
  await eventually(() => expect(texts.at(-1)).toBe('|at eight'));
  const refused = slates.change({ title: '\u{10fffd}' }, by);
  await expect(refused).rejects.toMatchObject({
    errorName: 'slateUnusable',
    message: expect.stringContaining('fonts-noto-core'),
  });
});

it('draws a preview of sent and of stored settings', async () => {
  const decoded = (address: string) => Buffer.from(address.split(',')[1]!, 'base64').toString();
  await slates.change({ image: Buffer.from('stored').toString('base64'), title: 'Soon' }, by);
  expect(decoded(await slates.preview({}))).toBe('stored Soon');
  const image = Buffer.from('sent').toString('base64');
  expect(decoded(await slates.preview({ image, title: 'Now' }))).toBe('sent Now');
  expect(decoded(await slates.preview({ image: '' }))).toBe('dark Soon');
});

it('shows the image until the clip is encoded, and while its file is missing', async () => {
  const path = join(dataDir, 'a.mp4');
  writeFileSync(path, 'clip');
  files.set('upload/a.mp4', path);
  const finished = Promise.withResolvers<void>();
  release = finished.resolve;
  encode = async ({ clip, file }, onProgress) => {
    onProgress(0.5);
    if (clip) await finished.promise;
    writeFileSync(file, 'slate');
  };
  await expect(slates.change({ clip: 'upload/gone.mp4' }, by)).rejects.toMatchObject({ errorName: 'fileNotFound' });
  await slates.change({ enabled: true, content: 'clip', clip: 'upload/a.mp4', clipName: 'a' }, by);
  const row = () => slates.query().streams[0];
  await eventually(() => expect(row()).toMatchObject({ state: 'ready', clipProgress: 0.5 }));
  const [still] = orders();
  finished.resolve();
  await eventually(() => expect(row()).toEqual({ app: 'live', stream: 'a', state: 'ready' }));
  expect(orders()[0]?.file).not.toBe(still?.file);
  files.clear();
  await eventually(() => expect(orders()[0]?.file).toBe(still?.file));
  expect(slates.query().isClipMissing).toBe(true);
});

it('reports why the clip is not shown', async () => {
  const path = join(dataDir, 'a.mp4');
  writeFileSync(path, 'no clip');
  files.set('upload/a.mp4', path);
  encode = async ({ clip, file }) => {
    if (clip) throw new AppError('slateUnusable', because('slate.clip-length-unknown'));
    writeFileSync(file, 'slate');
  };
  await slates.change({ enabled: true, content: 'clip', clip: 'upload/a.mp4' }, by);
  const clipError = {
    clipFailure: 'the length of the clip is unknown',
    clipReason: { key: 'slate.clip-length-unknown', values: {} },
  };
  await eventually(() => expect(slates.query().streams[0]).toMatchObject({ state: 'ready', ...clipError }));
});

it('takes the last frame once when the source falls silent, and uses the image again when the source returns', async () => {
  const seen: string[] = [];
  encode = async ({ frame, file }) => {
    seen.push(frame ? `${frame.jpeg}${frame.isBlurred ? ' blurred' : ''}` : 'image');
    writeFileSync(file, 'slate');
  };
  const live = streamNamed('a');
  const silent = (more: object) => ({ ...live, details: { ...live.details!, silentForMs: 900, ...more } });
  await slates.change({ enabled: true, content: 'last-frame', blur: true }, by);
  await onceOrdered('a after 3 s');
  const [still] = orders();
  lastKeyframe = Buffer.from('frame 1');
  listStreams = async () => [silent({})];
  await eventually(() => expect(orders()[0]?.file).not.toBe(still?.file));
  const [shown] = orders();
  lastKeyframe = Buffer.from('slate');
  listStreams = async () => [silent({ slateForMs: 100 })];
  clockMs += 1;
  await eventually(() => expect(slates.query().streams[0]?.onAirMs).toBe(100));
  expect(orders()).toEqual([shown]);
  expect(seen).toEqual(['image', 'frame 1 blurred']);
  listStreams = async () => [live];
  await eventually(() => expect(orders()[0]?.file).toBe(still?.file));
});

describe('a stream that begins with its slate', () => {
  const wanted = { app: 'live', stream: 'soon', width: 1280, height: 720, fps: 30, sampleRate: 48_000 } as const;
  const begin = (more = {}) => slates.start({ ...wanted, ...more }, thisServer);
  const onAir = () => {
    const live = streamNamed('soon');
    return { ...live, details: { ...live.details!, slateForMs: 1_000 } };
  };
  const starts = () => slates.query().starts;
  beforeEach(() => {
    listStreams = async () => [];
  });

  it('is ordered with its format, secret and time while slates are off, and ends when its encoder connects', async () => {
    const shapes: unknown[] = [];
    encode = async ({ shape, file }) => {
      shapes.push(shape.video?.width, shape.video?.frameRate, shape.audio?.codec);
      writeFileSync(file, 'slate');
    };
    await begin({ longestMinutes: 30 });
    await eventually(() => expect(starts()).toEqual([{ app: 'live', stream: 'soon', state: 'waiting' }]));
    expect(shapes).toEqual([1280, '30', 'aac']);
    const start = { id: expect.any(String), vhost: '__defaultVhost__', param: '?secret=a%26b' };
    await eventually(() =>
      expect(orders()).toMatchObject([
        { stream: 'soon', longestMinutes: 30, start: { ...start, untilMs: now().getTime() + 1_800_000 } },
      ]),
    );
    listStreams = async () => [onAir()];
    await eventually(() => expect(starts()[0]).toMatchObject({ state: 'on-air', onAirMs: 1_000 }));
    listStreams = async () => [streamNamed('soon')];
    await eventually(() => expect(starts()).toEqual([]));
    await eventually(() => expect(orders()).toEqual([]));
  });

  it('continues in a new process, and is removed when it has ended or its time is over', async () => {
    await begin();
    await eventually(() => expect(orders()).toHaveLength(1));
    const [before] = orders();
    stop.abort();
    await running;
    slates = await openIn(dataDir);
    stop = new AbortController();
    running = slates.run(stop.signal);
    await eventually(() => expect(starts()).toHaveLength(1));
    expect(orders()).toEqual([before]);
    listStreams = async () => [onAir()];
    await eventually(() => expect(starts()[0]?.state).toBe('on-air'));
    listStreams = async () => [];
    await eventually(() => expect(starts()[0]?.state).toBe('waiting'));
    expect(orders()).toHaveLength(1);
    clockMs += 3_000;
    await eventually(() => expect(orders()).toEqual([]));
    await begin();
    await eventually(() => expect(orders()).toHaveLength(1));
    wallMs += 600_000;
    await eventually(() => expect(orders()).toEqual([]));
  });

  it('is retried when the media server does not start it, and then reported', async () => {
    await begin();
    await eventually(() => expect(orders()).toHaveLength(1));
    const ids = new Set<string>();
    const note = () => ids.add(orders()[0]!.start!.id);
    for (const attempts of [1, 2, 3]) {
      await eventually(() => expect(note().size).toBe(attempts));
      clockMs += 10_000;
    }
    const reason = { key: 'slate.not-begun', values: {} };
    await eventually(() => expect(starts()[0]).toMatchObject({ state: 'failed', reason }));
    await slates.stop(wanted, thisServer);
    expect(orders()).toEqual([]);
    await expect(slates.stop(wanted, thisServer)).rejects.toMatchObject({ errorName: 'notFound' });
  });

  it('is refused for a live stream, for an invalid name, and above the limit', async () => {
    listStreams = async () => [streamNamed('soon')];
    await expect(begin()).rejects.toMatchObject({ errorName: 'streamBusy' });
    await expect(begin({ stream: 'a b' })).rejects.toMatchObject({ errorName: 'streamNameInvalid' });
    listStreams = async () => [];
    for (let n = 0; n < 10; n++) await begin({ stream: `s${n}` });
    await expect(begin({ stream: 'one-more' })).rejects.toMatchObject({ errorName: 'invalidRequest' });
  });
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

  it('ignores a file of the store whose content does not match its name', async () => {
    const image = '../stolen';
    await imagesOf(store).put(image, { data: text('anything') });
    await store.set(declared.document, { ...declared.document.empty, image });
    const other = await openIn(otherDir);
    expect(await other.picture()).toBeNull();
    expect(readdirSync(otherDir)).not.toContain('stolen.jpg');
  });

  it('has its slates while the store fails', async () => {
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
