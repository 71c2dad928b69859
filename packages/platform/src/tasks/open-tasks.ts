// Opens, starts and closes all tasks, e.g. forwards, virtual live streams, channels and slates.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerKinds } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { areLimitsApplied } from '@srs-stack/process/programs/limited-command.ts';
import type { Files } from '../files/open-files.ts';
import type { TaskLeases } from '../leases/task-leases.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import { createOwnAddresses, type OwnAddresses } from '../network/own-addresses.ts';
import type { Components } from '../settings/components.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { ActiveStreams } from '../streams/active-streams.ts';
import type { PublishSecret } from '../streams/publish-secret.ts';
import type { RenditionAccess } from '../streams/rendition-access.ts';
import { createStreamSources, type StreamSourcesDeps } from '../streams/stream-sources.ts';
import type { Watching } from '../watching/watching.ts';
import { createSourceProxy } from '../workers/source-proxy.ts';
import { snapshotSize, takeStillImage } from '../workers/still-image.ts';
import { type EngineTransfersDeps, openEngineTransfers } from '../workers/transfers/engine-transfers.ts';
import { toPicture, toPng } from '../workers/uploaded-image.ts';
import { kindOfWorker } from '../workers/worker-kind.ts';
import type { WorkerRegistry, WorkerRegistryDeps } from '../workers/worker-registry.ts';
import { type Channels, type ChannelsDeps, openChannels } from './channels/channels.ts';
import { createDemoStreams, type DemoStreams, demoWorkerId } from './demo-stream.ts';
import { createForwards, type Forwards } from './forwards/forwards.ts';
import { openTargetTests, type TargetTests, type TargetTestsDeps } from './forwards/target-tests.ts';
import { Ladder, type LadderDeps, ladderPrefix, ladderRunsName } from './ladder/ladder.ts';
import { LadderCostMeter } from './ladder/ladder-costs.ts';
import { createOnvif, type Onvif } from './onvif/onvif.ts';
import { createPublishSecretChange, type PublishSecretChange } from './publish-secret-change.ts';
import { drawPreview } from './slates/draw-preview.ts';
import { encodeSlate } from './slates/encode-slate.ts';
import { openSlates, type Slates } from './slates/slates.ts';
import { type CameraSources, type CameraSourcesDeps, createCameraSources } from './sources/camera-sources.ts';
import { type Cameras, type CamerasDeps, cameraPrefix, createCameras } from './sources/cameras.ts';
import { createNeededStreams } from './sources/needed-streams.ts';
import { createTaskWorkers, type TaskModule } from './task-workers.ts';
import { createTranscode, type Transcode, transcodeWorkerId } from './transcode/transcode.ts';
import { createWatermarks } from './transcode/watermarks.ts';
import { createVliveSources, type VliveSources, type VliveSourcesDeps } from './vlive/vlive-sources.ts';
import { createVlives, type Vlives, type VlivesDeps } from './vlive/vlives.ts';
import { createWorkerLogs, type WorkerLogs } from './worker-logs.ts';

const cleanUpIntervalMs = 10 * 60_000;

export interface Tasks {
  readonly cameras: Cameras;
  readonly cameraSources: CameraSources;
  readonly onvif: Onvif;
  readonly forwards: Forwards;
  readonly vlives: Vlives;
  readonly vliveSources: VliveSources;
  readonly transcode: Transcode;
  readonly demoStreams: DemoStreams;
  readonly ladder: Ladder;
  readonly ladderCosts: LadderCostMeter;
  readonly slates: Slates;
  readonly channels: Channels;
  readonly workerLogs: WorkerLogs;
  readonly targetTests: TargetTests;
  readonly publishSecretChange: PublishSecretChange;
  /**
   * Ends leftover processes of an earlier control plane, then starts all enabled tasks. Resolves when the signal aborts. Worker processes
   * run until `closeWorkers`.
   */
  runWorkers(signal: AbortSignal): Promise<void>;
  closeWorkers(): Promise<void>;
}

