// Decides the next step of auto-upgrade. Pure: all inputs are parameters.
import type { FoundReleases, Installation, ReleaseChannel, UpgradeProgress, UpgradeResult } from '@srs-stack/contract';

/** Minimum age of an update check before the next check, milliseconds: two checks fit in a window of three hours. */
const lookEveryMs = 90 * 60_000;
/** An upgrade starts only if this time of the window remains, milliseconds: enough to prepare, try and roll back a release. */
const leastWindowLeftMs = 30 * 60_000;

export interface AutoUpgradeFacts {
  readonly auto: boolean;
  readonly channel: ReleaseChannel;
  readonly window: { readonly isOpen: boolean; readonly closesAtMs: number };
  readonly installation: Installation | null;
  readonly found: FoundReleases | null;
  readonly progress: UpgradeProgress | null;
  readonly result: UpgradeResult | null;
  readonly nowMs: number;
}

export type AutoUpgradeStep = { readonly do: 'nothing' | 'look' } | { readonly do: 'start'; readonly commit: string };

export function nextAutoStep(facts: AutoUpgradeFacts): AutoUpgradeStep {
  const { auto, channel, window, installation, found, nowMs } = facts;
  const isAllowed = auto && window.isOpen && window.closesAtMs - nowMs >= leastWindowLeftMs;
  if (!isAllowed || installation?.kind !== 'checkout') return { do: 'nothing' };
  if (!found || nowMs - Date.parse(found.checkedAt) >= lookEveryMs) return { do: 'look' };
  const release = found[channel];
  if (found.problem || !release || release.commit === installation.commit || hasFailed(release.commit, facts))
    return { do: 'nothing' };
  return { do: 'start', commit: release.commit };
}

/** True if this release failed before. Auto-upgrade then waits for a newer release. */
function hasFailed(commit: string, { progress, result }: AutoUpgradeFacts): boolean {
  const wasTakenBack = result?.outcome === 'rolled-back' && result.to.commit === commit;
  return wasTakenBack || (progress?.state === 'failed' && progress.target.commit === commit);
}
