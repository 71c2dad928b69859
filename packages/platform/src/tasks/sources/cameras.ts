// Cameras: each camera is pulled and published as a live stream by an independent worker.
import {
  AppError,
  addedPlatformMarks,
  because,
  type Camera,
  type CameraRow,
  camera,
  changed,
  isValidStreamName,
  type MediaSource,
  type MediaSourceItem,
  switched,
  verbatim,
  workerDetail,
} from '@srs-stack/contract';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { Collection, CollectionType, Store, Versioned } from '../../store/store.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { checkDeviceAddress } from '../onvif/onvif.ts';
import { checkAction, checkPlatform, checkPush, checkRoom } from '../push/push-targets.ts';
import type { PushAddress } from '../secret-in-key.ts';
import { factOf, runOf, statusOf } from '../worker-rows.ts';
import { type CameraPlanDeps, planCamera, streamOfCamera, subCameraOf } from './camera-plan.ts';
import { type CameraSources, checkCameraAddress } from './camera-sources.ts';
import { sourceKindOf } from './source-kind.ts';

const cameras: CollectionType<Camera> = { name: 'cameras', schema: camera, secret: true };

export interface Cameras {
  targets(): Promise<Record<string, Camera>>;
  /** Adds or changes a camera. @param action must be `update`. */
  save(action: string, sent: Camera, actor: Actor): Promise<void>;
  /** Probes the address and stores it as the source of a camera. */
  setSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]>;
  remove(platform: string, actor: Actor): Promise<void>;
  /** Changes the destination of a camera. A running worker keeps its destination; the next run uses the new destination. */
  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void>;
  /** Throws `notFound`. */
  find(platform: string): Promise<Camera>;
  rows(): Promise<CameraRow[]>;
  wanted(): Promise<PlannedTasks>;
}

export interface CamerasDeps extends CameraPlanDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly sources: CameraSources;
}

export const cameraPrefix = 'camera:';
const cameraWorkerId = (platform: string) => `${cameraPrefix}${platform}`;
/** Worker id of the smaller stream. Unique, because platforms contain no slash. */
const subWorkerId = (platform: string) => `${cameraPrefix}${platform}/sub`;

export function createCameras(deps: CamerasDeps): Cameras {
  return new StoredCameras(deps);
}

