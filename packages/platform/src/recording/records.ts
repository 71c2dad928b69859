// Local recording as the rest of the platform sees it: opened at boot, told of segments, asked by calls and links.
import { join } from 'node:path';
import { AppError, because, type RecordRow, type RecordTotals } from '@srs-stack/contract';
import type { RecordOrder } from '@srs-stack/contract/models/node-orders.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { rewindFolderName } from '@srs-stack/process/rewind/rewind-names.ts';
import { type Actor, thisServer } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { HlsSegment } from '../streams/hls-segments.ts';
import { type Clips, createClips } from './clips.ts';
import { createDiskWatch, type DiskRoom, type DiskWatch, type MeasureDisk, measureDisk } from './disk-room.ts';
import type { LinkTarget } from './link-target.ts';
import { OtherRecords } from './listing/other-records.ts';
import { type NodeRecords, RecordListing } from './listing/record-listing.ts';
import { createClusterBin, type RecordPeers, reachable } from './listing/record-peers.ts';
import { createPosters, type Posters } from './mp4/poster.ts';
import { RecordFinisher } from './mp4/record-finisher.ts';
import { type RunFfmpeg, runFfmpeg } from './mp4/remux.ts';
import { createRecordBin, type RecordBin } from './record-bin.ts';
import { RecordCatalogue, type RecordPage } from './record-catalogue.ts';
import { ended, noRecordEvents, type RecordEvents } from './record-events.ts';
import { isFinished, isOfOtherNode, type RecordCluster, type RecordFacts, recordCollection } from './record-facts.ts';
import { openRecordFolder, type RecordFolder } from './record-folder.ts';
import { takeInventory } from './record-inventory.ts';
import { RecordLinks } from './record-link.ts';
import { createRecordObjects, type RecordBucket, type RecordObjects } from './record-objects.ts';
import { openRecordRetention, type RecordRetentionService } from './rules/record-retention.ts';
import { openRecordRules, type RecordRulesService } from './rules/record-rules.ts';
import { RecordTasks, type RunningRecording } from './running/record-tasks.ts';
import { createUnreportedSegments, segmentSeconds } from './running/unreported-segments.ts';

/** How often running recordings are looked at, milliseconds. */
const tickMs = 300;
/** How often the bin is looked at, milliseconds. */
const binIntervalMs = 60_000;

/** How often the retention rules are applied, milliseconds. */
const retentionIntervalMs = 60_000;

/** How often recordings are looked for whose local copy may go, milliseconds. */
const objectsIntervalMs = 60_000;

/** How often other nodes are told how long their recordings are that run, milliseconds: as often as a page asks. */
const runningIntervalMs = 10_000;

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

interface RecordStatus {
  readonly totals: RecordTotals;
  readonly matching: RecordTotals;
  readonly disk: DiskRoom;
  readonly nodes?: NodeRecords[];
}

/** What this node does with its own recordings for another one. */
interface OwnRecords {
  /** Throws what the call of a console throws. */
  obey(order: RecordOrder): Promise<void>;
  link(path: string): Promise<LinkTarget | undefined>;
}

export interface Records {
  readonly rules: RecordRulesService;
  readonly bin: RecordBin;
  readonly retention: RecordRetentionService;
  /** Pieces of live streams. */
  readonly clips: Clips;
  onSegment(segment: HlsSegment): Promise<void>;
  files(page: RecordPage): RecordRow[];
  status(search: string): Promise<RecordStatus>;
  /** On the node that records it. */
  end(uuid: string, actor?: Actor): Promise<void>;
  /** The record button of one stream. */
  streamRecording(source: StreamName): { wanted: boolean; chosen: boolean | null; since: string };
  /** Records this stream from its next segment on, or ends its recording now. */
  recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void>;
  /** Recordings in a bucket, and those that none has. */
  stored(): ReturnType<RecordObjects['totals']>;
  /** For other nodes. */
  readonly own: OwnRecords;
  /** By id of the node, recordings whose files no bucket has; empty where there is one server alone. */
  onlyThere(): ReadonlyMap<string, number>;
  /** Ends everything that is being recorded here. */
  endAll(): Promise<void>;
  /** Resolves a link below the prefix; undefined when there is nothing. */
  link(path: string): Promise<LinkTarget | undefined>;
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
  /** Called with the recordings that run whenever they are others. */
  readonly onRunning?: (running: readonly RunningRecording[]) => void;
  /** Those that share the store. */
  readonly nodes: RecordCluster;
  readonly peers: RecordPeers;
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
  readonly others: OtherRecords;
  readonly listing: RecordListing;
  readonly links: RecordLinks;
  /** Of this node. */
  readonly ownBin: RecordBin;
  /** Of all nodes. */
  readonly clusterBin: RecordBin;
  readonly disk: DiskWatch;
  readonly finisher: RecordFinisher;
  readonly tasks: RecordTasks;
  readonly retention: RecordRetentionService;
  readonly posters: Posters;
  readonly objects: RecordObjects;
  readonly clips: Clips;
}

