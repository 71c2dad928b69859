// DVR or VoD as calls and links see it: its switch, its tasks, their playlists. Segments are taken as local recording takes
// them, in a folder of its own, and leave it for the cloud.
import { join } from 'node:path';
import { AppError, because, type CloudRow, changed, cloudLinkPrefixes, switched } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { createDiskWatch, type MeasureDisk, measureDisk } from '../disk-room.ts';
import { writePlaylist } from '../playlist-text.ts';
import { RecordCatalogue } from '../record-catalogue.ts';
import { noRecordEvents } from '../record-events.ts';
import { isFinished, type RecordFacts, recordCollection } from '../record-facts.ts';
import { isRecordUuid, openRecordFolder } from '../record-folder.ts';
import { takeInventory } from '../record-inventory.ts';
import { RecordTasks } from '../record-tasks.ts';
import { parseSegmentName, writeSegmentName } from '../segment-name.ts';
import { createUnreportedSegments, segmentSeconds } from '../unreported-segments.ts';
import { type Cloud, CloudError } from './cloud.ts';
import type { CloudAccountService } from './cloud-account.ts';
import { createDvrDestination } from './dvr-destination.ts';
import { type TransferFacts, transferCollection } from './transfer-facts.ts';
import { withLedger } from './transfer-ledger.ts';
import { lookUpIntervalMs, Transfers } from './transfers.ts';
import { createVodDestination } from './vod-destination.ts';

/** How often silent recordings are looked for, milliseconds. */
const tickMs = 300;

type CloudLink =
  | { readonly kind: 'playlist'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly type: string; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly url: string };

interface CloudTask {
  readonly row: CloudRow;
  readonly transfer: TransferFacts;
}

export interface CloudRecorder {
  isOn(): boolean;
  apply(all: boolean, ip: string): Promise<void>;
  onSegment(segment: HlsSegment): Promise<void>;
  /** Newest first. */
  tasks(): CloudTask[];
  /** Throws `notFound`. */
  remove(uuid: string, ip: string): Promise<void>;
  link(path: string): Promise<CloudLink | undefined>;
  /** New credentials: what waits tries at once. */
  retryNow(): void;
  /** Asks the cloud for results it still owes. */
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
  /** Folder of playlists and segments of the media server. */
  readonly hlsPath: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly monotonicMs?: () => number;
  readonly measureDisk?: MeasureDisk;
}

