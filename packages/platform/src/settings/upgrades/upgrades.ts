// Release channel, auto-upgrade and upgrades by the operator. The supervisor receives requests over IPC and executes them. Results are in
// files, because an upgrade restarts this process.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActiveStream,
  AppError,
  changed,
  type endpoints,
  type FoundReleases,
  type ReleaseChannel,
  type ResponseOf,
  type UpgradeRequest,
  type UpgradeResult,
} from '@srs-stack/contract';
import { upgradeSettings } from '@srs-stack/contract/endpoints/settings/upgrades.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { type Actor, thisServer } from '../../actor.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { type DeclaredSetting, openDeclared } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { nextAutoStep } from './auto-upgrade.ts';
import { createUpgradeFiles } from './upgrade-files.ts';
import type { UpgradeWindow } from './upgrade-window.ts';

type UpgradeSettings = typeof upgradeSettings.document.empty;
/** Time of the last upgrade result that became an event. */
const reportedDocument: DocumentType<string> = { key: 'upgrade-told', schema: z.string(), empty: '' };

/** Interval of reading the supervisor's files, milliseconds. */
const lookEveryMs = 5_000;
/** Timeout of a requested update check, milliseconds: a download may take ten minutes. */
const givenUpAfterMs = 11 * 60_000;
/** Cache time of the summary, milliseconds. Reading the files would take most of the time of a status call. */
const summaryFreshMs = 250;
/** Maximum time until a worker of the supervisor reports its start, milliseconds. */
const beginsWithinMs = 15_000;

interface UpgradeSummary {
  readonly found: FoundReleases | null;
  readonly auto: boolean;
  readonly isRunning: boolean;
}

export interface Upgrades extends Pick<DeclaredSetting<UpgradeSettings>, 'change'> {
  summary(): Promise<UpgradeSummary>;
  query(): Promise<ResponseOf<typeof endpoints.queryUpgrade>>;
  isRunning(): Promise<boolean>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`. */
  look(): Promise<void>;
  /** Throws `upgradeUnavailable`, `upgradeRunning`, `upgradeReleaseChanged`. */
  start(wanted: { channel: ReleaseChannel; commit: string; actor: Actor }): Promise<void>;
  /** Reports upgrade results and runs auto-upgrade until the signal is aborted. */
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
  readonly sendToSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openUpgrades(deps: UpgradesDeps): Promise<Upgrades> {
  const files = createUpgradeFiles(deps.dataDir);
  const setting = await openDeclared(upgradeSettings, deps);
  return new SupervisedUpgrades(deps, files, setting);
}

class SupervisedUpgrades implements Upgrades {
  readonly #deps: UpgradesDeps;
  readonly #files: ReturnType<typeof createUpgradeFiles>;
  readonly #setting: DeclaredSetting<UpgradeSettings>;
  #summary: { readonly value: Promise<UpgradeSummary>; readonly atMs: number } | undefined;
  #checkRequestedMs = Number.NEGATIVE_INFINITY;
  #startRequestedMs = Number.NEGATIVE_INFINITY;

  constructor(
    deps: UpgradesDeps,
    files: ReturnType<typeof createUpgradeFiles>,
    setting: DeclaredSetting<UpgradeSettings>,
  ) {
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
    const hasBegun = progress !== null && Date.parse(progress.startedAt) >= this.#startRequestedMs;
    if (!hasBegun && this.#deps.now().getTime() - this.#startRequestedMs < beginsWithinMs) return true;
    return progress?.state === 'running';
  }

  async query(): Promise<ResponseOf<typeof endpoints.queryUpgrade>> {
    const streams = await this.#deps.activeStreams.list();
    const found = await this.#files.found();
    return {
      ...this.#setting.query(),
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
    this.#checkRequestedMs = this.#deps.now().getTime();
  }

  async start({ channel, commit, actor }: { channel: ReleaseChannel; commit: string; actor: Actor }): Promise<void> {
    await this.#requireFree();
    const release = (await this.#files.found())?.[channel];
    if (release?.commit !== commit) throw new AppError('upgradeReleaseChanged');
    this.#ask({ type: 'upgrade', action: 'install', channel, commit });
    this.#startRequestedMs = this.#deps.now().getTime();
    const { version } = release;
    await this.#deps.audit.record(
      'upgrade-started',
      actor,
      changed('upgrade.started', { channel: changed(`channel.${channel}`), version }),
    );
  }

  change: Upgrades['change'] = (values, by) => this.#setting.change(values, by);

  async keep(signal: AbortSignal, everyMs: number = lookEveryMs): Promise<void> {
    const rest = () => delay(everyMs, undefined, { signal }).catch(() => undefined);
    // Also waits before the first round: after an upgrade, the supervisor writes the result only when the new servers respond.
    for (await rest(); !signal.aborted; await rest()) {
      await this.#reportResult()
        .then(() => this.#autoUpgrade())
        .catch((error) => this.#deps.log.error({ err: error }, 'upgrade check failed'));
    }
  }

  async #summarize(): Promise<UpgradeSummary> {
    const { auto } = this.#setting.current();
    return { found: await this.#files.found(), auto, isRunning: await this.isRunning() };
  }

  async #isLooking(): Promise<boolean> {
    return this.#isLookingSince(await this.#files.found());
  }

  /** Whether a requested update check is pending. @param found from the caller, so that one response never mixes two results. */
  #isLookingSince(found: FoundReleases | null): boolean {
    const checkedAtMs = Date.parse(found?.checkedAt ?? '') || Number.NEGATIVE_INFINITY;
    return this.#checkRequestedMs > checkedAtMs && this.#deps.now().getTime() - this.#checkRequestedMs < givenUpAfterMs;
  }

  async #requireFree(): Promise<void> {
    if ((await this.#files.installation())?.kind !== 'checkout') throw new AppError('upgradeUnavailable');
    if ((await this.isRunning()) || (await this.#isLooking())) throw new AppError('upgradeRunning');
  }

  #ask(request: UpgradeRequest): void {
    if (!this.#deps.sendToSupervisor(request)) throw new AppError('upgradeUnavailable');
  }

  async #reportResult(): Promise<void> {
    const result = await this.#files.result();
    if (!result || result.at === (await this.#deps.store.get(reportedDocument))) return;
    await this.#deps.store.set(reportedDocument, result.at);
    await this.#deps.audit.record(
      result.outcome === 'upgraded' ? 'upgraded' : 'upgrade-taken-back',
      thisServer,
      sentenceOf(result),
    );
  }

  async #autoUpgrade(): Promise<void> {
    if (!this.#setting.current().auto || (await this.isRunning()) || (await this.#isLooking())) return;
    const [window, facts] = await Promise.all([this.#deps.upgradeWindow.query(), this.query()]);
    const { isOpen, closesAt } = window;
    const nowMs = this.#deps.now().getTime();
    const step = nextAutoStep({ ...facts, window: { isOpen, closesAtMs: Date.parse(closesAt) }, nowMs });
    if (step.do === 'look') await this.look();
    if (step.do === 'start') await this.start({ channel: facts.channel, commit: step.commit, actor: thisServer });
  }
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
