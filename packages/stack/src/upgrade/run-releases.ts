// The loop of `npm start`, which runs the selected release and switches between releases. First, the loop undoes a trial that a power
// failure interrupted. Then it tries the next release if one is prepared. Otherwise it runs the selected release.
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { versionIn } from '@srs-stack/process/product-version.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { commitOf } from './installation.ts';
import { markInterrupted } from './progress-file.ts';
import { isReleaseName, type ReleaseFolders, releaseFolders } from './release-folders.ts';
import { changeReleaseExitCode, type ReleaseProcess } from './release-process.ts';
import { changeReleaseState, type ReleaseState, readReleaseState } from './release-state.ts';
import { type TrialOptions, tryNextRelease, undoTrial } from './try-release.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Reason for the end of the servers: the product stops, or another release replaces this one. */
export type ServersEnd =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'change' /** Unix milliseconds. */; readonly stoppedAtMs?: number | undefined };

export interface RunReleasesOptions {
  readonly dataDir: string;
  readonly folder: string;
  /** The operator's checkout. It differs from `folder` if the running code is a release. */
  readonly checkout: string;
  readonly runServers: () => Promise<ServersEnd>;
  readonly handOver: (folder: string) => never;
  readonly say: (line: string) => void;
  readonly readyWithinMs?: number | undefined;
  readonly onStep?: TrialOptions['onStep'];
}

/** Runs the product, and resolves with its exit code. @throws StartRefusal when the selected release cannot run. */
export async function runReleases(options: RunReleasesOptions): Promise<number> {
  const folders = releaseFolders(options.dataDir);
  const own = await ownName(folders, options.folder);
  let stoppedAtMs: number | undefined;
  await markInterrupted(folders.progress);
  for (;;) {
    const state = await settledState(folders, own, options);
    const end =
      state.next === null
        ? await runChosen(state, folders, own, options)
        : await change(state, stoppedAtMs, folders, options);
    if (end.kind === 'ended') return end.exitCode;
    stoppedAtMs = end.stoppedAtMs;
  }
}

/** The state after recovery from a power failure or a manual update of the checkout. */
async function settledState(
  folders: ReleaseFolders,
  own: string | null,
  options: RunReleasesOptions,
): Promise<ReleaseState> {
  const state = await readReleaseState(folders.state);
  if (state.trial) {
    options.say('An upgrade was interrupted while the new release started: rolling back to the previous release.');
    await undoTrial({ reason: 'interrupted', detail: '' }, undefined, await trialOptions(state, folders, options));
    return readReleaseState(folders.state);
  }
  if (own !== null || state.current === null) return state;
  if ((await commitOf(options.checkout)) === state.checkoutCommit) return state;
  options.say('The checkout was updated manually: the server runs it instead of the last upgrade.');
  return changeReleaseState(folders.state, { current: null, next: null, previous: null });
}

async function runChosen(
  { current }: ReleaseState,
  folders: ReleaseFolders,
  own: string | null,
  options: RunReleasesOptions,
): Promise<ServersEnd> {
  if (current === own) return options.runServers();
  if (current === null) return options.handOver(options.checkout);
  if (folders.isComplete(current)) return options.handOver(folders.folderOf(current));
  throw new StartRefusal(
    `The release ${current} is missing in ${folders.root}. Delete ${folders.state} to run the release of the checkout.`,
  );
}

async function change(
  state: ReleaseState,
  stoppedAtMs: number | undefined,
  folders: ReleaseFolders,
  options: RunReleasesOptions,
): Promise<ServersEnd> {
  const trial = await trialOptions(state, folders, options);
  const stopped = { kind: 'change', stoppedAtMs: undefined } as const;
  if (state.next === null) return stopped;
  const passing = new AbortController();
  try {
    const onReady = (ready: ReleaseProcess) => passSignals(ready, passing.signal);
    const release = await tryNextRelease(state.next, stoppedAtMs, { ...trial, onReady });
    if (!release) return stopped;
    const exitCode = await release.ended;
    if (exitCode !== changeReleaseExitCode) return { kind: 'ended', exitCode };
    return { kind: 'change', stoppedAtMs: release.stoppedAtMs() };
  } finally {
    passing.abort();
  }
}

function passSignals(release: ReleaseProcess, until: AbortSignal): void {
  const pass = (signal: NodeJS.Signals) => release.signal(signal);
  for (const signal of stopSignals) process.on(signal, pass);
  until.addEventListener('abort', () => {
    for (const signal of stopSignals) process.off(signal, pass);
  });
}

async function trialOptions(
  { current }: ReleaseState,
  folders: ReleaseFolders,
  options: RunReleasesOptions,
): Promise<TrialOptions> {
  const from = current === null ? options.checkout : folders.folderOf(current);
  return {
    ...options,
    folders,
    checkoutCommit: await commitOf(options.checkout),
    fromVersion: versionOf(from),
  };
}

function versionOf(folder: string): string {
  try {
    return versionIn(folder);
  } catch {
    return '';
  }
}

async function ownName(folders: ReleaseFolders, folder: string): Promise<string | null> {
  const [root, own] = await Promise.all([folders.root, folder].map((path) => realpath(path).catch(() => path)));
  const name = basename(own ?? '');
  return isReleaseName(name) && dirname(own ?? '') === root ? name : null;
}