export async function openCloudRecorder(deps: CloudRecorderDeps): Promise<CloudRecorder> {
  const { kind, store, audit, account, cloud, log, now, monotonicMs = () => performance.now() } = deps;
  const rules: DocumentType<{ all: boolean }> = {
    key: `${kind}-rules`,
    schema: z.object({ all: z.boolean() }),
    empty: { all: false },
  };
  let { all } = await store.get(rules);
  /** Recordings with a segment that nobody was told of yet. */
  const adopted = new Set<string>();
  const folder = withLedger(await openRecordFolder(join(deps.dataDir, kind)), (uuid) => adopted.add(uuid));
  const catalogue = new RecordCatalogue(store.collection({ ...recordCollection, name: `${kind}-recordings` }), log);
  const disk = createDiskWatch({
    path: folder.root,
    monotonicMs,
    measure: deps.measureDisk ?? measureDisk,
    onChange: ({ state, freeBytes }) => log.warn({ kind, state, freeBytes }, 'room for cloud recordings has changed'),
  });
  const readyAccount = () => {
    const ready = account.ready();
    if (!ready) throw new CloudError('account', '', 'there are no cloud credentials');
    return ready;
  };
  const destinationDeps = { cloud, folder, account: readyAccount, now };
  const destination = kind === 'dvr' ? createDvrDestination(destinationDeps) : createVodDestination(destinationDeps);
  const rows = store.collection(transferCollection(kind));
  const transfers = new Transfers({ folder, catalogue, rows, destination, now, log });
  /** Segments are not wanted until there is somewhere to send them. */
  const isReady = () => (kind === 'dvr' ? account.ready() : account.ready()?.vod) !== undefined;
  const tasks = new RecordTasks({
    folder,
    catalogue,
    disk,
    // The end of a recording does not depend on the switch.
    rules: { waits: () => true, admits: () => all && isReady() },
    finisher: transfers,
    events: noRecordEvents,
    findUnreported: createUnreportedSegments(deps.hlsPath, segmentSeconds),
    now,
    monotonicMs,
    log,
  });
  const timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  const guarded = (work: Promise<void>, what: string) => work.catch((error) => log.error({ err: error, kind }, what));

  const lookUp = () => guarded(transfers.lookUp(stopping.signal), 'results cannot be asked for');

  await transfers.open();
  const { present, found } = await takeInventory(folder, await catalogue.stored(), now());
  for (const facts of present) {
    if (found.includes(facts)) await catalogue.keep(facts);
    else catalogue.show(facts);
    if (isFinished(facts)) continue;
    if (facts.state === 'recording') await guarded(tasks.resume(facts), 'recording cannot be taken up');
    transfers.enqueue(facts.uuid);
  }

  const playlistOf = async (uuid: string): Promise<string | undefined> => {
    const uploaded = await folder.uploaded(uuid);
    const { bucket, region } = transfers.facts(uuid);
    const segments = tasks.segmentsOf(uuid) ?? (await folder.segments(uuid));
    if (segments.length === 0) return undefined;
    const here = new Set((await folder.local(uuid)).map(writeSegmentName));
    return writePlaylist(segments, (name) => {
      const line = here.has(name) ? undefined : uploaded.get(name);
      return line ? cloud.objectUrl({ bucket, region, key: line.key }) : `${cloudLinkPrefixes[kind]}${uuid}/${name}`;
    });
  };

  return {
    isOn: () => all,
    async apply(next, ip) {
      await store.set(rules, { all: next });
      all = next;
      await audit.record(
        'setting-changed',
        ip,
        changed('cloud.all', { kind: kind.toUpperCase(), state: switched(next) }),
      );
    },
    async onSegment(segment) {
      await tasks.onSegment(segment);
      for (const uuid of adopted) transfers.enqueue(uuid);
      adopted.clear();
    },
    tasks: () =>
      catalogue.list({ search: '', offset: 0, limit: undefined }).map((facts) => {
        const transfer = transfers.facts(facts.uuid);
        return { row: toCloudRow(facts, transfer), transfer };
      }),
    async remove(uuid, ip) {
      const facts = catalogue.get(uuid);
      if (!facts) throw new AppError('notFound', because('record.no-cloud-task', { kind: kind.toUpperCase(), uuid }));
      await tasks.drop(uuid);
      await transfers.drop(uuid);
      await folder.purge(uuid);
      await catalogue.forget(uuid);
      await audit.record(
        'setting-changed',
        ip,
        changed('cloud.task-removed', { kind: kind.toUpperCase(), stream: `${facts.app}/${facts.stream}`, uuid }),
      );
    },
    async link(path) {
      const [, uuid = '', name = ''] = linkPattern.exec(path) ?? [];
      if (!isRecordUuid(uuid) || !catalogue.get(uuid)) return undefined;
      if (name === '' || name === 'index.m3u8') {
        const text = await playlistOf(uuid);
        return text === undefined ? undefined : { kind: 'playlist', text };
      }
      if (!parseSegmentName(name)) return undefined;
      const gone = (await folder.local(uuid)).every((each) => writeSegmentName(each) !== name);
      const line = gone ? (await folder.uploaded(uuid)).get(name) : undefined;
      const { bucket, region } = transfers.facts(uuid);
      if (line) return { kind: 'elsewhere', url: cloud.objectUrl({ bucket, region, key: line.key }) };
      return { kind: 'file', path: folder.pathOf(uuid, name), type: 'video/mp2t', name };
    },
    retryNow: () => transfers.retryNow(),
    lookUp,
    start() {
      timers.push(setInterval(() => inBackground(tasks.tick(), log, 'recordings cannot be ended'), tickMs));
      if (kind === 'vod')
        timers.push(setInterval(() => inBackground(lookUp(), log, 'results cannot be asked for'), lookUpIntervalMs));
      for (const timer of timers) timer.unref();
    },
    async close() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await tasks.close();
      await transfers.close();
    },
  };
}

/** `{uuid}.m3u8`, `{uuid}/index.m3u8`, `{uuid}/{segment}`. */
const linkPattern = /^([0-9a-f-]{36})(?:\.m3u8|\/([\w-]+\.(?:ts|m3u8)))$/;

function toCloudRow(facts: RecordFacts, transfer: TransferFacts): CloudRow {
  const { m3u8Url: _, removedAt: __, mp4Size: ___, state, problem: ____, ...row } = facts;
  const { uploaded, problem, problemKind, retryAt } = transfer;
  const cloudState = state === 'recording' ? 'recording' : isFinished(facts) ? 'done' : 'uploading';
  const nextState = { state: cloudState, progress: cloudState !== 'done' } as const;
  return { ...row, ...nextState, uploaded, problem, problemKind, retryAt };
}
