import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import {
  commitId,
  foundReleases,
  installation,
  releaseChannel,
  upgradeProgress,
  upgradeResult,
} from '../../models/upgrade.ts';
import { paths } from '../../paths.ts';

export const queryUpgrade = defineEndpoint({
  ...paths.queryUpgrade,
  tag: 'System',
  summary: 'What is installed, what the remote has in each channel, how far an upgrade is and how the last one ended.',
  request: emptyRequest,
  response: z.object({
    channel: releaseChannel,
    /** Newer releases of the channel are installed by the server itself, inside the upgrade window. */
    auto: z.boolean(),
    revision: settingsRevision,
    /** Null until the server knows, a moment after its start. */
    installation: installation.nullable(),
    /** Null until somebody looked. */
    found: foundReleases.nullable(),
    /** The remote is being asked. */
    isLooking: z.boolean(),
    progress: upgradeProgress.nullable(),
    result: upgradeResult.nullable(),
    /** Names of the streams an upgrade would interrupt now, `app/stream`. */
    liveStreams: z.array(z.string()),
  }),
});

export const lookForReleases = defineEndpoint({
  ...paths.lookForReleases,
  tag: 'System',
  summary: 'Asks the remote of the checkout for its newest releases; `upgrade/query` tells what it found.',
  request: emptyRequest,
  response: nullData,
});

export const startUpgrade = defineEndpoint({
  ...paths.startUpgrade,
  tag: 'System',
  summary:
    'Prepares the newest release of a channel beside the running one, then restarts into it; streams are interrupted.',
  /** The commit that was shown: another one is refused, so that nothing else than what was agreed to is installed. */
  request: z.object({ token: z.string().optional(), channel: releaseChannel, commit: commitId }),
  response: nullData,
});

export const updateUpgradeSettings = defineEndpoint({
  ...paths.updateUpgradeSettings,
  tag: 'System',
  summary: 'Chooses the release channel, and whether its releases are installed without being asked for.',
  request: z.object({
    token: z.string().optional(),
    channel: releaseChannel,
    auto: z.boolean(),
    revision: expectedRevision,
  }),
  response: nullData,
});
