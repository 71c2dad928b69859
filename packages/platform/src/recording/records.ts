// Local recording: receives segments, handles API calls and links.
import { AppError, because, type PlanRow, type RecordRow, type RecordTotals } from '@srs-stack/contract';
import type { RecordOrder } from '@srs-stack/contract/models/node-orders.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { type Actor, thisServer } from '../actor.ts';
import type { HlsSegment } from '../streams/hls-segments.ts';
import type { Clips } from './clips.ts';
import type { DiskSpace } from './disk-space.ts';
import type { LinkTarget } from './link-target.ts';
import type { NodeRecords } from './listing/record-listing.ts';
import { reachable } from './listing/record-peers.ts';
import type { RecordBin } from './record-bin.ts';
import type { RecordFilter, RecordPage } from './record-catalogue.ts';
import { isFinished, type RecordFacts } from './record-facts.ts';
import type { LabelChange } from './record-labels.ts';
import type { RecordObjects } from './record-objects.ts';
import { openRecordParts, type RecordParts, type RecordPartsDeps } from './record-parts.ts';
import { resumeUnfinished } from './resume-unfinished.ts';
import type { RecordRetentionService } from './rules/record-retention.ts';
import type { RecordRulesService } from './rules/record-rules.ts';
import type { RecordSplitService } from './rules/record-split.ts';
import type { RunningRecording } from './running/record-tasks.ts';

/** Interval of checks of running recordings, milliseconds. */
const tickMs = 300;
const binIntervalMs = 60_000;

const retentionIntervalMs = 60_000;

/** Interval of checks for local copies that may be deleted, milliseconds. */
const objectsIntervalMs = 60_000;

/** Interval for storing durations of running recordings, milliseconds: the polling interval of pages. Other nodes see only the store. */
const runningIntervalMs = 10_000;

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

interface RecordStatus {
  readonly totals: RecordTotals;
  readonly matching: RecordTotals;
  readonly disk: DiskSpace;
  readonly nodes?: NodeRecords[];
}

/** Operations that another node requests on recordings of this node. */
interface OwnRecords {
  /** Executes an order. Throws the errors of the corresponding API call. */
  obey(order: RecordOrder): Promise<void>;
  link(path: string): Promise<LinkTarget | undefined>;
}

export interface Records {
  readonly rules: RecordRulesService;
  readonly split: RecordSplitService;
  readonly bin: RecordBin;
  readonly retention: RecordRetentionService;
  readonly clips: Clips;
  onSegment(segment: HlsSegment): Promise<void>;
  files(page: RecordPage): RecordRow[];
  status(filter: RecordFilter): Promise<RecordStatus>;
  /** Changes title, notes and keep mark on the node with the recording. */
  label(uuid: string, change: LabelChange, actor: Actor): Promise<void>;
  end(uuid: string, actor?: Actor): Promise<void>;
  /** The recording plan. Each row lists the streams that are being recorded. */
  planned(): PlanRow[];
  /** State of the record button of a stream. */
  streamRecording(source: StreamName): { wanted: boolean; chosen: boolean | null; since: string };
  /** `true` records this stream from its next segment on; `false` ends its recording now. */
  recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void>;
  /** Number and size of recordings in a bucket, and of recordings without an object. */
  stored(): ReturnType<RecordObjects['totals']>;
  readonly own: OwnRecords;
  /** Number of recordings without a copy in a bucket, by node id; empty with a single server. */
  onlyThere(): ReadonlyMap<string, number>;
  endAll(): Promise<void>;
  link(path: string): Promise<LinkTarget | undefined>;
  sourceOf(path: string): StreamName | undefined;
  start(): void;
  close(): Promise<void>;
}

export interface RecordsDeps extends RecordPartsDeps {
  /** Called with the running recordings whenever they change. */
  readonly onRunning?: (running: readonly RunningRecording[]) => void;
}

/** Resolves after interrupted recordings are resumed: the first segment must find its recording. */
export async function openRecords(deps: RecordsDeps): Promise<Records> {
  const parts = await openRecordParts(deps);
  return new StoredRecords(parts, deps, await resumeUnfinished({ ...deps, ...parts }));
}

class StoredRecords implements Records {
  readonly rules: Records['rules'];
  readonly split: Records['split'];
  readonly bin: Records['bin'];
  readonly retention: Records['retention'];
  readonly clips: Records['clips'];
  readonly own: Records['own'];
  readonly #deps: Pick<RecordsDeps, 'nodes' | 'peers'>;
  readonly #parts: RecordParts;
  readonly #log: Log;
  readonly #onRunning: NonNullable<RecordsDeps['onRunning']>;
  #reportedRunning = '';
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;

