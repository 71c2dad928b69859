// One kind of cloud recording (DVR or VoD): switch, recordings and playlists. Collects the segments in a separate folder and uploads them.
import { join } from 'node:path';
import { AppError, because, type CloudRow, changed, cloudLinkPrefixes, switched } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { createDiskWatch, type MeasureDisk, measureDisk } from '../disk-space.ts';
import type { ElsewhereTarget, LocalTarget } from '../link-target.ts';
import { RecordCatalogue } from '../record-catalogue.ts';
import { noRecordEvents } from '../record-events.ts';
import { isFinished, type RecordFacts, type RecordNodes, recordCollection } from '../record-facts.ts';
import { isRecordUuid, openRecordFolder } from '../record-folder.ts';
import { takeInventory } from '../record-inventory.ts';
import { noPlan } from '../rules/record-plan.ts';
import { noSplit } from '../rules/record-split.ts';
import { RecordTasks } from '../running/record-tasks.ts';
import { createUnreportedSegments, segmentSeconds } from '../running/unreported-segments.ts';
import { writePlaylist } from '../segments/playlist-text.ts';
import { parseSegmentName, writeSegmentName } from '../segments/segment-name.ts';
import { type Cloud, CloudError } from './cloud.ts';
import type { CloudAccountService, ReadyAccount } from './cloud-account.ts';
import { createDvrDestination } from './dvr-destination.ts';
import { type TransferFacts, transferCollection } from './transfer-facts.ts';
import { type CloudFolder, withLedger } from './transfer-ledger.ts';
import { lookUpIntervalMs, Transfers } from './transfers.ts';
import { createVodDestination } from './vod-destination.ts';

/** Interval of checks for recordings without new segments, milliseconds. */
const tickMs = 300;

interface CloudTask {
  readonly row: CloudRow;
  readonly transfer: TransferFacts;
}

