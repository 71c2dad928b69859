// The running release, the next one, and the one being tried, in one file that is replaced atomically. The next start can recover from a
// power failure at any time. The checkout is the release `null`.
import { readFile } from 'node:fs/promises';
import type { UpgradeResult } from '@srs-stack/contract';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { writeDurably } from './durable-file.ts';
import { isReleaseName } from './release-folders.ts';

export interface ReleaseState {
  /** Name of the release that runs; null: the checkout. */
  readonly current: string | null;
  /** Commit of the checkout when `current` was selected; a different one means that the checkout was updated manually. */
  readonly checkoutCommit: string;
  /** A prepared release to switch to at the next restart. */
  readonly next: string | null;
  /** A release that was started and is not ready yet, with the backup of the previous state. */
  readonly trial: { readonly name: string; readonly backup: string } | null;
  /** Release that ran before the current one; kept on disk. */
  readonly previous: string | null;
  readonly result: UpgradeResult | null;
  /** Time at which the servers stopped for an upgrade that was rolled back, Unix milliseconds; null once they respond again. */
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

/** Reads the file; if it is missing, nothing was ever upgraded. Throws `StartRefusal` when it is damaged. */
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
    // Invalid JSON is reported below, like other invalid content.
  }
  throw new StartRefusal(
    `The file ${path} with the state of upgrades is damaged. Delete it to run the release of the checkout.`,
  );
}

/** Reads, changes and replaces the file; resolves when it is on disk. Only one process at a time may call it. */
export async function changeReleaseState(path: string, change: Partial<ReleaseState>): Promise<ReleaseState> {
  const next = { ...(await readReleaseState(path)), ...change };
  await writeDurably(path, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

/** Called when the servers respond: records the downtime of a rolled-back upgrade. */
export async function noteReady(path: string, nowMs: number): Promise<void> {
  const { awaySinceMs, result } = await readReleaseState(path);
  if (awaySinceMs === null || !result) return;
  await changeReleaseState(path, { awaySinceMs: null, result: { ...result, interruptionMs: nowMs - awaySinceMs } });
}
