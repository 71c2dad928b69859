// Snapshots of live streams: images of the newest keyframe, on request and on timers. Removes the oldest images above the limits.
import {
  AppError,
  because,
  changed,
  maxSnapshots,
  maxTakenSnapshots,
  type Snapshot,
  type SnapshotTimer,
  snapshotTimer,
} from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import { createPlaces } from '../../concurrency/places.ts';
import { groupRenditions } from '../../media-server/grouped-renditions.ts';
import type { MediaServer, MediaServerStream } from '../../media-server/media-server.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { type HeldDocument, holdDocument } from '../../store/held-document.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { createDiskWatch, type DiskWatch, type MeasureDisk, measureDisk } from '../disk-space.ts';
import { checkFilters, passesFilters } from '../rules/name-filter.ts';
import { SnapshotFolder, type StreamName } from './snapshot-folder.ts';

/** Maximum number of parallel FFmpeg processes. Each process usually uses one CPU core for 0.2 s. */
const maxAtOnce = 2;
/** Maximum number of running and waiting snapshots. A further request is refused; a timer tries again at its next tick. */
const maxWaiting = 50;
/** Interval of timer checks, milliseconds: the shortest interval that a timer may have. */
const tickMs = 5_000;

type Streams = Pick<MediaServer, 'listStreams' | 'readKeyframe'>;

const timersDocument: DocumentType<{ timers: SnapshotTimer[] }> = {
  key: 'snapshot-timers',
  schema: z.object({ timers: z.array(snapshotTimer) }),
  empty: { timers: [] },
};

export interface SnapshotsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly root: string;
  readonly mediaServer: Streams;
  /** Media servers of this node: timers cover only local streams. */
  readonly ownMediaServer: Streams;
  readonly takeScreenshot: (keyframe: Buffer, signal: AbortSignal) => Promise<Buffer | undefined>;
  readonly now: () => Date;
  readonly monotonicMs?: () => number;
  readonly measureDisk?: MeasureDisk;
  readonly log: Log;
}

export async function openSnapshots(deps: SnapshotsDeps): Promise<Snapshots> {
  return new Snapshots(deps, await SnapshotFolder.open(deps.root), await holdDocument(deps.store, timersDocument));
}

