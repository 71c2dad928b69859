// Local recording as the rest of the platform sees it: opened at boot, told of segments, asked by calls and links.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, because, type RecordRow, type RecordTotals, recordLinkPrefix } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { HlsSegment } from '../streams/hls-segments.ts';
import { createDiskWatch, type DiskRoom, type DiskWatch, type MeasureDisk, measureDisk } from './disk-room.ts';
import { writePlaylist } from './playlist-text.ts';
import { createPosters, type Posters } from './poster.ts';
import { createRecordBin, type RecordBin } from './record-bin.ts';
import { RecordCatalogue, type RecordPage } from './record-catalogue.ts';
import { ended, noRecordEvents, type RecordEvents } from './record-events.ts';
import { isFinished, isOfOtherNode, type RecordNodes, recordCollection, toRow } from './record-facts.ts';
import { RecordFinisher } from './record-finisher.ts';
import { isRecordUuid, mp4Name, openRecordFolder, type RecordFolder } from './record-folder.ts';
import { takeInventory } from './record-inventory.ts';
import { createRecordObjects, type RecordBucket, type RecordObjects } from './record-objects.ts';
import { openRecordRetention, type RecordRetentionService } from './record-retention.ts';
import { createRowList } from './record-rows.ts';
import { openRecordRules, type RecordRulesService } from './record-rules.ts';
import { RecordTasks } from './record-tasks.ts';
import { type RunFfmpeg, runFfmpeg } from './remux.ts';
import { parseSegmentName } from './segment-name.ts';
import { createUnreportedSegments, segmentSeconds } from './unreported-segments.ts';

/** How often running recordings are looked at, milliseconds. */
const tickMs = 300;
/** How often the bin is looked at, milliseconds. */
const binIntervalMs = 60_000;

/** How often the retention rules are applied, milliseconds. */
const retentionIntervalMs = 60_000;

/** How often recordings are looked for whose local copy may go, milliseconds. */
const objectsIntervalMs = 60_000;

/** What a link leads to. */
type RecordLink =
  | { readonly kind: 'playlist'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly type: string; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly url: string }
  | RecordObjectLink;

/** An MP4 that only a bucket has. */
interface RecordObjectLink {
  readonly kind: 'object';
  readonly type: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  /** `end` is exclusive. */
  read(range: { start: number; end: number }, signal: AbortSignal): Promise<Readable>;
  /** A link that leads to the bucket; undefined when the server sends it. */
  direct(saveAs: string | undefined): Promise<string | undefined>;
}

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

interface RecordStatus {
  readonly totals: RecordTotals;
  readonly matching: RecordTotals;
  readonly disk: DiskRoom;
}

export interface Records {
  readonly rules: RecordRulesService;
  readonly bin: RecordBin;
  readonly retention: RecordRetentionService;
  onSegment(segment: HlsSegment): Promise<void>;
  files(page: RecordPage): RecordRow[];
  status(search: string): Promise<RecordStatus>;
  end(uuid: string): Promise<void>;
  /** The record button of one stream. */
  streamRecording(source: StreamName): { wanted: boolean; chosen: boolean | null; since: string };
  /** Records this stream from its next segment on, or ends its recording now. */
  recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void>;
  /** Recordings in a bucket, and those that none has. */
  stored(): ReturnType<RecordObjects['totals']>;
  /** Ends everything that is being recorded. */
  endAll(): Promise<void>;
  /** Resolves a link below the prefix; undefined when there is nothing. */
  link(path: string): Promise<RecordLink | undefined>;
  /** The stream that a link below the prefix shows; undefined when there is no such recording. */
  sourceOf(path: string): StreamName | undefined;
  /** Begins to look at the clock. */
  start(): void;
  close(): Promise<void>;
}

