// Release channel, auto-upgrade and upgrades as the operator sees them. The work is the supervisor's: it is asked over the
// channel between the processes and answers in files, which outlive the restart that an upgrade is.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActiveStream,
  AppError,
  changed,
  type endpoints,
  type FoundReleases,
  type ReleaseChannel,
  type ResponseOf,
  releaseChannel,
  switched,
  type UpgradeRequest,
  type UpgradeResult,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { type Actor, thisServer } from '../../actor.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { openSetting, type Setting } from '../../store/setting.ts';
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
/**
 * What consoles are told with every look at the status is read again after this long, milliseconds: the files would be three
 * quarters of the work of that call, and an upgrade takes minutes.
 */
const summaryFreshMs = 250;
/** How long a worker takes to say that it began, milliseconds. */
const beginsWithinMs = 15_000;

/** What the status of the product says of upgrades. */
interface UpgradeSummary {
  readonly found: FoundReleases | null;
  readonly auto: boolean;
  readonly isRunning: boolean;
}

export interface Upgrades {
  /** As it was at most a moment ago. */
  summary(): Promise<UpgradeSummary>;
  query(): Promise<ResponseOf<typeof endpoints.queryUpgrade>>;
  isRunning(): Promise<boolean>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`. */
  look(): Promise<void>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`, `upgradeReleaseChanged`. */
  start(wanted: { channel: ReleaseChannel; commit: string; actor: Actor }): Promise<void>;
  change(next: UpgradeSettings & { revision?: string | undefined; actor: Actor }): Promise<void>;
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
  const files = createUpgradeFiles(deps.dataDir);
  const setting = await openSetting({ ...deps, type: settingsDocument });
  return new SupervisedUpgrades(deps, files, setting);
}

class SupervisedUpgrades implements Upgrades {
  readonly #deps: UpgradesDeps;
  readonly #files: ReturnType<typeof createUpgradeFiles>;
  readonly #setting: Setting<UpgradeSettings>;
  #summary: { readonly value: Promise<UpgradeSummary>; readonly atMs: number } | undefined;
  #askedToLookMs = Number.NEGATIVE_INFINITY;
  #askedToStartMs = Number.NEGATIVE_INFINITY;

  constructor(deps: UpgradesDeps, files: ReturnType<typeof createUpgradeFiles>, setting: Setting<UpgradeSettings>) {
    this.#deps = deps;
    this.#files = files;
    this.#setting = setting;
  }

  summary(): Promise<UpgradeSummary> {
    const nowMs = performance.now();
    if (!this.#summary || nowMs - this.#summary.atMs >= summaryFreshMs) {
      this.#summary = { value: this.#summarize(), atMs: nowMs };
    }
    return this.#summary.value;
  }

  async isRunning(): Promise<boolean> {
    const progress = await this.#files.progress();
    const hasBegun = progress !== null && Date.parse(progress.startedAt) >= this.#askedToStartMs;
    if (!hasBegun && this.#deps.now().getTime() - this.#askedToStartMs < beginsWithinMs) return true;
    return progress?.state === 'running';
  }

  async query(): Promise<ResponseOf<typeof endpoints.queryUpgrade>> {
    const streams = await this.#deps.activeStreams.list();
    const found = await this.#files.found();
    return {
      ...this.#setting.current(),
      revision: this.#setting.revision(),
      installation: await this.#files.installation(),
      found,
      isLooking: this.#isLookingSince(found),
      progress: await this.#files.progress(),
      result: await this.#files.result(),
      liveStreams: streams.map(({ app, stream }) => `${app}/${stream}`),
    };
  }

  async look(): Promise<void> {
    await this.#requireFree();
    this.#ask({ type: 'upgrade', action: 'look' });
    this.#askedToLookMs = this.#deps.now().getTime();
  }

  async start({ channel, commit, actor }: { channel: ReleaseChannel; commit: string; actor: Actor }): Promise<void> {
    await this.#requireFree();
    const release = (await this.#files.found())?.[channel];
    if (release?.commit !== commit) throw new AppError('upgradeReleaseChanged');
    this.#ask({ type: 'upgrade', action: 'install', channel, commit });
    this.#askedToStartMs = this.#deps.now().getTime();
    const { version } = release;
    await this.#deps.audit.record(
      'upgrade-started',
      actor,
      changed('upgrade.started', { channel: channelName(channel), version }),
    );
  }

  async change({
    channel,
    auto,
    revision,
    actor,
  }: UpgradeSettings & { revision?: string | undefined; actor: Actor }): Promise<void> {
    const detail = changed('platform.upgrades', { channel: channelName(channel), state: switched(auto) });
    await this.#setting.save(() => ({ channel, auto }), { revision, actor, detail });
  }

  async keep(signal: AbortSignal, everyMs: number = lookEveryMs): Promise<void> {
    const rest = () => delay(everyMs, undefined, { signal }).catch(() => undefined);
    // At first too: how long the server was away is noted when the first call is answered.
    for (await rest(); !signal.aborted; await rest()) {
      await this.#tellResult()
        .then(() => this.#stepByItself())
        .catch((error) => this.#deps.log.error({ err: error }, 'upgrades not looked after'));
    }
  }

  async #summarize(): Promise<UpgradeSummary> {
    const { auto } = this.#setting.current();
    return { found: await this.#files.found(), auto, isRunning: await this.isRunning() };
  }

  async #isLooking(): Promise<boolean> {
    return this.#isLookingSince(await this.#files.found());
  }

  /** Whether more was asked for than was found, by one reading of it: the answer may be there a moment later. */
  #isLookingSince(found: FoundReleases | null): boolean {
    const checkedAtMs = Date.parse(found?.checkedAt ?? '') || Number.NEGATIVE_INFINITY;
    return this.#askedToLookMs > checkedAtMs && this.#deps.now().getTime() - this.#askedToLookMs < givenUpAfterMs;
  }

  async #requireFree(): Promise<void> {
    if ((await this.#files.installation())?.kind !== 'checkout') throw new AppError('upgradeUnavailable');
    if ((await this.isRunning()) || (await this.#isLooking())) throw new AppError('upgradeRunning');
  }

  #ask(request: UpgradeRequest): void {
    if (!this.#deps.askSupervisor(request)) throw new AppError('upgradeUnavailable');
  }

  async #tellResult(): Promise<void> {
    const result = await this.#files.result();
    if (!result || result.at === (await this.#deps.store.get(toldDocument))) return;
    await this.#deps.store.set(toldDocument, result.at);
    await this.#deps.audit.record(
      result.outcome === 'upgraded' ? 'upgraded' : 'upgrade-taken-back',
      thisServer,
      sentenceOf(result),
    );
  }

  async #stepByItself(): Promise<void> {
    if (!this.#setting.current().auto || (await this.isRunning()) || (await this.#isLooking())) return;
    const [window, facts] = await Promise.all([this.#deps.upgradeWindow.query(), this.query()]);
    const { isOpen, closesAt } = window;
    const nowMs = this.#deps.now().getTime();
    const step = nextAutoStep({ ...facts, window: { isOpen, closesAtMs: Date.parse(closesAt) }, nowMs });
    if (step.do === 'look') await this.look();
    if (step.do === 'start') await this.start({ channel: facts.channel, commit: step.commit, actor: thisServer });
  }
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