export interface CloudRecorder {
  isOn(): boolean;
  apply(all: boolean, actor: Actor): Promise<void>;
  onSegment(segment: HlsSegment): Promise<void>;
  /** Newest first. */
  tasks(): CloudTask[];
  /** Throws `notFound`. */
  remove(uuid: string, actor: Actor): Promise<void>;
  link(path: string): Promise<LocalTarget | ElsewhereTarget | undefined>;
  /** Retries waiting uploads immediately, e.g. with new credentials. */
  retryNow(): void;
  lookUp(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface CloudRecorderDeps {
  readonly kind: 'dvr' | 'vod';
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly account: CloudAccountService;
  readonly cloud: Cloud;
  readonly dataDir: string;
  readonly hlsPath: string;
  readonly log: Log;
  readonly nodes: RecordNodes;
  readonly now: () => Date;
  readonly monotonicMs?: () => number;
  readonly measureDisk?: MeasureDisk;
}

/** Resolves when interrupted recordings and uploads have been resumed. */
export async function openCloudRecorder(deps: CloudRecorderDeps): Promise<CloudRecorder> {
  const parts = await openParts(deps);
  await resumeUnfinished(parts, deps);
  return new StoredCloudRecorder(parts, deps);
}

interface Parts {
  readonly rules: DocumentType<{ all: boolean }>;
  /** `all`: records all streams. */
  readonly wanted: { all: boolean };
  /** Recordings with a new segment that is not queued for upload yet. */
  readonly adopted: Set<string>;
  readonly folder: CloudFolder;
  readonly catalogue: RecordCatalogue;
  readonly transfers: Transfers;
  readonly tasks: RecordTasks;
}

async function openParts(deps: CloudRecorderDeps): Promise<Parts> {
  const { kind, store, account, cloud, log, now, monotonicMs = () => performance.now() } = deps;
  const rules = rulesDocument(kind);
  const { all } = await store.get(rules);
  const wanted = { all };
  const adopted = new Set<string>();
  const folder = withLedger(await openRecordFolder(join(deps.dataDir, kind)), (uuid) => adopted.add(uuid));
  const stored = store.collection({ ...recordCollection, name: `${kind}-recordings` });
  const catalogue = new RecordCatalogue(stored, deps.nodes.self, log);
  const disk = createDiskWatch({
    path: folder.root,
    monotonicMs,
    measure: deps.measureDisk ?? measureDisk,
    onChange: ({ state, freeBytes }) =>
      log.warn({ kind, state, freeBytes }, 'state of the free disk space for cloud recordings has changed'),
  });
  const destinationDeps = { cloud, folder, account: () => readyAccount(account), now };
  const destination = kind === 'dvr' ? createDvrDestination(destinationDeps) : createVodDestination(destinationDeps);
  const rows = store.collection(transferCollection(kind));
  const transfers = new Transfers({ folder, catalogue, rows, destination, now, log });
  /** Segments are accepted only if the credentials are complete. VoD also requires an application. */
  const isReady = () => (kind === 'dvr' ? account.ready() : account.ready()?.vod) !== undefined;
  const tasks = new RecordTasks({
    ...{ folder, catalogue, disk, now, monotonicMs, log },
    // Running recordings wait for their encoder even after cloud recording is switched off.
    rules: { waits: () => true, admits: () => wanted.all && isReady(), plan: noPlan },
    limits: () => noSplit,
    finisher: transfers,
    events: noRecordEvents,
    findUnreported: createUnreportedSegments(deps.hlsPath, segmentSeconds),
  });
  return { rules, wanted, adopted, folder, catalogue, transfers, tasks };
}

function rulesDocument(kind: CloudRecorderDeps['kind']): DocumentType<{ all: boolean }> {
  return { key: `${kind}-rules`, schema: z.object({ all: z.boolean() }), empty: { all: false } };
}

function readyAccount(account: CloudAccountService): ReadyAccount {
  const ready = account.ready();
  if (!ready) throw new CloudError('account', '', 'there are no cloud credentials');
  return ready;
}

async function resumeUnfinished(
  { folder, catalogue, transfers, tasks }: Parts,
  deps: CloudRecorderDeps,
): Promise<void> {
  const { kind, log, now } = deps;
  await transfers.open();
  const { present, found } = await takeInventory(folder, await catalogue.stored(), now());
  for (const facts of present) {
    if (found.includes(facts)) await catalogue.keep(facts);
    else catalogue.show(facts);
    if (isFinished(facts)) continue;
    if (facts.state === 'recording')
      await tasks.resume(facts).catch((error) => log.error({ err: error, kind }, 'cloud recording cannot be resumed'));
    transfers.enqueue(facts.uuid);
  }
}

class StoredCloudRecorder implements CloudRecorder {
  readonly #parts: Parts;
  readonly #deps: CloudRecorderDeps;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();

  constructor(parts: Parts, deps: CloudRecorderDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  isOn(): boolean {
    return this.#parts.wanted.all;
  }

  async apply(all: boolean, actor: Actor): Promise<void> {
    const { store, audit, kind } = this.#deps;
    await store.set(this.#parts.rules, { all });
    this.#parts.wanted.all = all;
    const detail = changed('cloud.all', { kind: kind.toUpperCase(), state: switched(all) });
    await audit.record('setting-changed', actor, detail);
  }

  async onSegment(segment: HlsSegment): Promise<void> {
    const { tasks, adopted, transfers } = this.#parts;
    await tasks.onSegment(segment);
    for (const uuid of adopted) transfers.enqueue(uuid);
    adopted.clear();
  }

  tasks(): CloudTask[] {
    const { catalogue, transfers } = this.#parts;
    return catalogue.list({ search: '', offset: 0, limit: undefined }).map((facts) => {
      const transfer = transfers.facts(facts.uuid);
      return { row: toCloudRow(facts, transfer), transfer };
    });
  }

  async remove(uuid: string, actor: Actor): Promise<void> {
    const { catalogue, tasks, transfers, folder } = this.#parts;
    const kind = this.#deps.kind.toUpperCase();
    const facts = catalogue.get(uuid);
    if (!facts) throw new AppError('notFound', because('record.no-cloud-task', { kind, uuid }));
    await tasks.drop(uuid);
    await transfers.drop(uuid);
    await folder.purge(uuid);
    await catalogue.forget(uuid);
    const detail = changed('cloud.task-removed', { kind, stream: `${facts.app}/${facts.stream}`, uuid });
    await this.#deps.audit.record('setting-changed', actor, detail);
  }

  async link(path: string): Promise<LocalTarget | ElsewhereTarget | undefined> {
    const { catalogue, folder } = this.#parts;
    const [, uuid = '', name = ''] = linkPattern.exec(path) ?? [];
    if (!isRecordUuid(uuid) || !catalogue.get(uuid)) return undefined;
    if (name === '' || name === 'index.m3u8') {
      const text = await this.#playlistOf(uuid);
      return text === undefined ? undefined : { kind: 'playlist', text };
    }
    if (!parseSegmentName(name)) return undefined;
    const gone = (await folder.local(uuid)).every((each) => writeSegmentName(each) !== name);
    const line = gone ? (await folder.uploaded(uuid)).get(name) : undefined;
    if (line) return { kind: 'elsewhere', url: this.#objectUrl(uuid, line.key) };
    return { kind: 'file', path: folder.pathOf(uuid, name), type: 'video/mp2t', name };
  }

  retryNow(): void {
    this.#parts.transfers.retryNow();
  }

  lookUp(): Promise<void> {
    const { log, kind } = this.#deps;
    return this.#parts.transfers
      .lookUp(this.#stopping.signal)
      .catch((error) => log.error({ err: error, kind }, 'results of cloud uploads could not be queried'));
  }

  start(): void {
    this.#every(tickMs, () => this.#parts.tasks.tick(), 'cloud recordings cannot be ended');
    if (this.#deps.kind === 'vod')
      this.#every(lookUpIntervalMs, () => this.lookUp(), 'results of cloud uploads could not be queried');
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#parts.tasks.close();
    await this.#parts.transfers.close();
  }

  #every(intervalMs: number, work: () => Promise<void>, failure: string): void {
    this.#timers.push(setInterval(() => inBackground(work(), this.#deps.log, failure), intervalMs).unref());
  }

  async #playlistOf(uuid: string): Promise<string | undefined> {
    const { folder, tasks } = this.#parts;
    const uploaded = await folder.uploaded(uuid);
    const segments = tasks.segmentsOf(uuid) ?? (await folder.segments(uuid));
    if (segments.length === 0) return undefined;
    const here = new Set((await folder.local(uuid)).map(writeSegmentName));
    return writePlaylist(segments, (name) => {
      const line = here.has(name) ? undefined : uploaded.get(name);
      return line ? this.#objectUrl(uuid, line.key) : `${cloudLinkPrefixes[this.#deps.kind]}${uuid}/${name}`;
    });
  }

  #objectUrl(uuid: string, key: string): string {
    const { bucket, region } = this.#parts.transfers.facts(uuid);
    return this.#deps.cloud.objectUrl({ bucket, region, key });
  }
}

/** Links: `{uuid}.m3u8`, `{uuid}/index.m3u8`, `{uuid}/{segment}`. */
const linkPattern = /^([0-9a-f-]{36})(?:\.m3u8|\/([\w-]+\.(?:ts|m3u8)))$/;

function toCloudRow(facts: RecordFacts, transfer: TransferFacts): CloudRow {
  const {
    m3u8Url: _,
    removedAt: __,
    mp4Size: ___,
    state,
    problem: ____,
    node: _____,
    nodeName: ______,
    label: _______,
    part: ________,
    ...row
  } = facts;
  const { uploaded, problem, problemKind, problemCode = '', retryAt } = transfer;
  const cloudState = state === 'recording' ? 'recording' : isFinished(facts) ? 'done' : 'uploading';
  const nextState = { state: cloudState, progress: cloudState !== 'done' } as const;
  return { ...row, ...nextState, uploaded, problem, problemKind, problemCode, retryAt };
}
