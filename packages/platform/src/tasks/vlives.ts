// Virtual live: turns files or a remote stream into a live stream on other platforms, one worker per target.
import {
  AppError,
  addedPlatformMarks,
  because,
  changed,
  type LibraryFile,
  type MediaSource,
  type MediaSourceItem,
  maxUploadBytes,
  switched,
  type VliveRow,
  type VliveTarget,
  vliveTarget,
  workerDetail,
} from '@srs-stack/contract';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { MediaFolders } from '../files/media-folders.ts';
import type { MediaLibrary } from '../files/media-library.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { CollectionType, Store } from '../store/store.ts';
import { joinAddress, withEncodedUserInfo } from '../workers/ffmpeg-args/address.ts';
import type { SourceProxy } from '../workers/source-proxy.ts';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import { checkAction, checkPlatform, checkRoom, checkTarget } from './push-targets.ts';
import type { PushAddress } from './secret-in-key.ts';
import { encodingOf, planVlive } from './vlive-plan.ts';
import { playingAt } from './vlive-playing.ts';
import { checkStreamAddress, type VliveSources } from './vlive-sources.ts';
import { normalStartTime } from './vlive-start-time.ts';
import { factOf, runOf, statusOf } from './worker-rows.ts';

const vliveTargets: CollectionType<VliveTarget> = { name: 'vlives', schema: vliveTarget, secret: true };
const noServer = because('target.vlive-server-missing');

type SentTarget = Omit<VliveTarget, 'startAt'> & { readonly startAt?: string | undefined };

export interface Vlives {
  targets(): Promise<Record<string, VliveTarget>>;
  /** `action` must be `update`. Without `startAt` the time that is set stays: older clients do not know of it. */
  save(action: string, target: SentTarget, ip: string): Promise<void>;
  /** Makes the sources the playlist of a platform. */
  setSource(platform: string, items: readonly MediaSourceItem[], ip: string): Promise<MediaSource[]>;
  remove(platform: string, ip: string): Promise<void>;
  /** Changes where a target is sent; a process that runs goes on, the next one goes there. */
  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void>;
  rows(): Promise<VliveRow[]>;
  library(): Promise<{ files: LibraryFile[]; freeBytes: number; maxFileBytes: number }>;
  removeFile(uuid: string, ip: string): Promise<void>;
  cleanUp(): Promise<void>;
  reconcile(): Promise<void>;
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
}

export const vliveWorkerId = (platform: string) => `vlive:${platform}`;

export function createVlives(deps: VlivesDeps): Vlives {
  const { store, audit, workers, library, folders, sources, proxy, now } = deps;
  const targets = store.collection(vliveTargets);
  const oneAtATime = createOneAtATime();

  const run = (platform: string) =>
    workers.run(vliveWorkerId(platform), async () => {
      const target = await targets.get(platform);
      if (!target) return { kind: 'wait', reason: 'settings-invalid', detail: workerDetail('target-removed') };
      return planVlive(target, { folders, proxy, now: now() });
    });

  const put = async (target: VliveTarget) => {
    if (!(await targets.get(target.platform))) checkRoom((await targets.entries()).size);
    await targets.put(target.platform, target);
    if (target.enabled) run(target.platform);
    else await workers.halt(vliveWorkerId(target.platform));
  };

  /** Platforms by the files they use. */
  const users = async () => {
    const all = [...(await targets.entries()).values()];
    return (file: string) =>
      all.filter(({ files }) => files.some(({ target }) => target === file)).map(({ platform }) => platform);
  };

  return {
    targets: async () => Object.fromEntries(await targets.entries()),

    save: (action, target, ip) =>
      oneAtATime(async () => {
        checkAction(action);
        checkPlatform(target.platform, addedPlatformMarks.vlive);
        if (target.files.length === 0) throw new AppError('invalidRequest', because('source.none'));
        checkTarget(target, noServer);
        const startAt = normalStartTime(target.startAt ?? (await targets.get(target.platform))?.startAt ?? '');
        const files = await Promise.all(target.files.map(keepSent));
        await put({ ...target, files, startAt });
        await audit.record(
          'setting-changed',
          ip,
          changed('task.vlive', { platform: target.platform, state: switched(target.enabled) }),
        );
      }),

    async setSource(platform, items, ip) {
      checkPlatform(platform, addedPlatformMarks.vlive);
      const files = await sources.adopt(items);
      await oneAtATime(async () => {
        const before = (await targets.get(platform)) ?? emptyTarget(platform);
        await put({ ...before, files });
        await audit.record('setting-changed', ip, changed('task.vlive-source', { platform, number: files.length }));
      });
      return files;
    },

    remove: (platform, ip) =>
      oneAtATime(async () => {
        if (!(await targets.remove(platform))) throw new AppError('notFound', because('target.no-vlive', { platform }));
        await workers.remove(vliveWorkerId(platform));
        await audit.record('setting-changed', ip, changed('task.vlive-removed', { platform }));
      }),

    changeAddress: (platform, change) =>
      oneAtATime(async () => {
        const target = await targets.get(platform);
        if (target) await targets.put(platform, { ...target, ...change(target) });
      }),

    async rows() {
      return [...(await targets.entries()).values()].map((target) => toRow(target, workers));
    },

    async library() {
      const files = await library.list(await users());
      return { files, freeBytes: await folders.freeBytes(), maxFileBytes: maxUploadBytes };
    },

    removeFile: (uuid, ip) =>
      oneAtATime(async () => {
        const name = await library.remove(uuid, await users());
        await audit.record('setting-changed', ip, changed('task.file-deleted', { name }));
      }),

    async cleanUp() {
      const usedBy = await users();
      await library.cleanUp((target) => usedBy(target).length > 0);
    },

    async reconcile() {
      for (const { platform, enabled } of (await targets.entries()).values()) if (enabled) run(platform);
    },
  };

  /** A file posted back by a client: kept when it is there; when it is gone the worker says so. */
  async function keepSent(file: MediaSource): Promise<MediaSource> {
    if (file.type === 'stream') {
      checkStreamAddress(withEncodedUserInfo(file.target));
      return file;
    }
    if (!/^(?:upload|vlive)\/[\w-]+\.[a-z0-9]+$/i.test(file.target))
      throw new AppError('invalidRequest', because('file.outside'));
    return (await folders.pathOf(file.target)) ? { ...file, target: await library.keep(file.target) } : file;
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
