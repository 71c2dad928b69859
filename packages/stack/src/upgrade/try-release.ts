// Switches to a prepared release while no server runs: backs up the state, then starts and watches the new release. If the new release does
// not become ready, it is stopped and the state is restored. The journal always contains what a start after a power failure must undo.
import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseIdentity, UpgradeProblem, UpgradeResult } from '@srs-stack/contract';
import { beginProgress } from './progress-file.ts';
import { type ReleaseFolders, readIdentity, removeOtherReleases } from './release-folders.ts';
import { type ReleaseProcess, startRelease } from './release-process.ts';
import { changeReleaseState, readReleaseState } from './release-state.ts';
import { backUpState, restoreState } from './state-backup.ts';

/** Time for a release to respond to its first call, milliseconds. A slower release is rolled back. */
const defaultReadyWithinMs = 60_000;

/** Steps of a successful switch, then (from `ended`) steps of a rollback. Tests simulate a power failure at each step. */
export type TrialStep =
  | 'backed-up'
  | 'journalled'
  | 'started'
  | 'ready'
  | 'committed'
  | 'ended'
  | 'restored'
  | 'rolled-back';

export interface TrialOptions {
  readonly dataDir: string;
  readonly folders: ReleaseFolders;
  readonly checkout: string;
  readonly checkoutCommit: string;
  readonly fromVersion: string;
  readonly readyWithinMs?: number | undefined;
  readonly onStep?: ((step: TrialStep) => void) | undefined;
  readonly say: (line: string) => void;
}

/**
 * Tries the next release. Resolves with its process once the release is ready and selected for future starts. Resolves with undefined if
 * the switch was not started or was rolled back. `stoppedAtMs`: time at which the previous servers stopped, Unix milliseconds. `onReady` is
 * called when the release is ready, before it is stored as selected. From this call on, the caller must forward stop requests to the
 * release.
 */
export async function tryNextRelease(
  name: string,
  stoppedAtMs: number | undefined,
  options: TrialOptions & { readonly onReady: (release: ReleaseProcess) => void },
): Promise<ReleaseProcess | undefined> {
  const { folders, dataDir, onStep, say } = options;
  const to = await readIdentity(folders.folderOf(name)).catch(() => undefined);
  const done = await backUp(name, options);
  if (!to || 'problem' in done) {
    const problem = 'problem' in done ? done.problem : ({ reason: 'release-unusable', detail: '' } as const);
    say(`Not upgraded: ${problem.detail}`);
    await giveUp(to, problem, stoppedAtMs, options);
    return undefined;
  }
  onStep?.('backed-up');
  await changeReleaseState(folders.state, { next: null, trial: { name, backup: done.path } });
  onStep?.('journalled');
  say(`Starting ${to.version} (${to.channel}, ${to.commit.slice(0, 12)}) ...`);
  const release = startRelease({ folder: folders.folderOf(name), dataDir, checkout: options.checkout });
  onStep?.('started');
  const problem = await problemOf(release, options.readyWithinMs ?? defaultReadyWithinMs);
  if (problem) {
    await release.stop();
    onStep?.('ended');
    say(
      `Release ${to.version} did not become ready (${problem.detail || problem.reason}), rolling back to ${options.fromVersion}.`,
    );
    await undoTrial(problem, stoppedAtMs, options);
    return undefined;
  }
  const readyAtMs = Date.now();
  options.onReady(release);
  onStep?.('ready');
  await commit(name, to, { stoppedAtMs, readyAtMs }, options);
  onStep?.('committed');
  return release;
}

/** Restores the state from the backup of the trial, also after a power failure. The previous release runs next. */
export async function undoTrial(
  problem: UpgradeProblem,
  stoppedAtMs: number | undefined,
  options: TrialOptions,
): Promise<void> {
  const { folders, dataDir, onStep } = options;
  const { trial } = await readReleaseState(folders.state);
  if (!trial) return;
  await restoreState(dataDir, trial.backup);
  onStep?.('restored');
  const to = await readIdentity(folders.folderOf(trial.name)).catch(() => undefined);
  await giveUp(to, problem, stoppedAtMs, options);
  onStep?.('rolled-back');
}

async function backUp(
  name: string,
  { dataDir, folders }: TrialOptions,
): Promise<{ path: string } | { problem: UpgradeProblem }> {
  // The label starts with the time, so that backups sort by age.
  const label = `${new Date().toISOString().replace(/[:.]/g, '-')}-before-${name}`;
  try {
    return { path: await backUpState(dataDir, folders.backups, label) };
  } catch (error) {
    return { problem: { reason: 'backup-failed', detail: (error as Error).message } };
  }
}

/** Waits until a release is ready. Resolves with undefined, or with the reason if the release ends or is too slow. */
async function problemOf(release: ReleaseProcess, readyWithinMs: number): Promise<UpgradeProblem | undefined> {
  const patience = new AbortController();
  const late = delay(readyWithinMs, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const);
  const first = await Promise.race([release.ready, release.ended, late]);
  patience.abort();
  if (first === undefined) return undefined;
  if (first === 'late') return { reason: 'not-ready', detail: release.errorOutput() };
  return { reason: 'ended', detail: release.errorOutput() || `exit code ${first}` };
}

async function commit(
  name: string,
  to: ReleaseIdentity,
  times: { stoppedAtMs: number | undefined; readyAtMs: number },
  { folders, checkoutCommit, fromVersion, say }: TrialOptions,
): Promise<void> {
  const { current: previous } = await readReleaseState(folders.state);
  const interruptionMs = times.stoppedAtMs === undefined ? null : times.readyAtMs - times.stoppedAtMs;
  const at = new Date(times.readyAtMs).toISOString();
  const result: UpgradeResult = { outcome: 'upgraded', at, from: fromVersion, to, problem: null, interruptionMs };
  await changeReleaseState(folders.state, { current: name, previous, checkoutCommit, trial: null, result });
  await (await beginProgress(folders.progress, to, new Date())).done();
  await removeOtherReleases(folders, [name, previous]);
  say(`Upgraded from ${fromVersion} to ${to.version}.`);
}

async function giveUp(
  to: ReleaseIdentity | undefined,
  problem: UpgradeProblem,
  stoppedAtMs: number | undefined,
  { folders, fromVersion }: TrialOptions,
): Promise<void> {
  const at = new Date().toISOString();
  const result = to && ({ outcome: 'rolled-back', at, from: fromVersion, to, problem, interruptionMs: null } as const);
  const awaySinceMs = stoppedAtMs ?? null;
  await changeReleaseState(folders.state, { next: null, trial: null, awaySinceMs, ...(result && { result }) });
  if (to) await (await beginProgress(folders.progress, to, new Date())).failed(problem);
}