async function openParts(deps: RecordsDeps): Promise<Parts> {
  const { store, audit, dataDir, log, now, events = noRecordEvents, monotonicMs = () => performance.now() } = deps;
  const { runFfmpeg: run = runFfmpeg, measureDisk: measure = measureDisk } = deps;
  const folder = await openRecordFolder(join(dataDir, 'record'));
  const rules = await openRecordRules({ store, audit, dataDir });
  const { nodes, peers } = deps;
  const collection = store.collection(recordCollection);
  const catalogue = new RecordCatalogue(collection, nodes.self, log);
  const others = new OtherRecords({ collection, nodeId: nodes.self.id, log });
  // Before the first read: nothing that is stored meanwhile is missed.
  if (nodes.isShared) store.subscribe((change) => others.onChange(change));
  const listing = new RecordListing({ catalogue, others, nodes });
  const onChange = (room: DiskRoom) => tellOfDisk(room, () => ownBin.purge('on disk'), log);
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
  const toRow = (facts: RecordFacts) => listing.row(facts);
  const ownBin = createRecordBin({ folder, catalogue, tasks, finisher, objects, toRow, audit, now, log });
  const abandoned = {
    async forget(facts: RecordFacts) {
      await objects.remove(facts);
      await others.forget(facts.uuid);
    },
  };
  const clusterBin = createClusterBin({ own: ownBin, listing, nodes, peers, abandoned, others });
  const retention = await openRecordRetention({
    ...{ store, audit, now, log },
    rows: () => catalogue.list({ search: '', offset: 0, limit: undefined }),
    remove: (uuid) => ownBin.discard(uuid),
  });
  const clips = createClips({ root: join(dataDir, rewindFolderName), folder, catalogue, finisher, now, log });
  const bucket = deps.objects;
  const links = new RecordLinks({ catalogue, listing, nodes, peers, folder, tasks, posters, objects, bucket });
  return {
    ...{ folder, rules, catalogue, others, listing, links, disk, finisher, tasks, ownBin, clusterBin },
    ...{ retention, posters, objects, clips },
  };
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
  { folder, catalogue, others, tasks, finisher }: Parts,
  { nodes, now, log }: RecordsDeps,
): Promise<string[]> {
  const stored = await catalogue.stored();
  // A server that is alone has nobody to ask for what others had.
  if (nodes.isShared) others.take(stored);
  const { present, found, missing } = await takeInventory(folder, stored, now());
  const lost = missing.filter(({ node = nodes.self.id }) => node === nodes.self.id);
  if (lost.length > 0) log.warn({ count: lost.length }, 'recordings are not in the record folder');
  for (const facts of present) {
    // Its folder may be one that both servers see.
    if (!isFinished(facts) && isOfOtherNode(facts, nodes)) continue;
    catalogue.show(withoutNode(facts));
    if (facts.isAway && facts.removedAt === undefined) await folder.removeMedia(facts.uuid);
    if (facts.removedAt !== undefined || isFinished(facts)) continue;
    if (facts.state === 'recording') {
      await tasks.resume(facts).catch((error) => log.error({ err: error }, 'recording cannot be taken up'));
    } else finisher.enqueue(facts.uuid);
  }
  // After those that run, whose many segments would push out the few of these.
  for (const { uuid } of lastEnded(present))
    await tasks.rememberEnd(uuid).catch((error) => log.warn({ err: error, uuid }, 'end of a recording not read'));
  // Rows that do not say whose folder has them would be seen by nobody else.
  const isUnclaimed = (facts: RecordFacts) => facts.node !== nodes.self.id || facts.nodeName !== nodes.self.name;
  const unclaimed = nodes.isShared ? present.filter((facts) => isUnclaimed(facts) && !isOfOtherNode(facts, nodes)) : [];
  return [...new Set([...found, ...unclaimed].map(({ uuid }) => uuid))];
}

/** Recordings whose last segments may be reported once more after a start: as many as streams may end in the moment before a kill. */
const maxLastEnded = 100;

/** Newest first, those whose segments are on the disk. */
function lastEnded(present: readonly RecordFacts[]): RecordFacts[] {
  const ended = present.filter(({ state, isAway, removedAt }) => state !== 'recording' && !isAway && !removedAt);
  return ended.sort((a, b) => b.update.localeCompare(a.update)).slice(0, maxLastEnded);
}

/** What lies in the folder of this node is this node's. */
function withoutNode({ node: _, nodeName: __, ...facts }: RecordFacts): RecordFacts {
  return facts;
}

