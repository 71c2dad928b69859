// Forwards a live stream to other platforms, with one independent worker per target.
import { randomUUID } from 'node:crypto';
import {
  AppError,
  addedPlatformMarks,
  because,
  changed,
  type ForwardImport,
  type ForwardListRow,
  type ForwardRow,
  type ForwardTarget,
  forwardTarget,
  isValidStreamName,
  switched,
  verbatim,
  workerDetail,
} from '@srs-stack/contract';
import { encoderLimits, forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import { pushSchemes } from '../../network/address-rule.ts';
import type { OwnAddresses } from '../../network/own-addresses.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { Collection, CollectionType, Store } from '../../store/store.ts';
import type { StreamSources } from '../../streams/stream-sources.ts';
import { joinAddress, pushOutput } from '../../workers/ffmpeg-args/address.ts';
import { type EncodedForward, encodedForwardArgs, forwardArgs } from '../../workers/ffmpeg-args/forward-args.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { codecRefused } from '../push/platform-codecs.ts';
import {
  checkAction,
  checkPlatform,
  checkRoom,
  checkTarget,
  refusedHost,
  secretsOfTarget,
} from '../push/push-targets.ts';
import { toPushWish } from '../push/push-wish.ts';
import type { PushAddress } from '../secret-in-key.ts';
import { factOf, runOf, statusOf } from '../worker-rows.ts';
import { judgeForwardList, platformOfRow } from './forward-list.ts';

const forwardTargets: CollectionType<ForwardTarget> = { name: 'forwards', schema: forwardTarget, secret: true };
/** Number of random characters: lists added within a millisecond must get different keys. */
const saltLength = 8;
/**
 * Cache time of the streams that forwards publish back to this server, milliseconds. Each waiting target without a stream name needs this
 * list twice a second.
 */
const outputsMs = 250;
/** Used if the media server does not report the frame size of a source. */
const usualFrame = { width: 1920, height: 1080 };
const noServer = because('target.forward-server-missing');
/** Any stream: whether a target needs FFmpeg is independent of the source. */
const anySource = { vhost: '', app: '', stream: '' };

export interface Forwards {
  targets(): Promise<Record<string, ForwardTarget>>;
  /** Adds or changes a target. `action` must be `update`. */
  save(action: string, target: ForwardTarget, actor: Actor): Promise<void>;
  remove(platform: string, actor: Actor): Promise<void>;
  /** Starts or stops the targets of a group, or all targets without `group`. Resolves with the number of changed targets. */
  switchAll(enabled: boolean, group: string | undefined, actor: Actor): Promise<number>;
  /** Adds the targets in the disabled state. Adds no target if an entry is refused or `preview` is set. */
  import(rows: readonly ForwardListRow[], preview: boolean, actor: Actor): Promise<ForwardImport>;
  /** Changes the destination of a target. A running process keeps its destination; the next process uses the new destination. */
  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void>;
  rows(): Promise<ForwardRow[]>;
  wanted(): Promise<PlannedTasks>;
}

export interface ForwardsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly sources: StreamSources;
  readonly ownAddresses: OwnAddresses;
  /** Whether the media server can send streams without FFmpeg, if no conversion is needed. */
  readonly canPush: boolean;
}

export const forwardWorkerId = (platform: string) => `forward:${platform}`;

export function createForwards(deps: ForwardsDeps): Forwards {
  return new StoredForwards(deps);
}

