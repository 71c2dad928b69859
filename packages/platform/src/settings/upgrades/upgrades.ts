// Release channel, auto-upgrade and upgrades as the operator sees them. The work is the supervisor's: it is asked over the
// channel between the processes and answers in files, which outlive the restart that an upgrade is.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActiveStream,
  AppError,
  changed,
  type endpoints,
  type ReleaseChannel,
  type ResponseOf,
  releaseChannel,
  switched,
  type UpgradeRequest,
  type UpgradeResult,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { openSetting } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { nextAutoStep } from './auto-upgrade.ts';
import { createUpgradeFiles } from './upgrade-files.ts';
import type { UpgradeWindow } from './upgrade-window.ts';

interface UpgradeSettings {
  readonly channel: ReleaseChannel;
  readonly auto: boolean;
}
const settingsDocument: DocumentType<UpgradeSettings> = {
  key: 'upgrades',
  schema: z.object({ channel: releaseChannel, auto: z.boolean() }),
  empty: { channel: 'stable', auto: false },
};
/** When the last result was that has been told. */
const toldDocument: DocumentType<string> = { key: 'upgrade-told', schema: z.string(), empty: '' };

/** Pause between two looks at the files, milliseconds: a result is there a moment after the start. */
const lookEveryMs = 5_000;
/** After this nobody works on what was asked for, milliseconds: the transfer itself may take ten minutes. */
const givenUpAfterMs = 11 * 60_000;
/** How long a worker takes to say that it began, milliseconds. */
const beginsWithinMs = 15_000;

export interface Upgrades {
  query(): Promise<ResponseOf<typeof endpoints.queryUpgrade>>;
  isRunning(): Promise<boolean>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`. */
  look(): Promise<void>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`, `upgradeReleaseChanged`. */
  start(wanted: { channel: ReleaseChannel; commit: string; ip: string }): Promise<void>;
  change(next: UpgradeSettings & { revision?: string | undefined; ip: string }): Promise<void>;
  /** Tells how an upgrade ended, and upgrades by itself when that is on; ends with the signal. */
  keep(signal: AbortSignal, everyMs?: number): Promise<void>;
}

export interface UpgradesDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly dataDir: string;
  readonly upgradeWindow: Pick<UpgradeWindow, 'query'>;
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
  readonly askSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openUpgrades(deps: UpgradesDeps): Promise<Upgrades> {
  const { store, audit, log, now, askSupervisor } = deps;
  const files = createUpgradeFiles(deps.dataDir);
  const setting = await openSetting({ ...deps, type: settingsDocument });
  let askedToLookMs = Number.NEGATIVE_INFINITY;
  let askedToStartMs = Number.NEGATIVE_INFINITY;

  const isLooking = async () => {
    const checkedAtMs = Date.parse((await files.found())?.checkedAt ?? '') || Number.NEGATIVE_INFINITY;
    return askedToLookMs > checkedAtMs && now().getTime() - askedToLookMs < givenUpAfterMs;
  };
  const isRunning = async () => {
    const progress = await files.progress();
    const hasBegun = progress !== null && Date.parse(progress.startedAt) >= askedToStartMs;
    if (!hasBegun && now().getTime() - askedToStartMs < beginsWithinMs) return true;
    return progress?.state === 'running';
  };
  const requireFree = async () => {
    if ((await files.installation())?.kind !== 'checkout') throw new AppError('upgradeUnavailable');
    if ((await isRunning()) || (await isLooking())) throw new AppError('upgradeRunning');
  };
  const ask = (request: UpgradeRequest) => {
    if (!askSupervisor(request)) throw new AppError('upgradeUnavailable');
  };

  const upgrades: Upgrades = {
    isRunning,
    async query() {
      const streams = await deps.activeStreams.list();
      return {
        ...setting.current(),
        revision: setting.revision(),
        installation: await files.installation(),
        found: await files.found(),
        isLooking: await isLooking(),
        progress: await files.progress(),
        result: await files.result(),
        liveStreams: streams.map(({ app, stream }) => `${app}/${stream}`),
      };
    },
    async look() {
      await requireFree();
      ask({ type: 'upgrade', action: 'look' });
      askedToLookMs = now().getTime();
    },
    async start({ channel, commit, ip }) {
      await requireFree();
      const release = (await files.found())?.[channel];
      if (release?.commit !== commit) throw new AppError('upgradeReleaseChanged');
      ask({ type: 'upgrade', action: 'install', channel, commit });
      askedToStartMs = now().getTime();
      const { version } = release;
      await audit.record('upgrade-started', ip, changed('upgrade.started', { channel: channelName(channel), version }));
    },
    async change({ channel, auto, revision, ip }) {
      const detail = changed('platform.upgrades', { channel: channelName(channel), state: switched(auto) });
      await setting.save(() => ({ channel, auto }), { revision, ip, detail });
    },
    async keep(signal, everyMs = lookEveryMs) {
      const rest = () => delay(everyMs, undefined, { signal }).catch(() => undefined);
      // At first too: how long the server was away is noted when the first call is answered.
      for (await rest(); !signal.aborted; await rest()) {
        await tellResult()
          .then(stepByItself)
          .catch((error) => log.error({ err: error }, 'upgrades not looked after'));
      }
    },
  };

  async function tellResult(): Promise<void> {
    const result = await files.result();
    if (!result || result.at === (await store.get(toldDocument))) return;
    await store.set(toldDocument, result.at);
    await audit.record(result.outcome === 'upgraded' ? 'upgraded' : 'upgrade-taken-back', '', sentenceOf(result));
  }

  async function stepByItself(): Promise<void> {
    if (!setting.current().auto || (await isRunning()) || (await isLooking())) return;
    const [window, facts] = await Promise.all([deps.upgradeWindow.query(), upgrades.query()]);
    const { isOpen, closesAt } = window;
    const nowMs = now().getTime();
    const step = nextAutoStep({ ...facts, window: { isOpen, closesAtMs: Date.parse(closesAt) }, nowMs });
    if (step.do === 'look') await upgrades.look();
    if (step.do === 'start') await upgrades.start({ channel: facts.channel, commit: step.commit, ip: '' });
  }
  return upgrades;
}

function channelName(channel: ReleaseChannel) {
  return channel === 'stable' ? changed('channel.stable') : changed('channel.development');
}

function sentenceOf({ outcome, from, to: { version: to }, interruptionMs }: UpgradeResult) {
  const seconds = interruptionMs === null ? null : (interruptionMs / 1000).toFixed(1);
  if (outcome === 'upgraded') {
    return seconds === null
      ? changed('upgrade.done-at-start', { from, to })
      : changed('upgrade.done', { from, to, seconds });
  }
  return seconds === null
    ? changed('upgrade.taken-back-at-start', { from, to })
    : changed('upgrade.taken-back', { from, to, seconds });
}
