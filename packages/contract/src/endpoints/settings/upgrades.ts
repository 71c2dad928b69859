import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { defineSetting } from '../../models/setting.ts';
import {
  commitId,
  foundReleases,
  installation,
  releaseChannel,
  upgradeProgress,
  upgradeResult,
} from '../../models/upgrade.ts';
import { paths } from '../../paths.ts';
import { changed, switched } from '../../setting-changes.ts';

/** Settings: release channel, and automatic upgrades in the upgrade window. */
export const upgradeSettings = defineSetting({
  tag: 'System',
  query: {
    ...paths.queryUpgrade,
    summary:
      'Returns the installed release, the available releases of each channel, the progress of an upgrade and the result of the last one.',
  },
  update: {
    ...paths.updateUpgradeSettings,
    summary: 'Sets the release channel, and whether its releases are installed automatically.',
  },
  key: 'upgrades',
  stored: { channel: releaseChannel, auto: z.boolean() },
  initial: { channel: 'stable', auto: false },
  facts: {
    /** Null shortly after the start. */
    installation: installation.nullable(),
    /** Null before the first update check. */
    found: foundReleases.nullable(),
    isLooking: z.boolean(),
    progress: upgradeProgress.nullable(),
    result: upgradeResult.nullable(),
    /** Live streams that an upgrade would interrupt, `app/stream`. */
    liveStreams: z.array(z.string()),
  },
  sent: { channel: releaseChannel, auto: z.boolean() },
  change: ({ channel, auto }) =>
    changed('platform.upgrades', { channel: changed(`channel.${channel}`), state: switched(auto) }),
});
export const { query: queryUpgrade, update: updateUpgradeSettings } = upgradeSettings;

export const lookForReleases = defineEndpoint({
  ...paths.lookForReleases,
  tag: 'System',
  summary: 'Checks the Git remote for new releases; `upgrade/query` returns the result.',
  request: emptyRequest,
  response: nullData,
});

export const startUpgrade = defineEndpoint({
  ...paths.startUpgrade,
  tag: 'System',
  summary:
    'Prepares the newest release of a channel beside the running one, then restarts into it; streams are interrupted.',
  /** `commit`: release that the operator confirmed. Other releases are refused. */
  request: z.object({ token: z.string().optional(), channel: releaseChannel, commit: commitId }),
  response: nullData,
});