export interface RecordsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly dataDir: string;
  /** Folder of playlists and segments of the media server. */
  readonly hlsPath: string;
  readonly log: Log;
  readonly now: () => Date;
  /** The bucket for finished recordings. */
  readonly objects: RecordBucket;
  readonly events?: RecordEvents;
  /** Those that share the store. */
  readonly nodes: RecordNodes;
  readonly monotonicMs?: () => number;
  readonly runFfmpeg?: RunFfmpeg;
  /** Replaced by tests of a full disk. */
  readonly measureDisk?: MeasureDisk;
}

/** Resolves when what was being recorded before goes on, so that the first segment finds the recording it belongs to. */
export async function openRecords(deps: RecordsDeps): Promise<Records> {
  const parts = await openParts(deps);
  return new StoredRecords(parts, deps, await resumeUnfinished(parts, deps));
}

interface Parts {
  readonly folder: RecordFolder;
  readonly rules: RecordRulesService;
  readonly catalogue: RecordCatalogue;
  readonly disk: DiskWatch;
  readonly finisher: RecordFinisher;
  readonly tasks: RecordTasks;
  readonly bin: RecordBin;
  readonly retention: RecordRetentionService;
  readonly posters: Posters;
  readonly objects: RecordObjects;
  readonly bucket: RecordBucket;
}

async function openParts(deps: RecordsDeps): Promise<Parts> {
  const { store, audit, dataDir, log, now, events = noRecordEvents, monotonicMs = () => performance.now() } = deps;
  const { runFfmpeg: run = runFfmpeg, measureDisk: measure = measureDisk } = deps;
  const folder = await openRecordFolder(join(dataDir, 'record'));
  const rules = await openRecordRules({ store, audit, dataDir });
  const catalogue = new RecordCatalogue(store.collection(recordCollection), deps.nodes.self.id, log);
  const onChange = (room: DiskRoom) => tellOfDisk(room, () => bin.purge('on disk'), log);
  const disk = createDiskWatch({ path: folder.root, monotonicMs, measure, onChange });
  const finisher = new RecordFinisher({
    ...{ folder, catalogue, disk, now, log, runFfmpeg: run },
    copyFolder: () => rules.copyFolder(),
    onDone: (facts) => {
      events.notify(ended(facts));
      objects.offer(facts);
    },
  });
  const findUnreported = createUnreportedSegments(deps.hlsPath, segmentSeconds);
  const taskDeps = { folder, catalogue, disk, rules, finisher, events, findUnreported, now, monotonicMs, log };
  const tasks = new RecordTasks(taskDeps);
  const posters = createPosters({ folder, runFfmpeg: run, log });
  const objects = createRecordObjects({ bucket: deps.objects, folder, catalogue, posters, monotonicMs, log });
  const bin = createRecordBin({ folder, catalogue, tasks, finisher, objects, audit, now, log });
  const retention = await openRecordRetention({
    ...{ store, audit, now, log },
    rows: () => catalogue.list({ search: '', offset: 0, limit: undefined }),
    remove: (uuid) => bin.discard(uuid),
  });
  return { folder, rules, catalogue, disk, finisher, tasks, bin, retention, posters, objects, bucket: deps.objects };
}

function tellOfDisk({ state, freeBytes }: DiskRoom, emptyBin: () => Promise<void>, log: Log): void {
  if (state === 'full') {
    log.error({ freeBytes }, 'the disk is full: recording pauses, what is there is kept');
    inBackground(emptyBin(), log, 'the bin cannot be emptied');
  } else {
    log.warn({ state, freeBytes }, 'room on the disk has changed');
  }
}

