// Progress of an upgrade for the control plane, in a small file that every step replaces.
import { readFile } from 'node:fs/promises';
import type { ReleaseIdentity, UpgradeProblem, UpgradeProgress, UpgradeStep } from '@srs-stack/contract';
import { writeDurably } from './durable-file.ts';

export interface ProgressFile {
  step(step: UpgradeStep): Promise<void>;
  done(): Promise<void>;
  failed(problem: UpgradeProblem): Promise<void>;
}

/** Creates the file for a new upgrade. */
export async function beginProgress(path: string, target: ReleaseIdentity, now: Date): Promise<ProgressFile> {
  let progress: UpgradeProgress = {
    state: 'running',
    step: 'fetch',
    startedAt: now.toISOString(),
    target,
    problem: null,
  };
  const change = (next: Partial<UpgradeProgress>) => {
    progress = { ...progress, ...next };
    return writeProgress(path, progress);
  };
  await change({});
  return {
    step: (step) => change({ step }),
    done: () => change({ state: 'done', step: 'restart' }),
    failed: (problem) => change({ state: 'failed', problem }),
  };
}

/** Marks an upgrade as interrupted if its process ended before the upgrade was finished. */
export async function markInterrupted(path: string): Promise<void> {
  const progress = await readProgress(path);
  if (progress?.state !== 'running') return;
  await writeProgress(path, { ...progress, state: 'failed', problem: { reason: 'interrupted', detail: '' } });
}

async function readProgress(path: string): Promise<UpgradeProgress | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as UpgradeProgress;
  } catch {
    return undefined;
  }
}

function writeProgress(path: string, progress: UpgradeProgress): Promise<void> {
  return writeDurably(path, `${JSON.stringify(progress)}\n`);
}