  constructor(parts: RecordParts, deps: RecordsDeps, found: readonly string[]) {
    const { log, onRunning = () => undefined } = deps;
    this.rules = parts.rules;
    this.split = parts.split;
    this.bin = parts.clusterBin;
    this.own = { obey: (order) => this.#obey(order), link: (path) => parts.links.findOwn(path) };
    this.#deps = deps;
    this.retention = parts.retention;
    this.clips = parts.clips;
    this.#onRunning = onRunning;
    this.#parts = parts;
    this.#log = log;
    this.#kept = this.#keepAll(found).catch((error) =>
      log.error({ err: error }, 'recordings found in the folder could not be added to the table'),
    );
  }

  onSegment(segment: HlsSegment): Promise<void> {
    return this.#parts.tasks.onSegment(segment);
  }

  files(page: RecordPage): RecordRow[] {
    return this.#parts.listing.rows(page);
  }

  async status(filter: RecordFilter): ReturnType<Records['status']> {
    const { listing, disk } = this.#parts;
    const [totals, matching] = [listing.totals({ search: '' }), listing.totals(filter)];
    const nodes = listing.nodes();
    return { totals, matching, disk: await disk.look(), ...(nodes && { nodes }) };
  }

  async label(uuid: string, change: LabelChange, actor: Actor): Promise<void> {
    const { nodes, peers } = this.#deps;
    const other = this.#parts.listing.other(uuid);
    if (!other) return this.#parts.labels.change(uuid, change, actor);
    return peers.order(reachable(other, nodes), { action: 'label', uuid, label: change, ip: actor.ip });
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

  planned(): PlanRow[] {
    const others = this.#parts.others.list().filter(({ state }) => state === 'recording');
    return this.rules.plan.rows([...this.#parts.tasks.running(), ...others]);
  }

  streamRecording(source: StreamName): ReturnType<Records['streamRecording']> {
    const { rules, tasks, others } = this.#parts;
    const since = (tasks.runningOf(source)[0] ?? others.runningOf(source)[0])?.begin ?? '';
    return { wanted: rules.admits(source), chosen: rules.choiceOf(source) ?? null, since };
  }

  async recordStream(source: StreamName, record: boolean, actor: Actor): Promise<void> {
    const { rules, tasks } = this.#parts;
    await rules.choose(source, record, actor);
    // Also succeeds if the recording has already ended.
    const end = (uuid: string) =>
      tasks
        .end(uuid)
        .catch((error) => this.#log.debug({ err: error, uuid }, 'recording was not ended, it probably ended before'));
    if (record) return;
    await Promise.all(tasks.runningOf(source).map(({ uuid }) => end(uuid)));
    const endThere = ({ uuid }: RecordFacts) =>
      this.end(uuid, actor).catch((error) =>
        this.#log.warn({ err: error, uuid }, 'recording could not be ended on its node'),
      );
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
      this.#every(runningIntervalMs, () => catalogue.keepRunning(), 'rows of running recordings could not be updated');
    this.#every(tickMs, () => tasks.tick(), 'recordings cannot be ended');
    this.#every(tickMs, async () => this.#reportRunning(), 'gateways cannot be notified of the running recordings');
    this.#every(binIntervalMs, () => ownBin.purge(), 'the recycle bin cannot be emptied');
    this.#every(
      objectsIntervalMs,
      async () => objects.offerAll(),
      'recordings cannot be queued for upload to the bucket',
    );
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

  /** Executes an order on this node; never forwards an order. */
  #obey(order: RecordOrder): Promise<void> {
    const { ownBin } = this.#parts;
    const actor: Actor = { ip: order.ip };
    if (order.action === 'end') return this.#endOwn(order.uuid);
    if (order.action === 'label') return this.#parts.labels.change(order.uuid, order.label, actor);
    if (order.action === 'remove') return ownBin.remove(order.uuid, order.forever, actor);
    if (order.action === 'restore') return ownBin.restore(order.uuid, actor);
    return ownBin.empty(actor);
  }

  #reportRunning(): void {
    const running = this.#parts.tasks.running();
    const text = JSON.stringify(running);
    if (text === this.#reportedRunning) return;
    this.#reportedRunning = text;
    this.#onRunning(running);
  }

  #every(intervalMs: number, work: () => Promise<void>, failure: string): void {
    this.#timers.push(setInterval(() => inBackground(work(), this.#log, failure), intervalMs).unref());
  }

  /** Stores recordings in the background: thousands of rows must not delay the start. The next start stores rows that are still missing. */
  async #keepAll(uuids: readonly string[]): Promise<void> {
    const { catalogue } = this.#parts;
    for (const uuid of uuids) {
      const facts = catalogue.get(uuid) ?? catalogue.removed(uuid);
      if (this.#stopping.signal.aborted) return;
      if (facts) await catalogue.keep(facts);
    }
  }
}