export class Snapshots {
  readonly #deps: SnapshotsDeps;
  readonly #folder: SnapshotFolder;
  readonly #timers: HeldDocument<{ timers: SnapshotTimer[] }>;
  readonly #disk: DiskWatch;
  readonly #oneAtATime = createOneAtATime();
  readonly #place = createPlaces(maxAtOnce);
  readonly #stopping = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  /** Monotonic time of the last attempt by stream, only for streams with a timer. */
  #attempts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SnapshotsDeps, folder: SnapshotFolder, timers: HeldDocument<{ timers: SnapshotTimer[] }>) {
    const { log, monotonicMs = () => performance.now(), measureDisk: measure = measureDisk } = deps;
    this.#deps = deps;
    this.#folder = folder;
    this.#timers = timers;
    const onChange = ({ state }: { state: string }) =>
      log.warn({ state }, 'state of the free disk space for snapshots has changed');
    this.#disk = createDiskWatch({ path: folder.root, monotonicMs, measure, onChange });
  }

  /** Throws `notFound` if the stream is not live or has no keyframe, `serverBusy`, or `storeNotReady` if there is no space. */
  async take({ app, stream }: StreamName): Promise<Snapshot> {
    const { mediaServer } = this.#deps;
    const streams = await mediaServer.listStreams();
    const found = streams.find((each) => each.isPublished && each.app === app && each.stream === stream);
    if (!found) throw new AppError('notFound', because('record.snapshot-not-live', { app, stream }));
    const snapshot = await this.#make(mediaServer, found, false);
    await this.#prune(this.#folder.list({ app, stream }), { app, stream }, false, maxTakenSnapshots);
    return snapshot;
  }

  /** Newest first. */
  list(source: StreamName): Snapshot[] {
    return this.#folder.list(source).toReversed();
  }

  /** Returns a `data:` URL. Throws `notFound`. */
  async picture(source: StreamName, name: string): Promise<string> {
    const image = await this.#folder.read(source, name);
    if (!image) throw new AppError('notFound', because('record.no-snapshot', { name }));
    return `data:image/jpeg;base64,${image.toString('base64')}`;
  }

  /** Removes one snapshot. Without `name`, removes all snapshots of the stream. */
  async remove(source: StreamName, name: string | undefined, actor: Actor): Promise<void> {
    if (name === undefined) await this.#folder.removeAll(source);
    else await this.#folder.remove(source, name);
    const stream = `${source.app}/${source.stream}`;
    await this.#deps.audit.record('setting-changed', actor, changed('record.snapshots-removed', { stream }));
  }

  timers() {
    const streams = this.#folder.streams().map(({ app, stream, snapshots }) => ({
      ...{ app, stream, count: snapshots.length },
      size: snapshots.reduce((sum, { size }) => sum + size, 0),
      latest: snapshots.at(-1)?.at ?? '',
    }));
    return {
      timers: this.#timers.current().timers,
      streams: streams.sort((a, b) => b.latest.localeCompare(a.latest)),
    };
  }

  async change(timers: SnapshotTimer[], actor: Actor): Promise<void> {
    checkFilters(timers.map(({ glob }) => glob));
    await this.#oneAtATime(async () => {
      await this.#timers.replace(this.#timers.current(), { timers });
      const globs = timers.map(({ glob, seconds }) => `${glob} ${seconds} s`).join(', ');
      const change = globs === '' ? changed('record.no-snapshot-timers') : changed('record.snapshot-timers', { globs });
      await this.#deps.audit.record('setting-changed', actor, change);
    });
  }

  start(): void {
    const { log } = this.#deps;
    this.#timer = setInterval(() => inBackground(this.tick(), log, 'timed snapshots failed'), tickMs).unref();
  }

  /** Takes the due snapshots, within `maxWaiting`; the stream with the longest wait comes first. */
  async tick(): Promise<void> {
    const { timers } = this.#timers.current();
    if (timers.length === 0) return;
    const { ownMediaServer, monotonicMs = () => performance.now(), log } = this.#deps;
    const nowMs = monotonicMs();
    const streams = groupRenditions(await ownMediaServer.listStreams());
    const due = streams.flatMap((found) => {
      const timer = timers.find(({ glob }) => passesFilters([glob], `/${found.app}/${found.stream}`));
      const key = `${found.app}/${found.stream}`;
      const lastMs = this.#attempts.get(key) ?? Number.NEGATIVE_INFINITY;
      // A snapshot half a tick early is better than a snapshot at the next tick.
      const isDue = timer !== undefined && nowMs - lastMs >= timer.seconds * 1000 - tickMs / 2;
      return isDue && found.isPublished && found.video ? [{ found, key, lastMs, keep: timer.keep }] : [];
    });
    due.sort((a, b) => a.lastMs - b.lastMs);
    const taken = due.map(async ({ found, key, keep }) => {
      if (this.#pending.size >= maxWaiting) return;
      this.#note(key, nowMs);
      await this.#make(ownMediaServer, found, true);
      await this.#prune(this.#folder.list(found), found, true, keep);
    });
    for (const { status, reason } of (await Promise.allSettled(taken)) as PromiseRejectedResult[])
      if (status === 'rejected') log.warn({ err: reason }, 'snapshot timer could not take a snapshot');
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.allSettled(this.#pending);
  }

  /** Remembers the attempt. Drops the oldest half of all attempts when there are too many. */
  #note(key: string, nowMs: number): void {
    this.#attempts.delete(key);
    this.#attempts.set(key, nowMs);
    if (this.#attempts.size > maxSnapshots) this.#attempts = new Map([...this.#attempts].slice(-maxSnapshots / 2));
  }

  async #make(server: Streams, found: MediaServerStream, isTimed: boolean): Promise<Snapshot> {
    if (this.#pending.size >= maxWaiting) throw new AppError('serverBusy', because('record.snapshot-busy'));
    const made = this.#place(() => this.#makeNow(server, found, isTimed));
    this.#pending.add(made);
    return made.finally(() => this.#pending.delete(made));
  }

  async #makeNow(server: Streams, { id, app, stream }: MediaServerStream, isTimed: boolean): Promise<Snapshot> {
    const { takeScreenshot, now } = this.#deps;
    const { signal } = this.#stopping;
    await this.#makeRoom();
    const keyframe = signal.aborted ? undefined : await server.readKeyframe(id).catch(() => undefined);
    const image = keyframe && (await takeScreenshot(keyframe, signal));
    if (!image) throw new AppError('notFound', because('record.snapshot-no-frame', { app, stream }));
    return this.#folder.add({ app, stream }, image, now(), isTimed);
  }

  /**
   * Removes the oldest snapshot of a timer if there are too many snapshots of all streams. Throws `storeNotReady` if there is no space.
   */
  async #makeRoom(): Promise<void> {
    const noRoom = () => new AppError('storeNotReady', because('record.snapshot-no-room', { maximum: maxSnapshots }));
    if ((await this.#disk.look()).state === 'full') throw noRoom();
    const streams = this.#folder.streams();
    const count = streams.reduce((sum, { snapshots }) => sum + snapshots.length, 0);
    if (count < maxSnapshots) return;
    const timed = streams.flatMap((source) => {
      const oldest = source.snapshots.find(({ isTimed }) => isTimed);
      return oldest ? [{ source, ...oldest }] : [];
    });
    const [oldest] = timed.sort((a, b) => a.at.localeCompare(b.at));
    if (!oldest) throw noRoom();
    await this.#folder.remove(oldest.source, oldest.name);
  }

  async #prune(snapshots: readonly Snapshot[], source: StreamName, isTimed: boolean, keep: number): Promise<void> {
    const same = snapshots.filter((each) => each.isTimed === isTimed);
    for (const { name } of same.slice(0, Math.max(0, same.length - keep))) await this.#folder.remove(source, name);
  }
}
