// Releases of the product: what is installed, what the remote offers, the progress of an upgrade and its result. The supervisor writes them
// to files in `releases/` of the data folder; the control plane reads these.
import { z } from 'zod';
import { installationKinds, releaseChannels, upgradeFailures, upgradeSteps } from '../values/upgrades.ts';

export const releaseChannel = z.enum(releaseChannels);
export type ReleaseChannel = z.infer<typeof releaseChannel>;

/** Full hash of a commit. */
export const commitId = z.string().regex(/^[0-9a-f]{40}$/);

export const installation = z.object({
  kind: z.enum(installationKinds),
  /** Without a leading v. */
  version: z.string(),
  /** Empty when unknown. */
  commit: z.union([commitId, z.literal('')]),
  /** Folder of the running release. */
  folder: z.string(),
  /** URL of the Git remote, without credentials; empty when there is none. */
  remote: z.string(),
});
export type Installation = z.infer<typeof installation>;

export const foundRelease = z.object({
  channel: releaseChannel,
  /** Without a leading v. */
  version: z.string(),
  commit: commitId,
  /** Date of its commit, RFC 3339. */
  date: z.string(),
  /** Lines of its changelog, or subjects of its commits, newest first; texts from the remote. */
  changes: z.array(z.string()),
  /** Number of changes beyond those listed. */
  moreChanges: z.number().int(),
});
export type FoundRelease = z.infer<typeof foundRelease>;

/** A failure with the untranslated message of the program that failed; empty if it printed nothing. */
export const upgradeProblem = z.object({ reason: z.enum(upgradeFailures), detail: z.string() });
export type UpgradeProblem = z.infer<typeof upgradeProblem>;

/** Result of the last update check. */
export const foundReleases = z.object({
  /** RFC 3339. */
  checkedAt: z.string(),
  problem: upgradeProblem.nullable(),
  stable: foundRelease.nullable(),
  development: foundRelease.nullable(),
});
export type FoundReleases = z.infer<typeof foundReleases>;

export const releaseIdentity = z.object({ channel: releaseChannel, version: z.string(), commit: commitId });
export type ReleaseIdentity = z.infer<typeof releaseIdentity>;

/** Progress of the current or the last upgrade. */
export const upgradeProgress = z.object({
  state: z.enum(['running', 'done', 'failed']),
  step: z.enum(upgradeSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  target: releaseIdentity,
  /** Why the upgrade failed; null in every other state. */
  problem: upgradeProblem.nullable(),
});
export type UpgradeProgress = z.infer<typeof upgradeProgress>;

/** Result of the last restart into another release. */
export const upgradeResult = z.object({
  outcome: z.enum(['upgraded', 'rolled-back']),
  /** RFC 3339. */
  at: z.string(),
  /** Version that was running before, without a leading v. */
  from: z.string(),
  to: releaseIdentity,
  /** Why the release was rolled back; null for every other result. */
  problem: upgradeProblem.nullable(),
  /** Downtime from the stop of the servers until the first successful call, milliseconds; null if nothing was running. */
  interruptionMs: z.number().nullable(),
});
export type UpgradeResult = z.infer<typeof upgradeResult>;

/** Requests of the control plane to the supervisor over their IPC channel. */
export const upgradeRequest = z.discriminatedUnion('action', [
  z.object({ type: z.literal('upgrade'), action: z.literal('look') }),
  z.object({ type: z.literal('upgrade'), action: z.literal('install'), channel: releaseChannel, commit: commitId }),
]);
export type UpgradeRequest = z.infer<typeof upgradeRequest>;
