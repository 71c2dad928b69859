// Releases of the product: what is installed, what the remote has, how far an upgrade is and how the last one ended.
// The supervisor's side writes these as files below `releases/` of the data folder, the control plane reads them.
import { z } from 'zod';
import { installationKinds, releaseChannels, upgradeFailures, upgradeSteps } from '../values/upgrades.ts';

export const releaseChannel = z.enum(releaseChannels);
export type ReleaseChannel = z.infer<typeof releaseChannel>;

/** Full name of a commit. */
export const commitId = z.string().regex(/^[0-9a-f]{40}$/);

export const installation = z.object({
  kind: z.enum(installationKinds),
  /** Without a leading v. */
  version: z.string(),
  /** Empty where it is not known. */
  commit: z.union([commitId, z.literal('')]),
  /** Folder the running release is in. */
  folder: z.string(),
  /** Address releases come from, without credentials; empty when there is none. */
  remote: z.string(),
});
export type Installation = z.infer<typeof installation>;

export const foundRelease = z.object({
  channel: releaseChannel,
  /** Without a leading v. */
  version: z.string(),
  commit: commitId,
  /** When its commit was made, RFC 3339. */
  date: z.string(),
  /** Lines of its changelog, or subjects of its commits, newest first; texts of the remote. */
  changes: z.array(z.string()),
  /** Changes there are beyond those listed. */
  moreChanges: z.number().int(),
});
export type FoundRelease = z.infer<typeof foundRelease>;

/** A failure with the words of the program that failed, in its own language; empty when it said nothing. */
export const upgradeProblem = z.object({ reason: z.enum(upgradeFailures), detail: z.string() });
export type UpgradeProblem = z.infer<typeof upgradeProblem>;

/** What the last look at the remote found. */
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

/** How far the upgrade under way, or the last one, has got. */
export const upgradeProgress = z.object({
  state: z.enum(['running', 'done', 'failed']),
  step: z.enum(upgradeSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  target: releaseIdentity,
  /** With `failed` alone. */
  problem: upgradeProblem.nullable(),
});
export type UpgradeProgress = z.infer<typeof upgradeProgress>;

/** How the last restart into another release ended. */
export const upgradeResult = z.object({
  outcome: z.enum(['upgraded', 'rolled-back']),
  /** RFC 3339. */
  at: z.string(),
  /** Version that was running before, without a leading v. */
  from: z.string(),
  to: releaseIdentity,
  /** With `rolled-back` alone. */
  problem: upgradeProblem.nullable(),
  /** From the stop of the servers until the first answered call, milliseconds; null when nothing was running. */
  interruptionMs: z.number().nullable(),
});
export type UpgradeResult = z.infer<typeof upgradeResult>;

/** What the control plane asks of the supervisor over the channel between them. */
export const upgradeRequest = z.discriminatedUnion('action', [
  z.object({ type: z.literal('upgrade'), action: z.literal('look') }),
  z.object({ type: z.literal('upgrade'), action: z.literal('install'), channel: releaseChannel, commit: commitId }),
]);
export type UpgradeRequest = z.infer<typeof upgradeRequest>;