class StoredForwards implements Forwards {
  readonly #deps: ForwardsDeps;
  readonly #targets: Collection<ForwardTarget>;
  #outputs: { readonly atMs: number; readonly paths: Promise<ReadonlySet<string>> } | undefined;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: ForwardsDeps) {
    this.#deps = deps;
    this.#targets = deps.store.collection(forwardTargets);
  }

  async targets(): Promise<Record<string, ForwardTarget>> {
    return Object.fromEntries(await this.#targets.entries());
  }

  save(action: string, target: ForwardTarget, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      checkAction(action);
      const { platform, stream } = target;
      checkPlatform(platform, addedPlatformMarks.forward);
      checkTarget(target, noServer);
      if (stream !== '' && !isValidStreamName(stream)) throw new AppError('streamNameInvalid', verbatim(stream));
      const before = await this.#targets.read(platform);
      if (!before.value) checkRoom((await this.#targets.entries()).size);
      const stored = withEncoding(withDelay(withGroup(target, before.value?.group), before.value), before.value);
      if (target.enabled) this.#checkDelay(stored);
      await this.#put(platform, stored, before.revision);
      await this.#follow(platform, target.enabled);
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('task.forward', { platform, state: switched(target.enabled) }),
      );
    });
  }

  async #put(platform: string, target: ForwardTarget, revision: string): Promise<void> {
    await this.#targets.put(platform, target, revision);
    this.#outputs = undefined;
  }

  #checkDelay(target: ForwardTarget): void {
    const isPossible = this.#deps.canPush && !target.encodeKbps && toPushWish(target, anySource);
    if (target.delaySeconds && !isPossible) throw new AppError('invalidRequest', because('target.delay-needs-engine'));
  }

  remove(platform: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!(await this.#targets.remove(platform)))
        throw new AppError('notFound', because('target.no-forward', { platform }));
      await this.#deps.workers.remove(forwardWorkerId(platform));
      await this.#deps.audit.record('setting-changed', actor, changed('task.forward-removed', { platform }));
    });
  }

  switchAll(enabled: boolean, group: string | undefined, actor: Actor): Promise<number> {
    return this.#oneAtATime(async () => {
      const others = [...(await this.#targets.entries()).values()].filter(
        (target) => target.enabled !== enabled && (group === undefined || target.group === group),
      );
      for (const { platform } of others) {
        const { value, revision } = await this.#targets.read(platform);
        if (value) await this.#put(platform, { ...value, enabled }, revision);
      }
      await Promise.all(others.map(({ platform }) => this.#follow(platform, enabled)));
      const values = { state: switched(enabled), count: others.length };
      const change =
        group === undefined
          ? changed('task.forwards-switched', values)
          : changed('task.forward-group-switched', { group, ...values });
      if (others.length > 0) await this.#deps.audit.record('setting-changed', actor, change);
      return others.length;
    });
  }

  import(rows: readonly ForwardListRow[], preview: boolean, actor: Actor): Promise<ForwardImport> {
    return this.#oneAtATime(async () => {
      const refusals = judgeForwardList(rows, [...(await this.#targets.entries()).values()]);
      const result = { rows: refusals.map((refusal) => (refusal ? { error: refusal.facts } : {})), added: 0 };
      if (preview || refusals.some((refusal) => refusal !== undefined)) return result;
      const [nowMs, salt] = [Date.now(), randomUUID().slice(0, saltLength)];
      for (const [index, { group, ...row }] of rows.entries()) {
        const platform = platformOfRow(addedPlatformMarks.forward, nowMs, index, salt);
        const { revision } = await this.#targets.read(platform);
        await this.#put(platform, withGroup({ ...row, platform, enabled: false, custom: true, group }), revision);
      }
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('task.forwards-imported', { count: rows.length }),
      );
      return { ...result, added: rows.length };
    });
  }

  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void> {
    return this.#oneAtATime(async () => {
      const { value: target, revision } = await this.#targets.read(platform);
      if (target) await this.#put(platform, { ...target, ...change(target) }, revision);
    });
  }

  async rows(): Promise<ForwardRow[]> {
    const all = [...(await this.#targets.entries()).values()];
    return all.map((target) => toRow(target, this.#deps.workers));
  }

  async wanted(): Promise<PlannedTasks> {
    const enabled = [...(await this.#targets.entries()).values()].filter((target) => target.enabled);
    return new Map(enabled.map(({ platform }) => [forwardWorkerId(platform), this.#task(platform)]));
  }

  /**
   * Returns a function that decides which streams a target may send. A target with a stream name sends only this stream. A target without a
   * name sends any stream that no forward publishes on this server. No target sends its own output.
   */
  async #acceptable(target: ForwardTarget, output: string) {
    const ownOutput = await this.#deps.ownAddresses.streamOf(output);
    const outputs: ReadonlySet<string> = target.stream === '' ? await this.#outputsHere() : new Set();
    return ({ app, stream }: { app: string; stream: string }) => {
      const path = `${app}/${stream}`;
      return (target.stream === '' || target.stream === stream) && path !== ownOutput && !outputs.has(path);
    };
  }

  /** Streams that forwards publish back to this server. Targets without a stream name ignore these streams. */
  #outputsHere(): Promise<ReadonlySet<string>> {
    const nowMs = performance.now();
    if (!this.#outputs || nowMs - this.#outputs.atMs >= outputsMs)
      this.#outputs = { atMs: nowMs, paths: this.#findOutputs() };
    return this.#outputs.paths;
  }

  async #findOutputs(): Promise<ReadonlySet<string>> {
    const enabled = [...(await this.#targets.entries()).values()].filter((target) => target.enabled);
    const paths = enabled.map(({ server, secret }) => this.#deps.ownAddresses.streamOf(joinAddress(server, secret)));
    return new Set(await Promise.all(paths));
  }

  async #plan(platform: string): Promise<PlanResult> {
    const target = await this.#targets.get(platform);
    if (!target) return { kind: 'wait', reason: 'settings-invalid', detail: workerDetail('target-removed') };
    const output = pushOutput(target.server, target.secret);
    const choice = await this.#deps.sources.choose(await this.#acceptable(target, output.address));
    if (choice.kind === 'away')
      return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-away') };
    if (choice.kind === 'none') {
      const { stream } = target;
      const detail = stream ? workerDetail('stream-not-live', { stream }) : workerDetail('no-stream');
      return { kind: 'wait', reason: 'source-not-live', detail };
    }
    const refused = await refusedHost(output.checked, pushSchemes);
    if (refused) return refused;
    const { source } = choice;
    const tooNew = target.encodeKbps ? undefined : codecRefused(output.checked, source.videoCodec);
    if (tooNew) return tooNew;
    const wish = this.#deps.canPush && !target.encodeKbps ? toPushWish(target, source) : undefined;
    if (wish) return { kind: 'push', plan: { wish, secrets: secretsOfTarget(target), facts: { stream: source.url } } };
    if (target.delaySeconds) {
      const detail = workerDetail('delay-needs-engine');
      return { kind: 'fail', reason: 'settings-invalid', detail, needsOperator: true };
    }
    return {
      kind: 'run',
      plan: {
        ...commandOf(target, { input: source.address, output, frame: source.frame ?? usualFrame }),
        secrets: [...secretsOfTarget(target), ...source.secrets],
        watchesSpeed: true,
        facts: { stream: source.url },
        isSourceLive: () => this.#deps.sources.isLive(source),
        hasPicture: () => this.#deps.sources.hasPicture(source),
      },
    };
  }

  async #isSourceHere(platform: string): Promise<boolean> {
    const target = await this.#targets.get(platform);
    if (!target) return false;
    const output = joinAddress(target.server, target.secret);
    return (await this.#deps.sources.choose(await this.#acceptable(target, output))).kind === 'found';
  }

  #task(platform: string): PlannedTask {
    return { plan: () => this.#plan(platform), suits: () => this.#isSourceHere(platform) };
  }

  async #follow(platform: string, enabled: boolean): Promise<void> {
    if (enabled) this.#run(platform);
    else await this.#deps.workers.halt(forwardWorkerId(platform));
  }

  #run(platform: string) {
    const { plan, suits } = this.#task(platform);
    return this.#deps.workers.run(forwardWorkerId(platform), plan, suits);
  }
}

function commandOf({ encodeKbps }: ForwardTarget, addresses: Omit<EncodedForward, 'kbps'>) {
  if (!encodeKbps) return { mayUse: forwardLimits, args: forwardArgs(addresses) };
  return { mayUse: encoderLimits(), args: encodedForwardArgs({ ...addresses, kbps: encodeKbps }) };
}

/** Keeps the stored bitrate if `encodeKbps` is missing. 0 removes the field. */
function withEncoding({ encodeKbps, ...target }: ForwardTarget, before: ForwardTarget | undefined): ForwardTarget {
  const wanted = encodeKbps ?? before?.encodeKbps ?? 0;
  return { ...target, ...(wanted > 0 && { encodeKbps: wanted }) };
}

/** Keeps the stored group if `group` is missing. An empty text removes the group. */
function withGroup({ group, ...target }: ForwardTarget, before?: string): ForwardTarget {
  const name = (group ?? before ?? '').trim();
  return name === '' ? target : { ...target, group: name };
}

/** Keeps the stored delay if `delaySeconds` is missing. 0 removes the field. */
function withDelay({ delaySeconds, ...target }: ForwardTarget, before: ForwardTarget | undefined): ForwardTarget {
  const wanted = delaySeconds ?? before?.delaySeconds ?? 0;
  return { ...target, ...(wanted > 0 && { delaySeconds: wanted }) };
}

function toRow({ platform, enabled, custom, label }: ForwardTarget, workers: WorkerRegistry): ForwardRow {
  const view = workers.view(forwardWorkerId(platform));
  const stream = factOf(view, 'stream');
  return {
    platform,
    enabled,
    custom,
    label,
    ...(stream !== undefined && view.start !== undefined ? { stream } : {}),
    ...runOf(view),
    ...statusOf(view),
    ...(view.push && { push: view.push }),
    ...(view.lastError && { lastError: view.lastError }),
  };
}