export interface TasksDeps extends StreamSourcesDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly dataDir: string;
  readonly files: Files;
  readonly nodeId: string;
  readonly nodes: ChannelsDeps['nodes'];
  readonly bitrateLimits: VliveSourcesDeps['limits'] & CameraSourcesDeps['limits'];
  readonly components: Pick<Components, 'isEnabled' | 'subscribe'>;
  readonly publishSecret: PublishSecret;
  readonly watching: Watching;
  readonly activeStreams: ActiveStreams;
  /** Also lists renditions as streams. */
  readonly allStreams: Pick<MediaServer, 'listStreams'>;
  readonly ownMediaServer: Pick<MediaServer, 'listStreams' | 'readKeyframe'>;
  readonly renditionAccess: RenditionAccess;
  /** Assigns tasks to nodes; undefined with a single server. */
  readonly shares: TaskLeases | undefined;
  /** Calls the node that has the files: that node sets the files as the sources of a target. Resolves with the sources. */
  readonly callNode: VlivesDeps['callNode'];
  readonly isRecorded: (stream: { app: string; stream: string }) => boolean;
  /** Gateways of this machine that push and pull streams. FFmpeg transfers all streams of a direction whose `isOn` is false. */
  readonly gatewayTransfers: Omit<EngineTransfersDeps, 'log'> & { readonly gateways: TargetTestsDeps['gateways'] };
  /** `canPlay`: whether gateways of this machine play channels. `listChannels`: state reported by these gateways. */
  readonly channelGateways: Pick<ChannelsDeps, 'canPlay' | 'listChannels'>;
  readonly recordingFile: ChannelsDeps['recordingFile'];
  readonly workerOptions?: Pick<WorkerRegistryDeps, 'launch' | 'clock' | 'random'>;
}

export async function openTasks(deps: TasksDeps): Promise<Tasks> {
  const { store, audit, log, now, bitrateLimits, components } = deps;
  const isPaused = pausedIn(components);
  const transfers = await openEngineTransfers({ ...deps.gatewayTransfers, log });
  const own = { store, ownerId: deps.nodeId, log, isPaused, shares: deps.shares, transfers };
  const taskWorkers = createTaskWorkers({ ...own, ...deps.workerOptions });
  const workers = taskWorkers.registry;
  components.subscribe((name) => refreshKind(workers, name));
  const sources = createStreamSources(deps);
  const ownAddresses = createOwnAddresses(deps.boundPorts);
  const proxy = createSourceProxy();
  const { library, folders } = deps.files;
  const vliveSources = createVliveSources({ library, folders, limits: bitrateLimits, proxy });
  const forwards = createForwards({ store, audit, workers, sources, ownAddresses, canPush: transfers.canPush });
  const targetTests = await openTestsOf(deps, { forwards, sources });
  const watermarks = createWatermarks({ folder: join(deps.dataDir, 'watermarks'), toPng });
  const transcode = createTranscode({ store, audit, workers, sources, ownAddresses, watermarks });
  const demoStreams = createDemoStreams({ ...deps, workers });
  const ladder = openLadder(deps, { workers, sources, isPaused });
  const channels = await openChannelsOf(deps);
  const slates = await openSlatesOf(deps);
  const sharedFiles = { sources: vliveSources, callNode: deps.callNode, otherUsers: () => usersOf(channels, slates) };
  const vlives = createVlives({ store, audit, workers, library, folders, proxy, now, ...sharedFiles });
  const { cameras, cameraSources } = openCameras(deps, {
    ...{ workers, ownAddresses, proxy, canPull: transfers.canPull },
    isNeeded: createNeededStreams({ slates, channels, forwards, isRecorded: deps.isRecorded }),
  });
  const users = { cameras, forwards, vlives, transcode };
  const publishSecretChange = createPublishSecretChange({ ...deps, ownAddresses, ...users });

  return {
    ...{ cameras, cameraSources, onvif: createOnvif(), forwards, vlives, vliveSources, transcode, demoStreams, ladder },
    ...{ slates, channels },
    ladderCosts: new LadderCostMeter({ cores: availableParallelism(), log }),
    workerLogs: createWorkerLogs(workers),
    ...{ targetTests, publishSecretChange },
    async runWorkers(signal) {
      await reconcileSecret(publishSecretChange, log);
      if (!areLimitsApplied())
        log.warn({}, 'the program prlimit (package util-linux) is missing: FFmpeg runs without resource limits');
      await taskWorkers.begin(modulesOf({ cameras, forwards, vlives, transcode, demoStreams, ladder }), signal);
      runAll({ ladder, slates, channels }, log, signal);
      await cleanUpNowAndThen(vlives, log, signal);
    },
    async closeWorkers() {
      demoStreams.close();
      await taskWorkers.close();
      await proxy.close();
    },
  };
}

/** Resolves with a function that returns the users of a library file: titles of channels, and `slate`. */
async function usersOf(channels: Channels, slates: Slates): Promise<(target: string) => string[]> {
  const ofChannels = await channels.users();
  return (target) => [...ofChannels(target), ...(slates.usesFile(target) ? ['slate'] : [])];
}

