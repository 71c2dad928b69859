// State of upgrades: the running release, the next release, and the release on trial. The file is replaced atomically, so a start can
// recover from a power failure at any time. The value `null` stands for the checkout.
import { readFile } from 'node:fs/promises';
import type { UpgradeResult } from '@srs-stack/contract';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { writeDurably } from './durable-file.ts';
import { isReleaseName } from './release-folders.ts';

export interface ReleaseState {
  /** Name of the running release; null: the checkout. */
  readonly current: string | null;
  /** Commit of the checkout when `current` was selected. If the checkout has another commit now, it was updated manually. */
  readonly checkoutCommit: string;
  /** A prepared release that the next restart switches to. */
  readonly next: string | null;
  /** A release that was started but is not ready yet, and the backup of the state before its start. */
  readonly trial: { readonly name: string; readonly backup: string } | null;
  /** The release before the current one, which is kept on disk. */
  readonly previous: string | null;
  readonly result: UpgradeResult | null;
  /** Time at which the servers stopped for an upgrade that was rolled back, Unix milliseconds. Null once the servers respond again. */
  readonly awaySinceMs: number | null;
}

const initialState: ReleaseState = {
  current: null,
  checkoutCommit: '',
  next: null,
  trial: null,
  previous: null,
  result: null,
  awaySinceMs: null,
};

/** Reads the file. A missing file means that nothing was ever upgraded. @throws StartRefusal for a damaged file. */
export async function readReleaseState(path: string): Promise<ReleaseState> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return initialState;
    throw new StartRefusal(`The file ${path} with the state of upgrades cannot be read: ${(error as Error).message}.`);
  }
  try {
    const state = { ...initialState, ...(JSON.parse(text) as Partial<ReleaseState>) };
    const names = [state.current, state.next, state.previous, state.trial?.name ?? null];
    if (names.every((name) => name === null || isReleaseName(name))) return state;
  } catch {
    // Invalid JSON is reported below, as for any other invalid content.
  }
  throw new StartRefusal(
    `The file ${path} with the state of upgrades is damaged. Delete it to run the release of the checkout.`,
  );
}

/**
 * Reads, changes and replaces the file. Resolves when the new file is on disk. Two processes must never call this function simultaneously.
 */
export async function changeReleaseState(path: string, change: Partial<ReleaseState>): Promise<ReleaseState> {
  const next = { ...(await readReleaseState(path)), ...change };
  await writeDurably(path, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

/** Called when the servers respond. Records the downtime of an upgrade that was rolled back. */
export async function noteReady(path: string, nowMs: number): Promise<void> {
  const { awaySinceMs, result } = await readReleaseState(path);
  if (awaySinceMs === null || !result) return;
  await changeReleaseState(path, { awaySinceMs: null, result: { ...result, interruptionMs: nowMs - awaySinceMs } });
}
