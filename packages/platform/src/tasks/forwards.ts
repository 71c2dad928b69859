// Forward: sends a live stream to other platforms, one worker per target, none of which knows of the others.
import {
  AppError,
  addedPlatformMarks,
  because,
  changed,
  type ForwardRow,
  type ForwardTarget,
  forwardTarget,
  isValidStreamName,
  switched,
  verbatim,
  workerDetail,
} from '@srs-stack/contract';
import { forwardLimits } from '@srs-stack/programs';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { pushSchemes } from '../network/address-rule.ts';
import type { OwnAddresses } from '../network/own-addresses.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { CollectionType, Store } from '../store/store.ts';
import type { StreamSources } from '../streams/stream-sources.ts';
import { joinAddress } from '../workers/ffmpeg-args/address.ts';
import { forwardArgs } from '../workers/ffmpeg-args/forward-args.ts';
import type { PlanResult } from '../workers/supervised-worker.ts';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import { checkAction, checkPlatform, checkRoom, checkTarget, refusedHost, secretsOfTarget } from './push-targets.ts';
import type { PushAddress } from './secret-in-key.ts';
import { factOf, runOf, statusOf } from './worker-rows.ts';

const forwardTargets: CollectionType<ForwardTarget> = { name: 'forwards', schema: forwardTarget, secret: true };
const noServer = because('target.forward-server-missing');

export interface Forwards {
  targets(): Promise<Record<string, ForwardTarget>>;
  /** `action` must be `update`. */
  save(action: string, target: ForwardTarget, ip: string): Promise<void>;
  remove(platform: string, ip: string): Promise<void>;
  /** Changes where a target is sent; a process that runs goes on, the next one goes there. */
  changeAddress(platform: string, change: (address: PushAddress) => PushAddress): Promise<void>;
  rows(): Promise<ForwardRow[]>;
  /** Runs everything that is switched on. */
  reconcile(): Promise<void>;
}

export interface ForwardsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly sources: StreamSources;
  readonly ownAddresses: OwnAddresses;
}

export const forwardWorkerId = (platform: string) => `forward:${platform}`;

export function createForwards(deps: ForwardsDeps): Forwards {
  const { store, audit, workers, sources, ownAddresses } = deps;
  const targets = store.collection(forwardTargets);
  const oneAtATime = createOneAtATime();

  /** The named stream, or any that no forward makes on this server; never the stream this target itself makes. */
  const acceptable = async (target: ForwardTarget, output: string) => {
    const ownOutput = await ownAddresses.streamOf(output);
    const outputs = target.stream === '' ? await outputsHere() : new Set<string>();
    return ({ app, stream }: { app: string; stream: string }) => {
      const path = `${app}/${stream}`;
      return (target.stream === '' || target.stream === stream) && path !== ownOutput && !outputs.has(path);
    };
  };

  /** Streams that forwards publish back to this server: copies, not news, for a target that follows the newest stream. */
  const outputsHere = async () => {
    const enabled = [...(await targets.entries()).values()].filter((target) => target.enabled);
    const paths = enabled.map(({ server, secret }) => ownAddresses.streamOf(joinAddress(server, secret)));
    return new Set(await Promise.all(paths));
  };

  const plan = async (platform: string): Promise<PlanResult> => {
    const target = await targets.get(platform);
    if (!target) return { kind: 'wait', reason: 'settings-invalid', detail: workerDetail('target-removed') };
    const output = joinAddress(target.server, target.secret);
    const choice = await sources.choose(await acceptable(target, output));
    if (choice.kind === 'away')
      return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-away') };
    if (choice.kind === 'none') {
      const { stream } = target;
      const detail = stream ? workerDetail('stream-not-live', { stream }) : workerDetail('no-stream');
      return { kind: 'wait', reason: 'source-not-live', detail };
    }
    const refused = await refusedHost(output, pushSchemes);
    if (refused) return refused;
    const { source } = choice;
    return {
      kind: 'run',
      plan: {
        mayUse: forwardLimits,
        args: forwardArgs({ input: source.address, output }),
        secrets: secretsOfTarget(target),
        watchesSpeed: true,
        facts: { stream: source.url },
        isSourceLive: () => sources.isLive(source),
        hasPicture: () => sources.hasPicture(source),
      },
    };
  };

  const run = (platform: string) => workers.run(forwardWorkerId(platform), () => plan(platform));

  return {
    targets: async () => Object.fromEntries(await targets.entries()),

    save: (action, target, ip) =>
      oneAtATime(async () => {
        checkAction(action);
        const { platform, stream } = target;
        checkPlatform(platform, addedPlatformMarks.forward);
        checkTarget(target, noServer);
        if (stream !== '' && !isValidStreamName(stream)) throw new AppError('streamNameInvalid', verbatim(stream));
        const before = await targets.get(platform);
        if (!before) checkRoom((await targets.entries()).size);
        await targets.put(platform, target);
        if (target.enabled) run(platform);
        else await workers.halt(forwardWorkerId(platform));
        await audit.record(
          'setting-changed',
          ip,
          changed('task.forward', { platform, state: switched(target.enabled) }),
        );
      }),

    remove: (platform, ip) =>
      oneAtATime(async () => {
        if (!(await targets.remove(platform)))
          throw new AppError('notFound', because('target.no-forward', { platform }));
        await workers.remove(forwardWorkerId(platform));
        await audit.record('setting-changed', ip, changed('task.forward-removed', { platform }));
      }),

    changeAddress: (platform, change) =>
      oneAtATime(async () => {
        const target = await targets.get(platform);
        if (target) await targets.put(platform, { ...target, ...change(target) });
      }),

    async rows() {
      const all = [...(await targets.entries()).values()];
      return all.map((target) => toRow(target, workers));
    },

    async reconcile() {
      for (const { platform, enabled } of (await targets.entries()).values()) if (enabled) run(platform);
    },
  };
}

function toRow({ platform, enabled, custom, label }: ForwardTarget, workers: WorkerRegistry): ForwardRow {
  const view = workers.view(forwardWorkerId(platform));
  const stream = factOf(view, 'stream');
  return {
    platform,
    enabled,
    custom,
    label,
    ...(stream !== undefined && view.pid > 0 ? { stream } : {}),
    ...runOf(view),
    ...statusOf(view),
  };
}
