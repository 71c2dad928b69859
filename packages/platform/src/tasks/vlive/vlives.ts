// Virtual live: sends files or a remote stream to other platforms as a live stream. Each target has an independent worker.
import {
  AppError,
  addedPlatformMarks,
  because,
  changed,
  type LibraryFile,
  type MediaSource,
  type MediaSourceItem,
  maxUploadBytes,
  mediaSource,
  switched,
  type VliveRow,
  type VliveTarget,
  vliveTarget,
  workerDetail,
} from '@srs-stack/contract';
import type { VliveSourceOrder } from '@srs-stack/contract/models/node-orders.ts';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { FileElsewhere, MediaLibrary } from '../../files/media-library.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { Collection, CollectionType, Store, Versioned } from '../../store/store.ts';
import { joinAddress, withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import type { SourceProxy } from '../../workers/source-proxy.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { checkAction, checkPlatform, checkRoom, checkTarget } from '../push/push-targets.ts';
import type { PushAddress } from '../secret-in-key.ts';
import { factOf, runOf, statusOf } from '../worker-rows.ts';
import { encodingOf, planVlive, suitsHere } from './vlive-plan.ts';
import { playingAt } from './vlive-playing.ts';
import { checkStreamAddress, type VliveSources } from './vlive-sources.ts';
import { normalStartTime } from './vlive-start-time.ts';

const vliveTargets: CollectionType<VliveTarget> = { name: 'vlives', schema: vliveTarget, secret: true };
const noServer = because('target.vlive-server-missing');

type SentTarget = Omit<VliveTarget, 'startAt'> & { readonly startAt?: string | undefined };

export interface Vlives {
  targets(): Promise<Record<string, VliveTarget>>;
  /**
   * Adds or changes a target. Without `startAt`, keeps the stored time, because older clients do not send it.
   * @param action must be `update`.
   */
  save(action: string, target: SentTarget, actor: Actor): Promise<void>;
  /** Saves the sources as the playlist of a platform. Files of another node are probed on that node. */
  setSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]>;
  /** Like `setSource`, for files of this node only. */
  setOwnSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]>;
  remove(platform: string, actor: Actor): Promise<void>;
  /** Changes the destination of a target. A running process keeps its destination; the next process uses the new destination. */
  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void>;
  rows(): Promise<VliveRow[]>;
  library(): Promise<{ files: LibraryFile[]; freeBytes: number; maxFileBytes: number }>;
  removeFile(uuid: string, actor: Actor): Promise<void>;
  cleanUp(): Promise<void>;
  wanted(): Promise<PlannedTasks>;
}

export interface VlivesDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly library: MediaLibrary;
  readonly folders: MediaFolders;
  readonly sources: VliveSources;
  readonly proxy: Pick<SourceProxy, 'environmentFor'>;
  readonly now: () => Date;
  /** Resolves with a function that returns the names of channels and slates that use a library file. */
  readonly otherUsers: () => Promise<(file: string) => string[]>;
  /** Calls the node that has the files: that node sets the files as the sources of a target. Resolves with the sources. */
  readonly callNode: (node: string, order: VliveSourceOrder) => Promise<unknown>;
}

export const vliveWorkerId = (platform: string) => `vlive:${platform}`;

export function createVlives(deps: VlivesDeps): Vlives {
  return new StoredVlives(deps);
}