class StoredCameras implements Cameras {
  readonly #deps: CamerasDeps;
  readonly #cameras: Collection<Camera>;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: CamerasDeps) {
    this.#deps = deps;
    this.#cameras = deps.store.collection(cameras);
  }

  async targets(): Promise<Record<string, Camera>> {
    return Object.fromEntries(await this.#cameras.entries());
  }

  save(action: string, sent: Camera, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      checkAction(action);
      const { platform, enabled, files } = sent;
      checkPlatform(platform, addedPlatformMarks.camera);
      if (files.length === 0) throw new AppError('invalidRequest', because('source.none'));
      checkTarget(sent);
      for (const file of files) checkSource(file);
      checkSub(sent);
      if (sent.ptz) checkDeviceAddress(sent.ptz.address);
      await this.#put(sent, await this.#cameras.read(platform));
      const state = switched(enabled);
      await this.#deps.audit.record('setting-changed', actor, changed('task.camera', { platform, state }));
    });
  }

  async setSource(platform: string, items: readonly MediaSourceItem[], actor: Actor): Promise<MediaSource[]> {
    checkPlatform(platform, addedPlatformMarks.camera);
    if (items.length === 0) throw new AppError('invalidRequest', because('source.none'));
    for (const item of items) checkSource(item);
    const files: MediaSource[] = [];
    for (const item of items) files.push(await this.#deps.sources.probe(item));
    await this.#oneAtATime(async () => {
      const before = await this.#cameras.read(platform);
      await this.#put({ ...(before.value ?? emptyCamera(platform)), files }, before);
      await this.#deps.audit.record('setting-changed', actor, changed('task.camera-source', { platform }));
    });
    return files;
  }

  remove(platform: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      if (!(await this.#cameras.remove(platform)))
        throw new AppError('notFound', because('target.no-camera', { platform }));
      await this.#deps.workers.remove(cameraWorkerId(platform));
      await this.#deps.workers.remove(subWorkerId(platform));
      await this.#deps.audit.record('setting-changed', actor, changed('task.camera-removed', { platform }));
    });
  }

  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void> {
    return this.#oneAtATime(async () => {
      const { value, revision } = await this.#cameras.read(platform);
      if (value) await this.#cameras.put(platform, { ...value, ...change(value) }, revision);
    });
  }

  async find(platform: string): Promise<Camera> {
    const found = await this.#cameras.get(platform);
    if (!found) throw new AppError('notFound', because('target.no-camera', { platform }));
    return found;
  }

  async rows(): Promise<CameraRow[]> {
    const all = [...(await this.#cameras.entries()).values()];
    return Promise.all(all.map((each) => this.#toRow(each)));
  }

  async wanted(): Promise<PlannedTasks> {
    const enabled = [...(await this.#cameras.entries()).values()].filter((each) => each.enabled);
    return new Map(
      enabled.flatMap((each): [string, PlannedTask][] => [
        [cameraWorkerId(each.platform), this.#task(each.platform)],
        ...(subCameraOf(each)
          ? [[subWorkerId(each.platform), this.#subTask(each.platform)] as [string, PlannedTask]]
          : []),
      ]),
    );
  }

  async #plan(platform: string, toPlanned: (camera: Camera) => Camera | undefined): Promise<PlanResult> {
    const stored = await this.#cameras.get(platform);
    const found = stored && toPlanned(stored);
    if (!found) return { kind: 'wait', reason: 'settings-invalid', detail: workerDetail('target-removed') };
    return planCamera(found, this.#deps);
  }

  #task(platform: string): PlannedTask {
    return { plan: () => this.#plan(platform, (camera) => camera), suits: () => Promise.resolve(true) };
  }

  #subTask(platform: string): PlannedTask {
    return { plan: () => this.#plan(platform, subCameraOf), suits: () => Promise.resolve(true) };
  }

  /** Stores a camera unless it has changed since it was read. */
  async #put(next: Camera, before: Versioned<Camera | undefined>): Promise<void> {
    const { platform, enabled } = next;
    if (!before.value) checkRoom((await this.#cameras.entries()).size);
    await this.#cameras.put(platform, next, before.revision);
    await this.#follow(cameraWorkerId(platform), enabled ? this.#task(platform) : undefined);
    if (next.subAddress !== '')
      await this.#follow(subWorkerId(platform), enabled ? this.#subTask(platform) : undefined);
    else await this.#deps.workers.remove(subWorkerId(platform));
  }

  async #follow(id: string, task: PlannedTask | undefined): Promise<void> {
    if (task) this.#deps.workers.run(id, task.plan, task.suits);
    else await this.#deps.workers.halt(id);
  }

  async #toRow(target: Camera): Promise<CameraRow> {
    const { platform, enabled, custom, label, files, extraAudio, onDemand } = target;
    const view = this.#deps.workers.view(cameraWorkerId(platform));
    const source = factOf(view, 'source');
    return {
      ...{ platform, enabled, custom, label, extraAudio, onDemand, hasPtz: target.ptz !== null },
      files: files.map((file) => ({ ...file, target: withoutPassword(file.target) })),
      ...(source !== undefined && view.start !== undefined ? { source } : {}),
      stream: await streamOfCamera(target, this.#deps),
      ...(await this.#subRow(target)),
      kind: sourceKindOf(files[0]?.target ?? ''),
      ...runOf(view),
      ...statusOf(view),
    };
  }

  async #subRow(target: Camera): Promise<Pick<CameraRow, 'sub'>> {
    const camera = subCameraOf(target);
    if (!camera) return {};
    const { state, reason, reasonDetail, detail, retryInMs } = this.#deps.workers.view(subWorkerId(target.platform));
    const stream = await streamOfCamera(camera, this.#deps);
    return { sub: { stream, state, reason, reasonDetail, ...(detail && { detail }), retryInMs } };
  }
}

/** Validates the destination. Without a server, the camera is published on this server with its key as stream name. */
function checkTarget({ server, secret }: Camera): void {
  if (server !== '') {
    checkPush({ server, secret });
    return;
  }
  const name = secret.split('?', 1)[0] ?? '';
  if (!isValidStreamName(name)) throw new AppError('streamNameInvalid', verbatim(name));
}

function checkSource({ target, type }: MediaSourceItem): void {
  if (type !== 'stream') throw new AppError('invalidRequest', because('target.camera-one-source'));
  checkCameraAddress(target);
}

/** Validates the smaller stream. The stream exists only on this server, under a name derived from the camera's name. */
function checkSub(camera: Camera): void {
  const { subAddress, server } = camera;
  if (subAddress === '') return;
  if (server !== '') throw new AppError('invalidRequest', because('target.camera-sub-elsewhere'));
  checkCameraAddress(subAddress);
  const name = subCameraOf(camera)?.secret.split('?', 1)[0] ?? '';
  if (!isValidStreamName(name)) throw new AppError('streamNameInvalid', verbatim(name));
}

function withoutPassword(address: string): string {
  return address
    .replace(/^([a-z]+:\/\/[^/:@]*):[^/]*@/i, '$1:******@')
    .replace(/((?:[?&]passphrase|secret)(?:=|%3d))[^&,]+/gi, '$1******');
}

function emptyCamera(platform: string): Camera {
  const empty = { platform, server: '', secret: '', enabled: false, custom: false, label: '' };
  return {
    ...empty,
    files: [],
    extraAudio: '',
    acceptsAnyCertificate: false,
    transport: 'tcp',
    onDemand: false,
    subAddress: '',
    ptz: null,
  };
}