function runAll(parts: Pick<Tasks, 'ladder' | 'slates' | 'channels'>, log: Log, signal: AbortSignal): void {
  const { ladder, slates, channels } = parts;
  inBackground(ladder.run(signal), log, 'periodic check of ladders stopped after an error');
  inBackground(slates.run(signal), log, 'periodic check of slates stopped after an error');
  inBackground(channels.run(signal), log, 'periodic check of channels stopped after an error');
}

async function reconcileSecret(change: PublishSecretChange, log: Log): Promise<void> {
  await change.reconcile().catch((error) => {
    log.error({ err: error }, 'push targets with the old publish secret could not be updated to the new one');
  });
}

/** Returns a function that takes a worker id. The function tells whether the component of this worker is switched off. */
function pausedIn(components: TasksDeps['components']): (id: string) => boolean {
  return (id) => {
    const kind = kindOfWorker(id);
    return kind !== undefined && !components.isEnabled(kind);
  };
}

async function refreshKind(workers: WorkerRegistry, name: string): Promise<void> {
  if (workerKinds.some((kind) => kind === name)) await workers.refresh(name);
  if (name === kindOfWorker(ladderPrefix)) await workers.refresh(ladderPrefix);
}

function openChannelsOf(deps: TasksDeps): Promise<Channels> {
  const { folders, library } = deps.files;
  return openChannels({
    ...{ ...deps, ...deps.channelGateways, folders, library, isShared: deps.shares !== undefined },
    requireSpace: (bytes) => folders.requireSpace(bytes),
  });
}

function openSlatesOf(deps: TasksDeps): Promise<Slates> {
  const { store, audit, log, dataDir, ownMediaServer, files, publishSecret, now } = deps;
  return openSlates({
    ...{ store, audit, log, dataDir, mediaServer: ownMediaServer, publishSecret, now },
    ...{ folders: files.folders, library: files.library },
    ...{ toImage: (file) => toPicture(file, 'poster'), encode: encodeSlate, clock: () => performance.now() },
    ...{ drawPreview, canShow: deps.channelGateways.canPlay },
    takeScreenshot: (keyframe, signal) => takeStillImage(keyframe, signal, snapshotSize),
  });
}

function openTestsOf(
  { dataDir, gatewayTransfers }: TasksDeps,
  own: Pick<TargetTestsDeps, 'forwards' | 'sources'>,
): Promise<TargetTests> {
  return openTargetTests({ folder: join(dataDir, 'run'), gateways: gatewayTransfers.gateways, ...own });
}

function openCameras(
  { store, audit, bitrateLimits, publishSecret, boundPorts }: TasksDeps,
  {
    ownAddresses,
    ...own
  }: Pick<CamerasDeps, 'workers' | 'proxy' | 'canPull' | 'isNeeded'> & { ownAddresses: OwnAddresses },
): Pick<Tasks, 'cameras' | 'cameraSources'> {
  const cameraSources = createCameraSources({ limits: bitrateLimits, proxy: own.proxy });
  const cameras = createCameras({
    ...{ store, audit, publishSecret, boundPorts, sources: cameraSources, ...own },
    ownStreamOf: (address) => ownAddresses.streamOf(address),
  });
  return { cameras, cameraSources };
}

function openLadder(
  { store, audit, allStreams, renditionAccess, boundPorts, log }: TasksDeps,
  { isPaused, ...own }: Pick<LadderDeps, 'workers' | 'sources'> & { isPaused: (id: string) => boolean },
): Ladder {
  const isLadderPaused = () => isPaused(ladderPrefix);
  return new Ladder({
    ...{ store, audit, boundPorts, log, ...own },
    ...{ mediaServer: allStreams, door: renditionAccess, isPaused: isLadderPaused },
  });
}

function modulesOf({
  cameras,
  forwards,
  vlives,
  transcode,
  demoStreams,
  ladder,
}: Pick<Tasks, 'cameras' | 'forwards' | 'vlives' | 'transcode' | 'demoStreams' | 'ladder'>): TaskModule[] {
  return [
    { prefix: cameraPrefix, kept: 'cameras', wanted: () => cameras.wanted() },
    { prefix: 'forward:', kept: 'forwards', wanted: () => forwards.wanted() },
    { prefix: 'vlive:', kept: 'vlives', wanted: () => vlives.wanted() },
    { prefix: transcodeWorkerId, kept: 'transcode', wanted: () => transcode.wanted() },
    { prefix: demoWorkerId, kept: 'demo-stream', wanted: () => demoStreams.wanted() },
    { prefix: ladderPrefix, kept: ladderRunsName, wanted: () => ladder.wanted() },
  ];
}

async function cleanUpNowAndThen(vlives: Vlives, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await vlives
      .cleanUp()
      .catch((error) => log.error({ err: error }, 'unused files of virtual live targets could not be deleted'));
    await sleep(cleanUpIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