class StoredVlives implements Vlives {
  readonly #deps: VlivesDeps;
  readonly #targets: Collection<VliveTarget>;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: VlivesDeps) {
    this.#deps = deps;
    this.#targets = deps.store.collection(vliveTargets);
  }

  async targets(): Promise<Record<string, VliveTarget>> {
    return Object.fromEntries(await this.#targets.entries());
  }

  save(action: string, target: SentTarget, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      checkAction(action);
      checkPlatform(target.platform, addedPlatformMarks.vlive);
      if (target.files.length === 0) throw new AppError('invalidRequest', because('source.none'));
      checkTarget(target, noServer);
      const before = await this.#targets.read(target.platform);
      const startAt = normalStartTime(target.startAt ?? before.value?.startAt ?? '');
      const files = await Promise.all(target.files.map((file) => this.#keepSent(file)));
      await this.#put({ ...target, files, startAt }, before);
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('task.vlive', { platform: target.platform, state: switched(target.enabled) }),
      );
    });
  }

  async setSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]> {
    const homes = await Promise.all(items.map((item) => this.#elsewhereOf(item)));
    const [first] = homes.filter((file) => file !== undefined);
    if (!first) return this.setOwnSource(platform, items, actor);
    const other = items.find((_, index) => homes[index]?.nodeId !== first.nodeId);
    if (other)
      throw new AppError('fileNotFound', because('file.on-node', { name: first.row.name, node: first.nodeName }));
    if (!first.isNodeThere) throw new AppError('nodeAway', because('cluster.node-away', { name: first.nodeName }));
    const order = { platform, files: [...items], ip: actor.ip };
    return mediaSource.array().parse(await this.#deps.callNode(first.nodeId, order));
  }

  async setOwnSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]> {
    checkPlatform(platform, addedPlatformMarks.vlive);
    const files = await this.#deps.sources.adopt(items);
    await this.#oneAtATime(async () => {
      const before = await this.#targets.read(platform);
      await this.#put({ ...(before.value ?? emptyTarget(platform)), files }, before);
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('task.vlive-source', { platform, number: files.length }),
      );
    });
    return files;
  }

  remove(platform: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!(await this.#targets.remove(platform)))
        throw new AppError('notFound', because('target.no-vlive', { platform }));
      await this.#deps.workers.remove(vliveWorkerId(platform));
      await this.#deps.audit.record('setting-changed', actor, changed('task.vlive-removed', { platform }));
    });
  }

  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void> {
    return this.#oneAtATime(async () => {
      const { value: target, revision } = await this.#targets.read(platform);
      if (target) await this.#targets.put(platform, { ...target, ...change(target) }, revision);
    });
  }

  async rows(): Promise<VliveRow[]> {
    return [...(await this.#targets.entries()).values()].map((target) => toRow(target, this.#deps.workers));
  }

  async library(): Promise<{ files: LibraryFile[]; freeBytes: number; maxFileBytes: number }> {
    const files = await this.#deps.library.list(await this.#users());
    return { files, freeBytes: await this.#deps.folders.freeBytes(), maxFileBytes: maxUploadBytes };
  }

  removeFile(uuid: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const name = await this.#deps.library.remove(uuid, await this.#users());
      await this.#deps.audit.record('setting-changed', actor, changed('task.file-deleted', { name }));
    });
  }

  async cleanUp(): Promise<void> {
    const usedBy = await this.#users();
    await this.#deps.library.cleanUp((target) => usedBy(target).length > 0);
  }

  async wanted(): Promise<PlannedTasks> {
    const enabled = [...(await this.#targets.entries()).values()].filter((target) => target.enabled);
    return new Map(enabled.map(({ platform }) => [vliveWorkerId(platform), this.#task(platform)]));
  }

  async #elsewhereOf({ type, target }: MediaSourceItem): Promise<FileElsewhere | undefined> {
    const { folders, library } = this.#deps;
    return type === 'stream' || (await folders.pathOf(target)) ? undefined : library.elsewhere(target);
  }

  async #plan(platform: string): Promise<PlanResult> {
    const target = await this.#targets.get(platform);
    if (!target) return { kind: 'wait', reason: 'settings-invalid', detail: workerDetail('target-removed') };
    const { folders, library, proxy, now } = this.#deps;
    return planVlive(target, { folders, library, proxy, now: now() });
  }

  async #suits(platform: string): Promise<boolean> {
    const target = await this.#targets.get(platform);
    return target !== undefined && suitsHere(target, this.#deps);
  }

  #task(platform: string): PlannedTask {
    return { plan: () => this.#plan(platform), suits: () => this.#suits(platform) };
  }

  #run(platform: string) {
    const { plan, suits } = this.#task(platform);
    return this.#deps.workers.run(vliveWorkerId(platform), plan, suits);
  }

  /** Stores a target unless it has changed since it was read. */
  async #put(target: VliveTarget, before: Versioned<VliveTarget | undefined>): Promise<void> {
    if (!before.value) checkRoom((await this.#targets.entries()).size);
    await this.#targets.put(target.platform, target, before.revision);
    if (target.enabled) this.#run(target.platform);
    else await this.#deps.workers.halt(vliveWorkerId(target.platform));
  }

  /** Resolves with a function that returns the names of platforms, channels and slates that use a library file. */
  async #users(): Promise<(file: string) => string[]> {
    const all = [...(await this.#targets.entries()).values()];
    const others = await this.#deps.otherUsers();
    return (file: string) => [
      ...all.filter(({ files }) => files.some(({ target }) => target === file)).map(({ platform }) => platform),
      ...others(file),
    ];
  }

  /** Keeps the file of a playlist entry in the library. Ignores a missing file, because the worker reports it. */
  async #keepSent(file: MediaSource): Promise<MediaSource> {
    if (file.type === 'stream') {
      checkStreamAddress(withEncodedUserInfo(file.target));
      return file;
    }
    if (!/^(?:upload|vlive)\/[\w-]+\.[a-z0-9]+$/i.test(file.target))
      throw new AppError('invalidRequest', because('file.outside'));
    return (await this.#deps.folders.pathOf(file.target))
      ? { ...file, target: await this.#deps.library.keep(file.target) }
      : file;
  }
}

function emptyTarget(platform: string): VliveTarget {
  return { platform, server: '', secret: '', enabled: false, custom: false, label: '', files: [], startAt: '' };
}

function toRow(target: VliveTarget, workers: WorkerRegistry): VliveRow {
  const { platform, enabled, custom, label, files, startAt } = target;
  const view = workers.view(vliveWorkerId(platform));
  const source = factOf(view, 'source');
  const playing = playingAt(files, view.sentMs);
  const { video, audio } = encodingOf(files, joinAddress(target.server, target.secret));
  return {
    platform,
    enabled,
    custom,
    label,
    files,
    ...(source !== undefined && view.pid > 0 ? { source } : {}),
    ...(playing ? { playing } : {}),
    startAt,
    transcoded: { video, audio },
    ...runOf(view),
    ...statusOf(view),
  };
}
