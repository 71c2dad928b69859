/** `stable`: the newest version tag. `development`: the newest commit of the main branch. */
export const releaseChannels = ['stable', 'development'] as const;

/** How this installation gets newer releases. Only a `checkout` can upgrade itself. */
export const installationKinds = ['checkout', 'container', 'package', 'no-remote', 'no-git', 'no-npm'] as const;

export const upgradeFailures = [
  'remote-unreachable',
  'release-unusable',
  'no-room',
  'install-failed',
  'build-failed',
  'check-failed',
  'backup-failed',
  'ended',
  'not-ready',
  'interrupted',
] as const;
export type UpgradeFailure = (typeof upgradeFailures)[number];

/** Steps in sequence. All steps before `restart` leave the running release untouched. */
export const upgradeSteps = ['fetch', 'unpack', 'install', 'build', 'check', 'restart'] as const;
export type UpgradeStep = (typeof upgradeSteps)[number];