class StoredRecords implements Records {
  readonly rules: Records['rules'];
  readonly bin: Records['bin'];
  readonly retention: Records['retention'];
  readonly clips: Records['clips'];
  readonly own: Records['own'];
  readonly #deps: Pick<RecordsDeps, 'nodes' | 'peers'>;
  readonly #parts: Parts;
  readonly #log: Log;
  readonly #onRunning: NonNullable<RecordsDeps['onRunning']>;
  #toldRunning = '';
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;

  constructor(parts: Parts, deps: RecordsDeps, found: readonly string[]) {
    const { log, onRunning = () => undefined } = deps;
    this.rules = parts.rules;
    this.bin = parts.clusterBin;
    this.own = { obey: (order) => this.#obey(order), link: (path) => parts.links.findOwn(path) };
    this.#deps = deps;
    this.retention = parts.retention;
    this.clips = parts.clips;
    this.#onRunning = onRunning;
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
    return this.#parts.listing.rows(page);
  }

  async status(search: string): ReturnType<Records['status']> {
    const { listing, disk } = this.#parts;
    const [totals, matching] = [listing.totals(''), listing.totals(search)];
    const nodes = listing.nodes();
    return { totals, matching, disk: await disk.look(), ...(nodes && { nodes }) };
  }

  async end(uuid: string, actor = thisServer): Promise<void> {
    const { nodes, peers } = this.#deps;
    const other = this.#parts.listing.other(uuid);
    if (!other) return this.#endOwn(uuid);
    return peers.order(reachable(other, nodes), { action: 'end', uuid, ip: actor.ip });
  }

  onlyThere(): ReturnType<Records['onlyThere']> {
    return this.#parts.listing.onlyThere();
  }

  stored(): ReturnType<Records['stored']> {
    return this.#parts.objects.totals();
  }

  async endAll(): Promise<void> {
    const all = this.#parts.catalogue.list({ search: '', offset: 0, limit: undefined });
    for (const facts of all) if (!isFinished(facts)) await this.#parts.tasks.end(facts.uuid);
  }

  streamRecording(source: StreamName): ReturnType<Records['streamRecording']> {
    const { rules, tasks, others } = this.#parts;
    const since = (tasks.runningOf(source)[0] ?? others.runningOf(source)[0])?.begin ?? '';
    return { wanted: rules.admits(source), chosen: rules.choiceOf(source) ?? null, since };
  }

  async recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void> {
    const { rules, tasks } = this.#parts;
    await rules.choose(source, record, actor);
    // One that has ended by itself meanwhile is ended.
    const end = (uuid: string) =>
      tasks.end(uuid).catch((error) => this.#log.debug({ err: error, uuid }, 'not running'));
    if (record) return;
    await Promise.all(tasks.runningOf(source).map(({ uuid }) => end(uuid)));
    const endThere = ({ uuid }: RecordFacts) =>
      this.end(uuid, actor).catch((error) => this.#log.warn({ err: error, uuid }, 'not ended on its node'));
    await Promise.all(this.#parts.others.runningOf(source).map(endThere));
  }

  link(path: string): Promise<LinkTarget | undefined> {
    return this.#parts.links.find(path);
  }

  sourceOf(path: string): StreamName | undefined {
    return this.#parts.links.sourceOf(path);
  }

  start(): void {
    const { tasks, ownBin, retention, objects, catalogue } = this.#parts;
    objects.offerAll();
    if (this.#deps.nodes.isShared)
      this.#every(runningIntervalMs, () => catalogue.keepRunning(), 'other nodes are not told of what is recorded');
    this.#every(tickMs, () => tasks.tick(), 'recordings cannot be ended');
    this.#every(tickMs, async () => this.#tellRunning(), 'recordings that run are not told');
    this.#every(binIntervalMs, () => ownBin.purge(), 'the bin cannot be emptied');
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

  async #endOwn(uuid: string): Promise<void> {
    if (!this.#parts.catalogue.get(uuid)) throw new AppError('notFound', because('record.none', { uuid }));
    await this.#parts.tasks.end(uuid);
  }

  /** Only what is here: an order is never handed on. */
  #obey(order: RecordOrder): Promise<void> {
    const { ownBin } = this.#parts;
    const actor: Actor = { ip: order.ip };
    if (order.action === 'end') return this.#endOwn(order.uuid);
    if (order.action === 'remove') return ownBin.remove(order.uuid, order.forever, actor);
    if (order.action === 'restore') return ownBin.restore(order.uuid, actor);
    return ownBin.empty(actor);
  }

  #tellRunning(): void {
    const running = this.#parts.tasks.running();
    const text = JSON.stringify(running);
    if (text === this.#toldRunning) return;
    this.#toldRunning = text;
    this.#onRunning(running);
  }

  #every(intervalMs: number, work: () => Promise<void>, failure: string): void {
    this.#timers.push(setInterval(() => inBackground(work(), this.#log, failure), intervalMs).unref());
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
