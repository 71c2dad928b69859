// Installed and available releases, and progress and result of upgrades. The supervisor writes this data to files in `releases/` of the
// data folder, and the control plane reads the files.
import { z } from 'zod';
import { installationKinds, releaseChannels, upgradeFailures, upgradeSteps } from '../values/upgrades.ts';

export const releaseChannel = z.enum(releaseChannels);
export type ReleaseChannel = z.infer<typeof releaseChannel>;

/** Full commit hash. */
export const commitId = z.string().regex(/^[0-9a-f]{40}$/);

export const installation = z.object({
  kind: z.enum(installationKinds),
  /** Without a leading v. */
  version: z.string(),
  /** Empty when unknown. */
  commit: z.union([commitId, z.literal('')]),
  folder: z.string(),
  /** URL of the Git remote without credentials; '' without a remote. */
  remote: z.string(),
});
export type Installation = z.infer<typeof installation>;

export const foundRelease = z.object({
  channel: releaseChannel,
  /** Without a leading v. */
  version: z.string(),
  commit: commitId,
  /** Date of the commit, RFC 3339. */
  date: z.string(),
  /** Changelog lines or commit subjects, newest first; texts from the remote. */
  changes: z.array(z.string()),
  moreChanges: z.number().int(),
});
export type FoundRelease = z.infer<typeof foundRelease>;

/** A failure. `detail` is the message of the failed program; may be empty. */
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

/** Progress of the current or last upgrade. */
export const upgradeProgress = z.object({
  state: z.enum(['running', 'done', 'failed']),
  step: z.enum(upgradeSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  target: releaseIdentity,
  /** Reason of a failed upgrade, else null. */
  problem: upgradeProblem.nullable(),
});
export type UpgradeProgress = z.infer<typeof upgradeProgress>;

/** Result of the last upgrade that restarted the servers. */
export const upgradeResult = z.object({
  outcome: z.enum(['upgraded', 'rolled-back']),
  /** RFC 3339. */
  at: z.string(),
  /** Previous version, without a leading v. */
  from: z.string(),
  to: releaseIdentity,
  /** Reason of the rollback, else null. */
  problem: upgradeProblem.nullable(),
  /** Milliseconds from stopping the servers to the first successful call; null if no server was running. */
  interruptionMs: z.number().nullable(),
});
export type UpgradeResult = z.infer<typeof upgradeResult>;

/** Requests that the control plane sends to the supervisor over IPC. */
export const upgradeRequest = z.discriminatedUnion('action', [
  z.object({ type: z.literal('upgrade'), action: z.literal('look') }),
  z.object({ type: z.literal('upgrade'), action: z.literal('install'), channel: releaseChannel, commit: commitId }),
]);
export type UpgradeRequest = z.infer<typeof upgradeRequest>;