/** Shows what the folder and the table know and goes on with what was not finished. Answers recordings the table lacks. */
async function resumeUnfinished(
  { folder, catalogue, tasks, finisher }: Parts,
  { nodes, now, log }: RecordsDeps,
): Promise<string[]> {
  const { present, found, missing } = await takeInventory(folder, await catalogue.stored(), now());
  const lost = missing.filter(({ node = nodes.self.id }) => node === nodes.self.id);
  if (lost.length > 0) log.warn({ count: lost.length }, 'recordings are not in the record folder');
  for (const facts of present) {
    // Its folder may be one that both servers see.
    if (!isFinished(facts) && isOfOtherNode(facts, nodes)) continue;
    catalogue.show(facts);
    if (facts.isAway && facts.removedAt === undefined) await folder.removeMedia(facts.uuid);
    if (facts.removedAt !== undefined || isFinished(facts)) continue;
    if (facts.state === 'recording') {
      await tasks.resume(facts).catch((error) => log.error({ err: error }, 'recording cannot be taken up'));
    } else finisher.enqueue(facts.uuid);
  }
  return found.map(({ uuid }) => uuid);
}

class StoredRecords implements Records {
  readonly rules: Records['rules'];
  readonly bin: Records['bin'];
  readonly retention: Records['retention'];
  readonly #parts: Parts;
  readonly #log: Log;
  readonly #allRows = createRowList();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;

  constructor(parts: Parts, { log }: RecordsDeps, found: readonly string[]) {
    this.rules = parts.rules;
    this.bin = parts.bin;
    this.retention = parts.retention;
    this.#parts = parts;
    this.#log = log;
    this.#kept = this.#keepAll(found).catch((error) =>
      log.error({ err: error }, 'recordings found in the folder are not in the table'),
    );
  }

  onSegment(segment: HlsSegment): Promise<void> {
    return this.#parts.tasks.onSegment(segment);
  }

  files(page: RecordPage): RecordRow[] {
    const { catalogue } = this.#parts;
    const isAll = page.search === '' && page.offset === 0 && page.limit === undefined;
    return isAll ? this.#allRows(catalogue.list(page)) : catalogue.list(page).map(toRow);
  }

  async status(search: string): ReturnType<Records['status']> {
    const { catalogue, disk } = this.#parts;
    return { totals: catalogue.totals(''), matching: catalogue.totals(search), disk: await disk.look() };
  }

  async end(uuid: string): Promise<void> {
    if (!this.#parts.catalogue.get(uuid)) throw new AppError('notFound', because('record.none', { uuid }));
    await this.#parts.tasks.end(uuid);
  }

  stored(): ReturnType<Records['stored']> {
    return this.#parts.objects.totals();
  }

  async endAll(): Promise<void> {
    const all = this.#parts.catalogue.list({ search: '', offset: 0, limit: undefined }).map(toRow);
    for (const { uuid, progress } of all) if (progress) await this.#parts.tasks.end(uuid);
  }

  streamRecording(source: StreamName): ReturnType<Records['streamRecording']> {
    const { rules, tasks } = this.#parts;
    const since = tasks.runningOf(source)[0]?.begin ?? '';
    return { wanted: rules.admits(source), chosen: rules.choiceOf(source) ?? null, since };
  }

  async recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void> {
    const { rules, tasks } = this.#parts;
    await rules.choose(source, record, actor);
    // One that has ended by itself meanwhile is ended.
    const end = (uuid: string) =>
      tasks.end(uuid).catch((error) => this.#log.debug({ err: error, uuid }, 'not running'));
    if (!record) await Promise.all(tasks.runningOf(source).map(({ uuid }) => end(uuid)));
  }

  async link(path: string): Promise<RecordLink | undefined> {
    const [, isSegment, uuid = '', rest = ''] = linkPattern.exec(path) ?? [];
    if (!isRecordUuid(uuid) || !this.#parts.catalogue.get(uuid)) return undefined;
    if (isSegment || rest === '' || rest === 'index.m3u8') this.#parts.objects.onPlaylistUse(uuid);
    if (isSegment) return parseSegmentName(rest) && this.#fileNamed(uuid, rest, 'video/mp2t');
    if (rest === '' || rest === 'index.m3u8') return this.#playlistOf(uuid);
    if (rest === mp4Name) return this.#mp4Of(uuid);
    if (rest !== 'poster.jpg' || !(await this.#parts.posters.find(uuid))) return undefined;
    return this.#fileNamed(uuid, rest, 'image/jpeg');
  }

  sourceOf(path: string): StreamName | undefined {
    const [, , uuid = ''] = linkPattern.exec(path) ?? [];
    return this.#parts.catalogue.get(uuid);
  }

  start(): void {
    const { tasks, bin, retention, objects } = this.#parts;
    objects.offerAll();
    this.#every(tickMs, () => tasks.tick(), 'recordings cannot be ended');
    this.#every(binIntervalMs, () => bin.purge(), 'the bin cannot be emptied');
    this.#every(objectsIntervalMs, async () => objects.offerAll(), 'recordings are not offered to the bucket');
    this.#every(retentionIntervalMs, () => retention.apply(), 'old recordings cannot be removed');
  }

  async close(): Promise<void> {
    const { tasks, finisher, posters } = this.#parts;
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#kept;
    await tasks.close();
    await Promise.all([finisher.close(), posters.close()]);
  }

  #every(intervalMs: number, work: () => Promise<void>, failure: string): void {
    this.#timers.push(setInterval(() => inBackground(work(), this.#log, failure), intervalMs).unref());
  }

  async #playlistOf(uuid: string): Promise<RecordLink | undefined> {
    const { tasks, folder, catalogue } = this.#parts;
    // Players that take a file instead of a playlist go on with it. What is left of the slices is being removed.
    if (catalogue.get(uuid)?.isAway) return { kind: 'elsewhere', url: `${recordLinkPrefix}${uuid}/${mp4Name}` };
    const segments = tasks.segmentsOf(uuid) ?? (await folder.segments(uuid));
    if (segments.length === 0) return undefined;
    return { kind: 'playlist', text: writePlaylist(segments, `${recordLinkPrefix}record/${uuid}/`) };
  }

  /** The local copy as long as there is one. */
  async #mp4Of(uuid: string): Promise<RecordLink> {
    const { bucket, catalogue, folder } = this.#parts;
    const local = this.#fileNamed(uuid, mp4Name, 'video/mp4');
    const object = catalogue.get(uuid)?.object;
    if (!object || (await stat(folder.pathOf(uuid, mp4Name)).catch(() => undefined))) return local;
    const type = 'video/mp4';
    return {
      ...{ kind: 'object', type, name: this.#niceName(uuid), sizeBytes: object.sizeBytes, etag: object.etag },
      modifiedMs: Date.parse(object.at),
      read: (range, signal) => bucket.read(object, range, signal),
      direct: async (saveAs) =>
        (await bucket.delivers()) === 'direct' ? bucket.link(object, { contentType: type, saveAs }) : undefined,
    };
  }

  #fileNamed(uuid: string, name: string, type: string): RecordLink {
    return { kind: 'file', path: this.#parts.folder.pathOf(uuid, name), type, name: this.#niceName(uuid) };
  }

  #niceName(uuid: string): string {
    const { stream = '', begin = '' } = this.#parts.catalogue.get(uuid) ?? {};
    return `${stream || 'recording'}-${begin.replace(/[:.]/g, '-')}`;
  }

  /** Thousands of them, after the table was lost, must not delay the start; a next start would find them again. */
  async #keepAll(uuids: readonly string[]): Promise<void> {
    const { catalogue } = this.#parts;
    for (const uuid of uuids) {
      const facts = catalogue.get(uuid) ?? catalogue.removed(uuid);
      if (this.#stopping.signal.aborted) return;
      if (facts) await catalogue.keep(facts);
    }
  }
}

/** `{uuid}.m3u8`, `{uuid}/{file}`, `record/{uuid}/{segment}`; names without any slash or dot-dot. */
const linkPattern = /^(?:(record)\/)?([0-9a-f-]{36})(?:\.m3u8|\/([\w-]+\.(?:ts|m3u8|mp4|jpg)))$/;
